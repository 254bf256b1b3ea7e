extension FetchedResultsController {
    /// Replaces the request, and makes sections of objects with the same value of a property.
    ///
    /// ```swift
    /// try results.setRequest(results.request, sectionBy: \.takenAt?.country)
    /// ```
    /// The controller reports this as a change like any other; sections with the same key in both
    /// stay.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws, but for `ContextError.patternTooCostly`,
    ///   which becomes the ``error``; the results then stay as they are.
    /// - Complexity: O(n log n).
    public func setRequest<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Key>
    ) throws(ContextError) {
        try setRequest(request, sections: SectionRule(keyPath))
    }

    /// Replaces the request, and makes sections by a property of any type.
    ///
    /// The property may hold another object. PlacesKit identifies a value of an unknown type by its
    /// description.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws, but for `ContextError.patternTooCostly`,
    ///   which becomes the ``error``; the results then stay as they are.
    /// - Complexity: O(n log n).
    @_disfavoredOverload
    public func setRequest<Name>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Name>
    ) throws(ContextError) {
        try setRequest(request, sections: SectionRule(describing: keyPath))
    }

    /// Replaces the request, and makes sections with a closure.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws, but for `ContextError.patternTooCostly`,
    ///   which becomes the ``error``; the results then stay as they are.
    /// - Complexity: O(n log n).
    public func setRequest<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>,
        sectionBy section: @escaping (Object) -> (key: Key, name: String)
    ) throws(ContextError) {
        try setRequest(request, sections: SectionRule(section))
    }

    /// Replaces the request, and makes sections by a rule.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws, but for `ContextError.patternTooCostly`,
    ///   which becomes the ``error``; the results then stay as they are.
    /// - Complexity: O(n log n).
    public func setRequest(
        _ request: FetchRequest<Object>, sectionBy rule: SectionRule<Object>
    ) throws(ContextError) {
        try setRequest(request, sections: rule)
    }

    /// Replaces the request, and puts all objects into one section.
    ///
    /// ```swift
    /// try results.setRequest(results.request, sectionBy: nil)
    /// ```
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws, but for `ContextError.patternTooCostly`,
    ///   which becomes the ``error``; the results then stay as they are.
    /// - Complexity: O(n log n).
    public func setRequest(
        _ request: FetchRequest<Object>, sectionBy nothing: Never?
    ) throws(ContextError) {
        try setRequest(request, sections: nil)
    }
}
