/// The names that stand in a snapshot file.
enum SnapshotKeys {
    /// The version of the format that this library writes, and the newest that it reads.
    static let version: Int64 = 1

    /// The keys at the top of the file.
    enum Header: String, FileKey {
        case version = "placeskit"
        case modelVersion = "model"
        case entities
        case nextNumbers = "next"
        case objects
    }
    static let header = FileKeys<Header>()

    /// The keys of a rule for values.
    enum Rule: String, FileKey {
        case length, range
        case rangeBelowMaximum = "below"
        case pattern = "matches"
    }
    static let rule = FileKeys<Rule>()

    /// The key of an object's number, the first of its keys.
    static let identifier = "id"

    /// The key of a property of objects: its name, where that is not the key of their numbers.
    static func key(of property: String) -> String {
        property == identifier ? ".id" : property
    }

    /// The keys of an entity's objects: that of their numbers, then those of the properties, the entity's own before
    /// those it inherits.
    ///
    /// - Parameters:
    ///   - entity: The entity's number.
    ///   - schema: The schema that has it.
    ///   - name: The name that a property of some entity has in the file.
    /// - Returns: The keys, in that order.
    static func table(
        of entity: Int, in schema: Schema, _ name: (PropertyDescription, _ owner: Int) -> String
    ) -> JSONKeyTable {
        JSONKeyTable(
            [identifier]
                + schema.lineage(of: entity).flatMap { owner in
                    schema.entities[owner].properties.map { key(of: name($0, owner)) }
                })
    }

    /// The property of a key.
    static func property(of key: String) -> String { key == ".id" ? identifier : key }
}
