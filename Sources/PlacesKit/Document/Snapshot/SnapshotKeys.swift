/// The names that stand in a snapshot file.
enum SnapshotKeys {
    /// The version of the format that this library writes, and the newest that it reads.
    static let version: Int64 = 1

    static let header = JSONKeyTable(["placeskit", "model", "entities", "next", "objects"])
    static let entity = JSONKeyTable([
        "name", "properties", "unique", "indexes", "super", "abstract", "originalName",
    ])
    static let property = JSONKeyTable([
        "name", "type", "optional", "unique", "to", "many", "inverse", "onDelete", "indexed",
        "derived", "over", "of", "where",
        "originalName", "external", "rules", "minCount", "maxCount", "ordered",
        "searchable", "values",
    ])
    /// The key of an object's number, the first of its keys.
    static let identifier = "id"
    static let rule = JSONKeyTable(["length", "range", "below", "matches"])

    /// The key of a property of objects: its name, where that is not the key of their numbers.
    static func key(of property: String) -> String {
        property == identifier ? ".id" : property
    }

    /// The property of a key.
    static func property(of key: String) -> String { key == ".id" ? identifier : key }
}
