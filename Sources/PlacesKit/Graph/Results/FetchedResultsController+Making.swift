extension FetchedResultsController {
    /// Fetches the results of a request, in one section.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public convenience init(
        _ request: FetchRequest<Object>, in context: ManagedObjectContext
    ) throws(ContextError) {
        try self.init(request, sections: nil, in: context, isLive: true)
    }

    /// Fetches the results of a request, in sections of objects that have a property in common.
    ///
    /// The property may be computed, and may lie across a relationship. Sections read best when the
    /// first sort descriptor orders by the same property.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public convenience init<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Key>,
        in context: ManagedObjectContext
    ) throws(ContextError) {
        try self.init(request, sections: SectionRule(keyPath), in: context, isLive: true)
    }

    /// Fetches the results of a request, in sections of objects that have a property of any type in
    /// common: another object, or what is told by its description.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    @_disfavoredOverload
    public convenience init<Name>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Name>,
        in context: ManagedObjectContext
    ) throws(ContextError) {
        try self.init(
            request, sections: SectionRule(describing: keyPath), in: context, isLive: true)
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
    ///   - context: The context that the objects belong to.
    ///   - section: Gives what an object has in common with the others of its section, and what the
    ///     section is called, of which the first object's word counts. What it reads is not known, as with
    ///     a computed property.
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public convenience init<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>, in context: ManagedObjectContext,
        sectionBy section: @escaping (Object) -> (key: Key, name: String)
    ) throws(ContextError) {
        try self.init(request, sections: SectionRule(section), in: context, isLive: true)
    }

    // MARK: - Snapshots

    /// Fetches the results of a request from a snapshot, which stay as they are.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public convenience init(
        _ request: FetchRequest<Object>, in snapshot: GraphSnapshot
    ) throws(ContextError) {
        try self.init(request, sections: nil, in: snapshot.context(), isLive: false)
    }

    /// Fetches the results of a request from a snapshot, in sections; they stay as they are.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public convenience init<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Key>,
        in snapshot: GraphSnapshot
    ) throws(ContextError) {
        try self.init(
            request, sections: SectionRule(keyPath), in: snapshot.context(), isLive: false)
    }

    /// Fetches the results of a request from a snapshot, in sections of a property of any type; they stay
    /// as they are.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    @_disfavoredOverload
    public convenience init<Name>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Name>,
        in snapshot: GraphSnapshot
    ) throws(ContextError) {
        try self.init(
            request, sections: SectionRule(describing: keyPath), in: snapshot.context(),
            isLive: false)
    }

    /// Fetches the results of a request from a snapshot, in sections that a closure makes; they stay as
    /// they are.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public convenience init<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>, in snapshot: GraphSnapshot,
        sectionBy section: @escaping (Object) -> (key: Key, name: String)
    ) throws(ContextError) {
        try self.init(
            request, sections: SectionRule(section), in: snapshot.context(), isLive: false)
    }
}
