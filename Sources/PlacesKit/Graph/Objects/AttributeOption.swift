/// What an attribute can be besides a value.
///
/// ```swift
/// @Attribute(.unique, .length(1...80)) var name: String
/// @Attribute(.range(0...5), .originalName("stars")) var rating = 0
/// @Attribute(.externalStorage) var thumbnail: Data?
/// ```
public struct AttributeOption: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case unique, indexed, searchable, transient, externalStorage
        case originalName(String)
        case rule(ValidationRule)
    }

    let kind: Kind

    /// No two objects of the entity share a value; `nil` is never a duplicate.
    ///
    /// A save that would break the rule is refused. `find` and `findOrInsert` take O(1).
    public static let unique = AttributeOption(kind: .unique)

    /// Objects are found by the value, and sorted by it, without looking at all of them.
    ///
    /// Comparing it with a constant and sorting by it take O(log n) then, and O(k) for k objects
    /// found; a write takes O(log n).
    public static let indexed = AttributeOption(kind: .indexed)

    /// Words of the text are found without looking at all objects: for the search field of a list.
    ///
    /// A write takes O(k log n) for k words then, and searching O(k) for k objects that have the rarest
    /// of the words. See <doc:Searching>.
    public static let searchable = AttributeOption(kind: .searchable)

    /// The values stay out of files.
    ///
    /// They are part of the graph in all else: of the changes of an object, of undo, and of what other
    /// contexts of the store see after a save. An object that is read from a file has the default.
    public static let transient = AttributeOption(kind: .transient)

    /// The values, which are `Data`, lie in files of their own and are read when they are asked for.
    ///
    /// A document writes each once and keeps none in memory. Such an attribute cannot be unique or
    /// indexed. See <doc:ExternalStorage>.
    public static let externalStorage = AttributeOption(kind: .externalStorage)

    /// The name that the attribute had in earlier versions of the model.
    ///
    /// A document that was made with the earlier model is read as if it had the new name.
    public static func originalName(_ name: String) -> AttributeOption {
        AttributeOption(kind: .originalName(name))
    }
}
