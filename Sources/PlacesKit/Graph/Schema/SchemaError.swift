public import Foundation

/// Why a set of model classes cannot be a schema.
public enum SchemaError: Error, Hashable, Sendable {
    /// Two classes would be stored under one name.
    case duplicateEntity(String)
    /// Two entities had one name in an earlier model.
    case duplicateOriginalName(entity: String, originalName: String)
    /// Two properties of one entity share a name.
    case duplicateProperty(entity: String, property: String)
    /// A relationship leads to a class that is not part of the model.
    case unknownDestination(entity: String, relationship: String, destination: String)
    /// A relationship names an inverse that the destination lacks.
    case unknownInverse(entity: String, relationship: String, inverse: String)
    /// A to-many relationship has no inverse, and the candidates for it are none or several.
    case missingInverse(entity: String, relationship: String, candidates: [String])
    /// A relationship names an inverse that leads to another entity or belongs to another pair.
    case mismatchedInverse(entity: String, relationship: String, inverse: String)
    /// A relationship is named as its own inverse.
    case selfInverse(entity: String, relationship: String)
    /// An entity inherits from one that is not part of the schema.
    case unknownSuperentity(entity: String, superentity: String)
    /// The superentities of an entity lead round in a circle.
    case inheritanceCycle(entity: String)
    /// An entity declares a property that it inherits already.
    case redeclaredProperty(entity: String, property: String, superentity: String)
    /// An abstract entity has no subentity, so there could be no object of it.
    case abstractWithoutSubentity(String)
    /// A class's property is declared so that its name cannot be learnt.
    case unnamedProperty(entity: String, slot: Int)
    /// A property is declared with what does not go together; the problem says what to do.
    case invalidProperty(entity: String, property: String, problem: String)
    /// An attribute is derived over what is not a to-many relationship of its entity.
    case derivedOverNothing(entity: String, attribute: String, relationship: String)
    /// An attribute is derived from a property that is not there, or of a type that does not serve.
    case underivable(entity: String, attribute: String, property: String)
    /// A derived attribute follows from itself.
    case derivedFromItself(entity: String, attribute: String)
    /// An index, or a unique combination, names what is no attribute or to-one relationship, names
    /// one twice, or none.
    case invalidConstraint(entity: String, property: String)
    /// There is no entity of a name.
    case unknownEntity(String)
    /// An entity declares no property of a name.
    case unknownProperty(entity: String, property: String)
    /// A model without classes.
    case empty
}

extension SchemaError: CustomStringConvertible, LocalizedError {
    /// What is wrong, where, and what to do.
    public var description: String {
        switch self {
        case .duplicateEntity(let name):
            "Two model classes are named \(name). Rename one of them, or list it once."
        case .duplicateOriginalName(let entity, let originalName):
            """
            \(entity) and another entity were both named \(originalName) in an earlier model. Give \
            one of them another originalName.
            """
        case .duplicateProperty(let entity, let property):
            "\(entity) declares two properties named \(property). Rename one of them."
        case .unknownDestination(let entity, let relationship, let destination):
            """
            \(entity).\(relationship) leads to \(destination), which is not in the model. \
            Add \(destination).self to the list of model classes.
            """
        case .unknownInverse(let entity, let relationship, let inverse):
            """
            \(entity).\(relationship) names the inverse \(inverse), which is not a relationship \
            of its destination. Name a property declared with @Relationship.
            """
        case .missingInverse(let entity, let relationship, let candidates):
            candidates.isEmpty
                ? """
                \(entity).\(relationship) needs an inverse. Declare the other side in the \
                destination and name one of the two: @Relationship(inverse: \\\(entity).\(relationship)).
                """
                : """
                \(entity).\(relationship) could be the inverse of \
                \(candidates.joined(separator: " or ")). Name it: @Relationship(inverse: …).
                """
        case .mismatchedInverse(let entity, let relationship, let inverse):
            """
            \(entity).\(relationship) and \(inverse) do not mirror each other. Each must lead to \
            the entity that declares the other, and neither may be the inverse of a third relationship.
            """
        case .selfInverse(let entity, let relationship):
            """
            \(entity).\(relationship) is its own inverse. Declare a second relationship for the \
            other direction.
            """
        case .unknownSuperentity(let entity, let superentity):
            """
            \(entity) inherits from \(superentity), which is not in the schema. Add it to the \
            entities.
            """
        case .inheritanceCycle(let entity):
            "The superentities of \(entity) lead round in a circle. Let one of them have none."
        case .redeclaredProperty(let entity, let property, let superentity):
            """
            \(entity) declares \(property), which it inherits from \(superentity) already. Rename \
            one of the two.
            """
        case .abstractWithoutSubentity(let entity):
            """
            \(entity) is abstract, and no class of the model inherits from it. Add its subclasses \
            to the list of model classes; if it only inherited isAbstract, let the abstract class say \
            `override class var isAbstract: Bool { self == Animal.self }`, with its own name.
            """
        case .unnamedProperty(let entity, let slot):
            """
            Property \(slot) of \(entity) has no name that can be read. Declare it as a plain \
            `@Attribute var` or `@Relationship var`.
            """
        case .invalidProperty(let entity, let property, let problem):
            "\(entity).\(property) \(problem)"
        case .derivedOverNothing(let entity, let attribute, let relationship):
            """
            \(entity).\(attribute) is derived over \(relationship), which is not a to-many \
            relationship of \(entity). Name one: @Derived(count: \\\(entity).…).
            """
        case .underivable(let entity, let attribute, let property):
            """
            \(entity).\(attribute) cannot be derived from \(property). Name a property of the \
            relationship's destination: a number to sum up, a Bool as the condition, an attribute or \
            a to-one relationship to count.
            """
        case .derivedFromItself(let entity, let attribute):
            """
            \(entity).\(attribute) follows from itself by way of what it is derived from. Break the \
            circle.
            """
        case .invalidConstraint(let entity, let property):
            """
            A constraint of \(entity) names “\(property)”. Name attributes and to-one relationships \
            of \(entity), each once.
            """
        case .unknownEntity(let name): "There is no entity \(name). Check its name."
        case .unknownProperty(let entity, let property):
            "\(entity) declares no property \(property). Check its name."
        case .empty:
            "The model has no classes. List at least one: [Photo.self]."
        }
    }

    /// The same text, for `localizedDescription`.
    public var errorDescription: String? { description }
}
