extension FetchedResultsController {
    /// Fetches the results of a request, in one section.
    ///
    /// Those of a context are live; those of a snapshot or a store stay as they are.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public convenience init(
        _ request: FetchRequest<Object>, in reader: some GraphReader
    ) throws(ContextError) {
        try self.init(request, nil, of: reader)
    }

    /// Fetches the results of a request, in sections of objects that have a property in common.
    ///
    /// The property may be computed, and may lie across a relationship. Sections read best when the
    /// first sort descriptor orders by the same property.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public convenience init<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Key>,
        in reader: some GraphReader
    ) throws(ContextError) {
        try self.init(request, SectionRule(keyPath), of: reader)
    }

    /// Fetches the results of a request, in sections of objects that have a property of any type in
    /// common: another object, or what is told by its description.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    @_disfavoredOverload
    public convenience init<Name>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Name>,
        in reader: some GraphReader
    ) throws(ContextError) {
        try self.init(request, SectionRule(describing: keyPath), of: reader)
    }

    /// Fetches the results of a request, in sections that a closure makes.
    ///
    /// ```swift
    /// let days = try FetchedResultsController(request, in: context) { photo in
    ///     let day = Calendar.current.startOfDay(for: photo.dateUploaded)
    ///     return (key: day, name: day.formatted(date: .long, time: .omitted))
    /// }
    /// ```
    /// - Parameters:
    ///   - request: The objects and their order.
    ///   - reader: The context that the objects belong to, or a snapshot or a store.
    ///   - section: Gives what an object has in common with the others of its section, and what the
    ///     section is called, of which the first object's word counts. What it reads is not known, as with
    ///     a computed property.
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public convenience init<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>, in reader: some GraphReader,
        sectionBy section: @escaping (Object) -> (key: Key, name: String)
    ) throws(ContextError) {
        try self.init(request, SectionRule(section), of: reader)
    }

    private convenience init(
        _ request: FetchRequest<Object>, _ sections: SectionRule<Object>?,
        of reader: some GraphReader
    ) throws(ContextError) {
        let context = reader as? ManagedObjectContext
        try self.init(
            request, sections: sections, in: context ?? reader.snapshot().context(),
            isLive: context != nil)
    }
}
