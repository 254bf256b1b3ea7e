extension FetchedResultsController {
    /// Asks for other objects, and makes sections of what they have in common in a property.
    ///
    /// ```swift
    /// try results.setRequest(results.request, sectionBy: \.takenAt?.country)
    /// ```
    /// It is told as a change like any other; sections that have the same key in both stay.
    ///
    /// - Throws: `ContextError.malformedPredicate`; then the results stay as they are.
    /// - Complexity: O(n log n).
    public func setRequest<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Key>
    ) throws(ContextError) {
        try setRequest(request, sections: SectionRule(keyPath))
    }

    /// Asks for other objects, and makes sections of a property of any type: another object, or what is told by
    /// its description.
    ///
    /// - Throws: `ContextError.malformedPredicate`; then the results stay as they are.
    /// - Complexity: O(n log n).
    @_disfavoredOverload
    public func setRequest<Name>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Name>
    ) throws(ContextError) {
        try setRequest(request, sections: SectionRule(describing: keyPath))
    }

    /// Asks for other objects, in sections that a closure makes.
    ///
    /// - Throws: `ContextError.malformedPredicate`; then the results stay as they are.
    /// - Complexity: O(n log n).
    public func setRequest<Key: Hashable & Sendable>(
        _ request: FetchRequest<Object>,
        sectionBy section: @escaping (Object) -> (key: Key, name: String)
    ) throws(ContextError) {
        try setRequest(request, sections: SectionRule(section))
    }

    /// Asks for other objects, all in one section.
    ///
    /// ```swift
    /// try results.setRequest(results.request, sectionBy: nil)
    /// ```
    ///
    /// - Throws: `ContextError.malformedPredicate`; then the results stay as they are.
    /// - Complexity: O(n log n).
    public func setRequest(
        _ request: FetchRequest<Object>, sectionBy nothing: Never?
    ) throws(ContextError) {
        try setRequest(request, sections: nil)
    }
}
