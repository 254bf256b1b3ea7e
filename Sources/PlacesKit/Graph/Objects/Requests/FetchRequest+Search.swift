public import Foundation

/// A search for words in the text of objects, as a search field needs it.
///
/// ```swift
/// var request = FetchRequest<Photo>()
/// request.search = TextSearch("eif tow", in: \.title, \.takenAt?.name)
/// ```
///
/// - Every word must occur in at least one of the attributes, as the beginning of a word unless
///   ``matching`` says otherwise. Case and accents do not matter.
/// - Words in quotation marks must follow each other in one attribute, each a whole word.
/// - A text without words, as in an empty search field, matches all objects.
/// - In a ``AttributeOption/searchable`` attribute the search reads the index of words instead of
///   the text. See <doc:Searching>.
public struct TextSearch<Object: ManagedObject>: Sendable {
    /// The text that somebody typed.
    public var text: String
    /// The text attributes to search in, also across to-one relationships.
    public var attributes: [any PartialKeyPath<Object> & Sendable]
    /// How each word of the text must match a word of the attributes.
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
    /// Describes a fetch of the objects whose text contains all words of a search text.
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
    /// Fetches the objects whose text contains all words of a search text.
    ///
    /// Without sort descriptors they come in an order that stays while they live, mostly that in which they
    /// were inserted.
    ///
    /// ```swift
    /// let photos = try context.fetch(Photo.self, searching: "eif tow", in: \.title, \.takenAt?.name)
    /// ```
    ///
    /// - Throws: `ContextError.notText`, or `ContextError.unknownClass`.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, searching text: String,
        in attributes: any PartialKeyPath<Object> & Sendable...,
        matching: WordMatching = .prefixes, where predicate: Predicate<Object>? = nil,
        sortBy descriptors: [SortDescriptor<Object>] = [], limit: Int? = nil, offset: Int = 0
    ) throws(ContextError) -> FetchedResults<Object> {
        var request = FetchRequest(
            of: type, predicate: predicate, sortBy: descriptors, limit: limit, offset: offset)
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
