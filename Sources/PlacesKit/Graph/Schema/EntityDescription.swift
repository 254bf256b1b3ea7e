/// The description of one kind of object in a schema.
public struct EntityDescription: Sendable, Hashable {
    /// The entity's name: the name of its class.
    public var name: String
    /// The properties that the entity itself declares, in order of declaration.
    ///
    /// It also has the properties of its superentities: see `Schema.lineage(of:)`.
    public var properties: [PropertyDescription]
    /// The name of the entity whose properties this one inherits.
    public var superentity: String?
    /// Whether only subentities have objects.
    public var isAbstract: Bool
    /// The combinations of properties whose values no two objects may share.
    public var uniqueConstraints: [[String]]
    /// What a clash of such values does, for those combinations that say it.
    public var clashPolicies: [[String]: ClashPolicy] = [:]
    /// The combinations of properties by which an index finds and sorts objects.
    public var indexes: [[String]]
    /// Those of these indexes that have only objects for which the first property is true.
    public var partialIndexes: Set<[String]> = []
    /// The attributes by which an index finds objects on the map, each time a latitude and a longitude.
    public var spatialIndexes: [[String]] = []
    /// The name that the entity had in earlier versions of the model, if it was different.
    public var originalName: String?
    /// Notes of the class on itself, for whoever reads the schema.
    public var userInfo: [String: String] = [:]

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
