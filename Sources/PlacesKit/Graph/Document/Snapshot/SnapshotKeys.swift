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

    /// The keys of an entity.
    enum Entity: String, FileKey {
        case name, properties
        case uniqueConstraints = "unique"
        case indexes
        case superentity = "super"
        case isAbstract = "abstract"
        case originalName
    }
    static let entity = FileKeys<Entity>()

    /// The keys of a property: those of attributes, of relationships, and of both.
    enum Property: String, FileKey {
        case name, type
        case isOptional = "optional"
        case isUnique = "unique"
        case destination = "to"
        case isToMany = "many"
        case inverse
        case deleteRule = "onDelete"
        case isIndexed = "indexed"
        case derivation = "derived"
        case derivedRelationship = "over"
        case derivedProperty = "of"
        case derivedCondition = "where"
        case originalName
        case isExternal = "external"
        case rules
        case minimumCount = "minCount"
        case maximumCount = "maxCount"
        case isOrdered = "ordered"
        case isSearchable = "searchable"
        case values
    }
    static let property = FileKeys<Property>()

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

    /// The property of a key.
    static func property(of key: String) -> String { key == ".id" ? identifier : key }
}
