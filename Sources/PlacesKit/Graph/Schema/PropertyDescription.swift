/// The description of one attribute in a schema.
public struct AttributeDescription: Sendable, Hashable {
    /// The property's name in the class.
    public var name: String
    /// The declared type.
    public var type: AttributeType
    /// Whether the attribute may be `nil`.
    public var isOptional: Bool
    /// Whether no two objects of the entity may share a value; `nil` is never a duplicate.
    public var isUnique: Bool
    /// What a clash of unique values does; `nil` leaves it to the merge policy of the context.
    public var clashPolicy: ClashPolicy?
    /// The value of a new object; `nil` if the object needs a value before it is saved.
    public var defaultValue: Datum?
    /// The values that an enum allows; `nil` allows every value of the type.
    public var allowedValues: [Datum]?
    /// Whether an index finds and sorts objects by the value.
    public var isIndexed: Bool
    /// Whether an index finds the words of the text.
    public var isSearchable = false
    /// How PlacesKit computes the value; `nil` for an attribute that you write.
    public var derivation: DerivationDescription?
    /// The rules that each saved value must satisfy.
    public var rules: [ValidationRule] = []
    /// The order of the values, where the type has one of its own and a class told it.
    var order: OwnOrder?
    /// The orders by which rules of ranges compare whose bounds are of a type of one's own.
    var ruleOrders: [ValidationRule: OwnOrder] = [:]
    /// The name that the property had in earlier versions of the model, if it was different.
    public var originalName: String?
    /// Whether the values stay out of files.
    public var isTransient = false
    /// Whether the values, which are data, are in files of their own.
    public var usesExternalStorage = false
    /// Whether the history of a document keeps the values of deleted objects.
    public var preservesValueOnDeletion = false
    /// Notes of the class on the attribute, for whoever reads the schema.
    public var userInfo: [String: String] = [:]
    /// The JSON that an attribute reads as where nobody gave it a value, for `Codable` types.
    var blankJSON: String?
    /// The type of the elements of an array or a set, where it is one whose JSON is known, and a class told it.
    var elementType: AttributeType?

    /// Describes an attribute.
    ///
    /// An optional attribute without a default starts as `nil`, a derived one as what follows from no
    /// members.
    package init(
        name: String, type: AttributeType, isOptional: Bool = false, isUnique: Bool = false,
        defaultValue: Datum? = nil, allowedValues: [Datum]? = nil, isIndexed: Bool = false,
        derivation: DerivationDescription? = nil
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isUnique = isUnique
        self.defaultValue = defaultValue ?? (isOptional ? .null : nil)
        self.allowedValues = allowedValues
        self.isIndexed = isIndexed
        self.derivation = derivation
        if let derivation, defaultValue == nil, !isOptional {
            self.defaultValue = derivation.neutral ?? blank
        }
    }

    /// Whether an object needs a value before it is saved.
    package var isRequired: Bool { !isOptional && derivation == nil }
}

/// The description of one relationship in a schema.
public struct RelationshipDescription: Sendable, Hashable {
    /// The property's name in the class.
    public var name: String
    /// The name of the entity at the other end.
    public var destination: String
    /// The name of the destination's property that mirrors this one.
    ///
    /// It is `nil` only in a to-one relationship without an inverse, or before `Schema` inferred
    /// it.
    public var inverse: String?
    /// Whether the relationship holds any number of objects.
    public var isToMany: Bool
    /// Whether a to-many relationship has an order of its own.
    public var isOrdered = false
    /// What happens to the other end when the owner is deleted.
    public var deleteRule: DeleteRule
    /// How many objects the relationship must hold at least when its owner is saved.
    public var minimumCount = 0
    /// How many objects it may hold at most when its owner is saved; `nil` is any number.
    public var maximumCount: Int?
    /// How PlacesKit finds the object; `nil` for a relationship that you set.
    public var derivation: DerivationDescription?
    /// The name that the property had in earlier versions of the model, if it was different.
    public var originalName: String?

    /// Describes a relationship.
    package init(
        name: String, destination: String, inverse: String? = nil, isToMany: Bool = false,
        deleteRule: DeleteRule = .nullify
    ) {
        self.name = name
        self.destination = destination
        self.inverse = inverse
        self.isToMany = isToMany
        self.deleteRule = deleteRule
    }
}

/// An attribute or a relationship.
public enum PropertyDescription: Sendable, Hashable {
    /// A value of the object itself.
    case attribute(AttributeDescription)
    /// A link to other objects.
    case relationship(RelationshipDescription)

    /// The property's name in the class.
    public internal(set) var name: String {
        get {
            switch self {
            case .attribute(let attribute): attribute.name
            case .relationship(let relationship): relationship.name
            }
        }
        set { set(\.name, \.name, to: newValue) }
    }

    /// The name that the property had in earlier versions of the model, if it was different.
    public internal(set) var originalName: String? {
        get {
            switch self {
            case .attribute(let attribute): attribute.originalName
            case .relationship(let relationship): relationship.originalName
            }
        }
        set { set(\.originalName, \.originalName, to: newValue) }
    }

    /// The name by which the property is known through all versions of the model.
    var identity: String { originalName ?? name }

    /// The relationship, if the property is one.
    public var relationship: RelationshipDescription? {
        if case .relationship(let relationship) = self { relationship } else { nil }
    }

    /// How PlacesKit computes the property; `nil` for one that you write.
    public internal(set) var derivation: DerivationDescription? {
        get { attribute?.derivation ?? relationship?.derivation }
        set { set(\.derivation, \.derivation, to: newValue) }
    }

    /// The attribute, if the property is one.
    public var attribute: AttributeDescription? {
        if case .attribute(let attribute) = self { attribute } else { nil }
    }

    /// Gives it a value that both kinds of properties have.
    private mutating func set<Value>(
        _ ofAttribute: WritableKeyPath<AttributeDescription, Value>,
        _ ofRelationship: WritableKeyPath<RelationshipDescription, Value>, to value: Value
    ) {
        switch self {
        case .attribute(var attribute):
            attribute[keyPath: ofAttribute] = value
            self = .attribute(attribute)
        case .relationship(var relationship):
            relationship[keyPath: ofRelationship] = value
            self = .relationship(relationship)
        }
    }
}
