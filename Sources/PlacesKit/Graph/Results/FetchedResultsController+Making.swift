extension FetchedResultsController {
    /// Fetches the results of a request, in one section.
    ///
    /// Results in a context are live; those in a snapshot or a store do not change.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public convenience init(
        _ request: FetchRequest<Object>, in reader: some GraphReader
    ) throws(ContextError) {
        try self.init(request, nil, of: reader)
    }

    /// Fetches the results of a request, in sections of objects with the same value of a property.
    ///
    /// The property may be computed, and may lead across a relationship. Sections come in the order of
    /// their first objects, whether or not the request sorts by the property.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public convenience init<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Key>,
        in reader: some GraphReader
    ) throws(ContextError) {
        try self.init(request, SectionRule(keyPath), of: reader)
    }

    /// Fetches the results of a request, in sections by a property of any type.
    ///
    /// The property may hold another object. PlacesKit identifies a value of an unknown type by its
    /// description.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    @_disfavoredOverload
    public convenience init<Name>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Name>,
        in reader: some GraphReader
    ) throws(ContextError) {
        try self.init(request, SectionRule(describing: keyPath), of: reader)
    }

    /// Fetches the results of a request, in sections that a closure makes of objects.
    ///
    /// ```swift
    /// let days = try FetchedResultsController(request, in: context) { photo in
    ///     let day = Calendar.current.startOfDay(for: photo.dateUploaded)
    ///     return (key: day, name: day.formatted(date: .long, time: .omitted))
    /// }
    /// ```
    /// - Parameters:
    ///   - request: Which objects to fetch, in which order.
    ///   - reader: The context to which the objects belong, or a snapshot or a store.
    ///   - section: Returns the key that the objects of a section share, and the name of the
    ///     section; the name for its first object is used. As with a computed property, PlacesKit
    ///     does not know what the closure reads; it does know that of a ``SectionRule``.
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public convenience init<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>, in reader: some GraphReader,
        sectionBy section: @escaping (Object) -> (key: Key, name: String)
    ) throws(ContextError) {
        try self.init(request, SectionRule(section), of: reader)
    }

    /// Fetches the results of a request, in sections that a rule makes of the values of properties.
    ///
    /// ```swift
    /// let photos = try FetchedResultsController(
    ///     request, sectionBy: .firstLetters(of: \.title), in: context)
    /// ```
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public convenience init(
        _ request: FetchRequest<Object>, sectionBy rule: SectionRule<Object>,
        in reader: some GraphReader
    ) throws(ContextError) {
        try self.init(request, rule, of: reader)
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
