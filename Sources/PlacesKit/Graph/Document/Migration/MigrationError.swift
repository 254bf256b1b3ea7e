import Foundation
public import PlacesBase

/// Why a document of another model could not be migrated; the document was not changed.
public struct MigrationError: DescribedError, Hashable {
    /// What is wrong, where, and what to do.
    public let description: String

    private init(_ description: String) { self.description = description }

    package static func valuesLost(
        entity: String, attribute: String, from: AttributeType, to: AttributeType, count: Int,
        example: Datum, object: ObjectID
    ) -> Self {
        Self(
            from == to
                ? """
                The type of \(entity).\(attribute) cannot read \(count.counted("value")) of the document, \
                such as \(example) of \(object). Let it read them, or change them in a MigrationStage.
                """
                : """
                \(entity).\(attribute) was \(from.rawValue) and is \(to.rawValue): \
                \(count.counted("value")) would be lost, such as \(example) of \(object). Change them in a \
                MigrationStage.
                """)
    }

    package static func valuesMissing(
        entity: String, attribute: String, count: Int, object: ObjectID
    ) -> Self {
        Self(
            """
            \(entity).\(attribute) must have a value, which \(count.counted("object")) would lack, such as \
            \(object). Give it a default, make it optional, or give them values in a MigrationStage.
            """)
    }

    package static func linksLost(
        entity: String, relationship: String, count: Int, object: ObjectID
    ) -> Self {
        Self(
            """
            \(entity).\(relationship) cannot lead to \(count) of the objects that it led to, such as those \
            of \(object). Take them out in a MigrationStage.
            """)
    }

    package static func notUnique(
        entity: String, properties: [String], count: Int, example: [Datum], object: ObjectID
    ) -> Self {
        Self(
            """
            \(entity).\(properties.joined(separator: ", ")) must be unique, and \
            \(count.counted("object")) would have what another has, such as \
            \(example.map(\.description).joined(separator: ", ")) of \(object). Change or delete them in a \
            MigrationStage.
            """)
    }

    package static func abstractEntity(count: Int, object: ObjectID) -> Self {
        Self(
            """
            Stages made \(count.counted("object")) of an abstract class, such as \(object). Let them make \
            objects of a subclass.
            """)
    }

    /// Where the first stands of the values of which other errors tell.
    package static func firstValue(in file: String, at error: JSONError) -> Self {
        Self("The first of these is in \(file) at \(error.description).")
    }

    package static func otherDocument(entities: [String]) -> Self {
        Self(
            """
            It has none of the model's classes, but \(entities.joined(separator: ", ")). Open it with \
            the classes that it was made with.
            """)
    }

    package static func invalidPlan(problem: String) -> Self {
        Self(problem)
    }

    package static func invalidStage(from: Int, to: Int, problem: String) -> Self {
        Self("The stage from version \(from) to \(to) failed: \(problem)")
    }
}
