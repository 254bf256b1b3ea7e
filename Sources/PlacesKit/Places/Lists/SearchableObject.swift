/// An object whose lists can be searched by what they show.
public protocol SearchableObject: ManagedObject {
    /// The names of the attributes that are searched.
    static var searchKeys: [String] { get }
}

extension Photo: SearchableObject {
    /// The title, the description and the tags.
    public static var searchKeys: [String] { ["title", "photoDescription", "tagLines"] }
}

extension Place: SearchableObject {
    /// The full name.
    public static var searchKeys: [String] { ["name"] }
}

extension Region: SearchableObject {
    /// The name.
    public static var searchKeys: [String] { ["name"] }
}

extension Pin: SearchableObject {
    /// The name.
    public static var searchKeys: [String] { ["name"] }
}

extension FetchedResultsController where Object: SearchableObject {
    /// Shows only the objects of the list that have a text in one of their search keys, whatever its
    /// case and accents; an empty text shows all of them again.
    ///
    /// What the list asks besides stays.
    ///
    /// - Throws: `ContextError.malformedPredicate`.
    public func search(_ text: String) throws(ContextError) {
        var request = request
        request.searchFormat = try Object.searchFormat(text)
        try setRequest(request)
    }
}

extension SearchableObject {
    fileprivate static func searchFormat(_ text: String) throws(ContextError) -> PredicateFormat? {
        guard !text.isEmpty else { return nil }
        let conditions = searchKeys.map { "\($0) CONTAINS[cd] %@" }
        do throws(PredicateFormatError) {
            return try PredicateFormat(
                conditions.joined(separator: " OR "), arguments: searchKeys.map { _ in text })
        } catch {
            throw .malformedPredicate(error)
        }
    }
}
