/// What the schema knows of one kind of object.
public struct EntityDescription: Sendable, Hashable {
    /// The entity's name: the name of its class.
    public let name: String
    /// The properties in order of declaration; a property's position is its slot in the graph.
    public let properties: [PropertyDescription]
    /// The names of properties of which no two objects may share all values.
    public let uniqueConstraints: [[String]]
    /// The names of properties that objects are found and sorted by together.
    public let indexes: [[String]]

    /// Describes an entity.
    public init(
        name: String, properties: [PropertyDescription], uniqueConstraints: [[String]] = [],
        indexes: [[String]] = []
    ) {
        self.name = name
        self.properties = properties
        self.uniqueConstraints = uniqueConstraints
        self.indexes = indexes
    }

    /// The attributes in order of declaration.
    public var attributes: [AttributeDescription] { properties.compactMap(\.attribute) }

    /// The relationships in order of declaration.
    public var relationships: [RelationshipDescription] { properties.compactMap(\.relationship) }

    /// The slot of the property with the given name.
    func slot(named name: String) -> Int? {
        properties.firstIndex { $0.name == name }
    }
}
