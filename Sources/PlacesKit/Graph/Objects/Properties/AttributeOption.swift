/// An option of an attribute: a rule, an index, or how its values are stored.
///
/// ```swift
/// @Attribute(.unique, .length(1...80)) var name: String
/// @Attribute(.range(0...5), .originalName("stars")) var rating = 0
/// @Attribute(.externalStorage) var thumbnail: Data?
/// ```
public struct AttributeOption: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case indexed, searchable, transient, externalStorage, preserveValueOnDeletion
        case unique(ClashPolicy?)
        case originalName(String)
        case userInfo(key: String, value: String)
        case rule(ValidationRule, order: OwnOrder? = nil)
    }

    let kind: Kind

    /// No two objects of the entity share a value; `nil` is never a duplicate.
    ///
    /// A save that would break the rule is refused, unless the context's ``MergePolicy`` lets a new
    /// object become the one that another context saved first. `find` and `findOrInsert` take O(1).
    public static let unique = AttributeOption(kind: .unique(nil))

    /// No two objects of the entity share a value: what a save does with a new object that has the
    /// value of another is said here, and not by the merge policy of whoever saves.
    public static func unique(onClash policy: ClashPolicy) -> AttributeOption {
        AttributeOption(kind: .unique(policy))
    }

    /// Keeps an index, through which fetches find and sort objects without reading all of them.
    ///
    /// Comparing the attribute with a constant and sorting by it then take O(log n), and O(k) for k
    /// objects found. A write takes O(log n).
    public static let indexed = AttributeOption(kind: .indexed)

    /// Keeps an index of the words of the text, for the search field of a list.
    ///
    /// A write then takes O(k log n) for k words. A search takes O(k) for the k objects that have
    /// the rarest of its words. See <doc:Searching>.
    public static let searchable = AttributeOption(kind: .searchable)

    /// Keeps the values out of files.
    ///
    /// In all else they are part of the graph: of the changes of an object, of undo, and of what
    /// other contexts of the store see after a save. An object that is read from a file has the
    /// default.
    public static let transient = AttributeOption(kind: .transient)

    /// Keeps the values, which are `Data`, in files of their own and reads them on demand.
    ///
    /// A document writes each once and keeps none in memory. Such an attribute cannot be unique or
    /// indexed. See <doc:ExternalStorage>.
    public static let externalStorage = AttributeOption(kind: .externalStorage)

    /// Keeps the value of a deleted object in the document's history: see ``ChangeRecord/tombstones``.
    public static let preserveValueOnDeletion = AttributeOption(kind: .preserveValueOnDeletion)

    /// A note on the attribute, such as its unit, for whoever reads the schema.
    ///
    /// It stands in the files, and ``AttributeDescription/userInfo`` has it. It means nothing to PlacesKit.
    public static func userInfo(_ key: String, _ value: String) -> AttributeOption {
        AttributeOption(kind: .userInfo(key: key, value: value))
    }

    /// The name that the attribute had in earlier versions of the model.
    ///
    /// A document that was made with the earlier model is read as if it had the new name.
    public static func originalName(_ name: String) -> AttributeOption {
        AttributeOption(kind: .originalName(name))
    }
}
