extension ObjectModel {
    /// What a search field asks: that a text occurs in one of some attributes, whatever its case and accents, which
    /// without attributes it never does; `nil` for an empty text.
    ///
    /// - Throws: `ContextError.notText` with the key path that leads to something else than text.
    func format<Object: ManagedObject>(
        searching text: String, in keyPaths: [PartialKeyPath<Object>]
    ) throws(ContextError) -> PredicateFormat? {
        guard !text.isEmpty, let entity = number(of: Object.self) else { return nil }
        var names: [String] = []
        for keyPath in keyPaths {
            let path = try pathOfText(keyPath, from: entity)
            names.append(
                properties(along: path, from: entity).map(\.name).joined(separator: "."))
        }
        do throws(PredicateFormatError) {
            return try PredicateFormat(
                names.isEmpty
                    ? "FALSEPREDICATE"
                    : names.map { _ in "%K CONTAINS[cd] %@" }.joined(separator: " OR "),
                arguments: names.flatMap { [$0, text] as [Any?] })
        } catch {
            throw .malformedPredicate(error)
        }
    }
}
