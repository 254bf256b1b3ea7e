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
    static let rule = JSONKeyTable(["length", "range", "below", "matches"])
}
