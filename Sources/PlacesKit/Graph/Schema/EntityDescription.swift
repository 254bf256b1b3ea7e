/// What the schema knows of one kind of object.
public struct EntityDescription: Sendable, Hashable {
    /// The entity's name: the name of its class.
    public var name: String
    /// The properties that the entity itself declares, in order of declaration.
    ///
    /// It has those of its superentities besides: `Schema.lineage(of:)` leads to them.
    public var properties: [PropertyDescription]
    /// The name of the entity whose properties this one has too.
    public var superentity: String?
    /// Whether there are objects of subentities only.
    public var isAbstract: Bool
    /// The names of properties of which no two objects may share all values.
    public var uniqueConstraints: [[String]]
    /// The names of properties that objects are found and sorted by together.
    public var indexes: [[String]]
    /// The name that the entity had in earlier versions of the model, if it was another.
    public var originalName: String?

    /// Describes an entity.
    package init(
        name: String, properties: [PropertyDescription], superentity: String? = nil,
        isAbstract: Bool = false, uniqueConstraints: [[String]] = [], indexes: [[String]] = []
    ) {
        self.name = name
        self.properties = properties
        self.superentity = superentity
        self.isAbstract = isAbstract
        self.uniqueConstraints = uniqueConstraints
        self.indexes = indexes
    }

    /// The attributes that the entity itself declares, in order of declaration.
    public var attributes: [AttributeDescription] { properties.compactMap(\.attribute) }

    /// The relationships that the entity itself declares, in order of declaration.
    public var relationships: [RelationshipDescription] { properties.compactMap(\.relationship) }

    /// The name by which the entity is known through all versions of the model.
    var identity: String { originalName ?? name }

    /// The position, among the properties that the entity declares, of the one with the given name.
    func position(named name: String) -> Int? {
        properties.firstIndex { $0.name == name }
    }
}
