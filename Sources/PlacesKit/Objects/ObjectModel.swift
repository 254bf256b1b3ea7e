/// The classes of a model and the schema read from them.
public struct ObjectModel: Sendable {
    /// The schema: entities in the order of the classes.
    public let schema: Schema
    let classes: [ObjectClass]

    /// Reads the schema of some classes from their property wrappers.
    ///
    /// - Throws: A `SchemaError` that names the class and the property.
    public init(_ types: [ManagedObject.Type]) throws(SchemaError) {
        classes = try Prototypes.classes(types)
        schema = try Schema(
            entities: classes.map {
                EntityDescription(
                    name: $0.type.entityName, properties: $0.properties,
                    uniqueConstraints: $0.uniqueConstraints, indexes: $0.indexes)
            })
    }
}

/// A class of a model and its properties.
struct ObjectClass: Sendable {
    let type: ManagedObject.Type
    let properties: [PropertyDescription]
    let uniqueConstraints: [[String]]
    let indexes: [[String]]
    /// What checks the values of attributes whose columns may hold what is no value, by slot.
    let checks: [Int: ValueCheck]
    /// Whether objects of the class have no stored properties but the managed ones.
    let isPlain: Bool
}
