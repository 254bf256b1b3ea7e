public import Foundation

/// Why a document of another model could not be migrated; it is as it was.
public enum MigrationError: Error, Hashable, Sendable {
    /// Values of an attribute are none of its new type; or of its type where that has the same form, as a
    /// `Codable` type that cannot be decoded from them. One of them is shown, with its object.
    case valuesLost(
        entity: String, attribute: String, from: AttributeType, to: AttributeType, count: Int,
        example: Datum, object: ObjectID)
    /// An attribute must have a value and has no default, and objects have none. One is named.
    case valuesMissing(entity: String, attribute: String, count: Int, object: ObjectID)
    /// A relationship may lead to one object only, or to objects of another entity, and leads to others.
    /// An object is named that it leads from.
    case linksLost(entity: String, relationship: String, count: Int, object: ObjectID)
    /// What must be unique is not. An object is named, and its values.
    case notUnique(
        entity: String, properties: [String], count: Int, example: [Datum], object: ObjectID)
    /// The document has no entity that the model has.
    case otherDocument(entities: [String])
    /// The stages of a plan do not follow each other; the problem says what to do.
    case invalidPlan(problem: String)
    /// A stage asked for what is not there; the problem says what to do.
    case invalidStage(from: Int, to: Int, problem: String)
    /// A stage threw an error.
    case stageFailed(from: Int, to: Int, ThrownError)
}

extension MigrationError: CustomStringConvertible, LocalizedError {
    /// What is wrong, where, and what to do.
    public var description: String {
        switch self {
        case .valuesLost(
            let entity, let attribute, let from, let to, let count, let example, let object)
        where from == to:
            """
            \(entity).\(attribute) has a type that \(count) values in the document are none of, as \
            \(example) of \(object). Let the type read them, or change them in a MigrationStage.
            """
        case .valuesLost(
            let entity, let attribute, let from, let to, let count, let example, let object):
            """
            \(entity).\(attribute) was \(from.rawValue) and is \(to.rawValue): \(count) values have none \
            that is worth the same, as \(example) of \(object). Change them in a MigrationStage.
            """
        case .valuesMissing(let entity, let attribute, let count, let object):
            """
            \(entity).\(attribute) must have a value, and \(count) objects have none, as \(object). Give \
            it a default, make it optional, or give them values in a MigrationStage.
            """
        case .linksLost(let entity, let relationship, let count, let object):
            """
            \(entity).\(relationship) cannot lead to \(count) of the objects that it led to, as from \
            \(object). Take them out in a MigrationStage.
            """
        case .notUnique(let entity, let properties, let count, let example, let object):
            """
            \(entity).\(properties.joined(separator: ", ")) must be unique, and \(count) objects have what \
            another has, as \(example.map(\.description).joined(separator: ", ")) of \(object). Change or \
            delete them in a MigrationStage.
            """
        case .otherDocument(let entities):
            """
            It has none of the model's classes, but \(entities.joined(separator: ", ")). Open it with \
            the classes that it was made with.
            """
        case .invalidPlan(let problem): problem
        case .invalidStage(let from, let to, let problem):
            "The stage from version \(from) to \(to) failed: \(problem)"
        case .stageFailed(let from, let to, let thrown):
            "The stage from version \(from) to \(to) failed: \(thrown.error)"
        }
    }

    /// The same text, for `localizedDescription`.
    public var errorDescription: String? { description }
}
