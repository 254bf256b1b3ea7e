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
        var paths: [[Slot]] = []
        for keyPath in search.attributes {
            paths.append(try model.pathOfText(keyPath, from: entity))
        }
        return .searching(
            paths.map(Operand.attribute), for: search.text, matching: search.matching)
    }
}

extension ObjectModel {
    /// The slots along a key path that leads to an attribute of text, also across to-one relationships.
    func pathOfText(
        _ keyPath: AnyKeyPath, from entity: Int
    ) throws(ContextError) -> [Slot] {
        guard case .property(let path)? = resolve(keyPath) else {
            throw .notText(entity: layout.entities[entity].name, keyPath: "\(keyPath)")
        }
        let properties = properties(along: path, from: entity)
        guard properties.last?.attribute?.type == .string else {
            let name = properties.map(\.name).joined(separator: ".")
            throw .notText(entity: layout.entities[entity].name, keyPath: name)
        }
        return path
    }

    /// The properties of a chain, each of the table to which the one before it leads.
    func properties(along path: [Slot], from entity: Int) -> [PropertyDescription] {
        var table = layout.entities[entity].table
        return path.enumerated().map { index, slot in
            if index > 0 { table = layout.destination(of: path[index - 1], in: table) }
            return layout.tables[table].properties[slot]
        }
    }
}
