public import Foundation

/// Words that are looked for in text of objects: what a search field asks.
///
/// ```swift
/// var request = FetchRequest<Photo>()
/// request.search = TextSearch("eif tow", in: \.title, \.takenAt?.name)
/// ```
///
/// - Every word must occur, in any of the attributes; each as the beginning of a word, unless
///   ``matching`` says otherwise. Neither case nor accents matter.
/// - A text without words, as in an empty search field, asks nothing.
/// - An attribute that is ``AttributeOption/searchable`` is not looked at: its words are. See
///   <doc:Searching>.
public struct TextSearch<Object: ManagedObject>: Sendable {
    /// What somebody typed.
    public var text: String
    /// Attributes of text, also across to-one relationships.
    public var attributes: [any PartialKeyPath<Object> & Sendable]
    /// What each word of the text must be of a word of the attributes.
    public var matching: WordMatching

    /// Describes a search.
    public init(
        _ text: String, in attributes: any PartialKeyPath<Object> & Sendable...,
        matching: WordMatching = .prefixes
    ) {
        self.init(text, in: attributes, matching: matching)
    }

    init(
        _ text: String, in attributes: [any PartialKeyPath<Object> & Sendable],
        matching: WordMatching
    ) {
        self.text = text
        self.attributes = attributes
        self.matching = matching
    }
}

extension FetchRequest {
    /// Describes a fetch of the objects in whose text all words of a text occur.
    ///
    /// ```swift
    /// let request = FetchRequest<Photo>(
    ///     searching: "eif tow", in: \.title, \.takenAt?.name,
    ///     sortBy: [SortDescriptor(\.dateUploaded, order: .reverse)], limit: 50)
    /// ```
    public init(
        searching text: String, in attributes: any PartialKeyPath<Object> & Sendable...,
        matching: WordMatching = .prefixes, predicate: Predicate<Object>? = nil,
        sortBy descriptors: [SortDescriptor<Object>] = [], limit: Int? = nil, offset: Int = 0
    ) {
        self.init(predicate: predicate, sortBy: descriptors, limit: limit, offset: offset)
        search = TextSearch(text, in: attributes, matching: matching)
    }
}

extension ManagedObjectContext {
    /// The objects in whose text all words of a text occur, in no particular order.
    ///
    /// ```swift
    /// let photos = try context.fetch(Photo.self, searching: "eif tow", in: \.title, \.takenAt?.name)
    /// ```
    ///
    /// - Throws: `ContextError.notText`, or `ContextError.unknownClass`.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, searching text: String,
        in attributes: any PartialKeyPath<Object> & Sendable...,
        matching: WordMatching = .prefixes
    ) throws(ContextError) -> FetchedResults<Object> {
        var request = FetchRequest<Object>()
        request.search = TextSearch(text, in: attributes, matching: matching)
        return try fetch(request)
    }
}

extension GraphReading {
    /// The condition that a search stands for.
    func condition<Object: ManagedObject>(
        _ search: TextSearch<Object>, of entity: Int
    ) throws(ContextError) -> Condition {
        var paths: [[Int]] = []
        for keyPath in search.attributes {
            guard case .property(let path)? = model.resolve(keyPath),
                graph.isText(path, in: model.layout.entities[entity].table)
            else {
                throw .notText(entity: model.layout.entities[entity].name, keyPath: "\(keyPath)")
            }
            paths.append(path)
        }
        return .searching(
            paths.map(Operand.attribute), for: search.text, matching: search.matching)
    }
}

extension Graph {
    /// Whether a chain ends in an attribute of text.
    fileprivate func isText(_ path: [Int], in table: Int) -> Bool {
        let end = path.dropLast().reduce(table) { destination(of: $1, in: $0) }
        return path.last.map { layout.tables[end].properties[$0].attribute?.type == .string }
            ?? false
    }
}
