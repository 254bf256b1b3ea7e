import Foundation
public import PlacesBase

/// Why a set of model classes cannot be a schema.
public struct SchemaError: DescribedError, Hashable {
    /// What is wrong, where, and what to do.
    public let description: String

    private init(_ description: String) { self.description = description }

    package static func duplicateEntity(_ name: String) -> Self {
        Self("Two model classes are named \(name). Rename one of them, or list it once.")
    }

    package static func duplicateOriginalName(entity: String, originalName: String) -> Self {
        Self(
            """
            \(entity) and another entity were both named \(originalName) in an earlier model. Give \
            one of them another originalName.
            """)
    }

    package static func duplicateProperty(entity: String, property: String) -> Self {
        Self("\(entity) declares two properties named \(property). Rename one of them.")
    }

    package static func unknownDestination(
        entity: String, relationship: String, destination: String
    ) -> Self {
        Self(
            """
            \(entity).\(relationship) leads to \(destination), which is not in the model. \
            Add \(destination).self to the list of model classes.
            """)
    }

    package static func unknownInverse(entity: String, relationship: String, inverse: String)
        -> Self
    {
        Self(
            """
            \(entity).\(relationship) names the inverse \(inverse), which is not a relationship \
            of its destination. Name a property declared with @Relationship.
            """)
    }

    package static func missingInverse(entity: String, relationship: String, candidates: [String])
        -> Self
    {
        Self(
            candidates.isEmpty
                ? """
                \(entity).\(relationship) needs an inverse. Declare a second relationship, in the \
                destination, for the other direction: @Relationship(inverse: \\\(entity).\(relationship)).
                """
                : """
                \(entity).\(relationship) could be the inverse of \
                \(candidates.joined(separator: " or ")). Name it: @Relationship(inverse: …).
                """)
    }

    package static func mismatchedInverse(entity: String, relationship: String, inverse: String)
        -> Self
    {
        Self(
            """
            \(entity).\(relationship) and \(inverse) do not mirror each other. Each must lead to \
            the entity that declares the other, and neither may be the inverse of a third relationship.
            """)
    }

    package static func selfInverse(entity: String, relationship: String) -> Self {
        Self(
            """
            \(entity).\(relationship) is its own inverse. Declare a second relationship for the \
            other direction.
            """)
    }

    package static func unknownSuperentity(entity: String, superentity: String) -> Self {
        Self(
            """
            \(entity) inherits from \(superentity), which is not in the schema. Add it to the \
            entities.
            """)
    }

    package static func inheritanceCycle(entity: String) -> Self {
        Self("The superentities of \(entity) lead round in a circle. Let one of them have none.")
    }

    package static func redeclaredProperty(entity: String, property: String, superentity: String)
        -> Self
    {
        Self(
            """
            \(entity) declares \(property), which it inherits from \(superentity) already. Rename \
            one of the two.
            """)
    }

    package static func abstractWithoutSubentity(_ entity: String) -> Self {
        Self(
            """
            \(entity) is abstract, and no class of the model inherits from it. Add its subclasses \
            to the list of model classes; if it only inherited isAbstract, let the abstract class say \
            `override class var isAbstract: Bool { self == Animal.self }`, with its own name.
            """)
    }

    package static func unnamedProperty(entity: String, slot: Int) -> Self {
        Self(
            """
            Property \(slot) of \(entity) has no name that can be read. Declare it as a plain \
            `@Attribute var` or `@Relationship var`.
            """)
    }

    package static func hiddenProperties(_ entity: String) -> Self {
        Self(
            """
            \(entity) conforms to CustomReflectable, and its own mirror hides the names of its properties. Leave the \
            conformance out; what an object prints may be its own description.
            """)
    }

    package static func invalidProperty(entity: String, property: String, problem: String) -> Self {
        Self("\(entity).\(property) \(problem)")
    }

    package static func derivedOverNothing(entity: String, attribute: String, relationship: String)
        -> Self
    {
        Self(
            """
            \(entity).\(attribute) is derived over \(relationship), which is not a to-many \
            relationship of \(entity). Name one: @Derived(count: \\\(entity).…).
            """)
    }

    package static func derivedAlongNothing(entity: String, attribute: String, path: String) -> Self
    {
        Self(
            """
            \(entity).\(attribute) is derived along “\(path)”, which is not a chain of to-one \
            relationships that begins at \(entity). Name one, and an attribute at its end: \
            @Derived(\\\(entity).…?.…).
            """)
    }

    package static func underivable(entity: String, attribute: String, property: String) -> Self {
        Self(
            """
            \(entity).\(attribute) cannot be derived from \(property). Name a property of the \
            relationship's destination: a number to sum up, a Bool as the condition, an attribute or \
            a to-one relationship to count.
            """)
    }

    package static func unmakeable(entity: String, attribute: String, source: String) -> Self {
        Self(
            """
            \(entity).\(attribute) cannot be made of \(source). Name attributes of \(entity) itself \
            whose values are not in files of their own, by key paths that end at them. One of a Codable \
            type must be one that you can write.
            """)
    }

    package static func derivedFromItself(entity: String, attribute: String) -> Self {
        Self(
            """
            \(entity).\(attribute) follows from itself by way of what it is derived from. Break the \
            circle.
            """)
    }

    package static func invalidConstraint(entity: String, property: String) -> Self {
        Self(
            """
            A constraint of \(entity) names “\(property)”. Name attributes and to-one relationships \
            of \(entity), each once.
            """)
    }

    package static func unknownEntity(_ name: String) -> Self {
        Self("There is no entity \(name). Check its name.")
    }

    package static func unknownProperty(entity: String, property: String) -> Self {
        Self("\(entity) declares no property \(property). Check its name.")
    }

    package static let empty = Self("The model has no classes. List at least one: [Photo.self].")
}
