import Foundation
public import PlacesBase

/// Why a context could not save or find what it was asked for.
public enum ContextError: DescribedError, Hashable {
    /// Objects break rules of the model; every broken rule is listed.
    case invalid([ValidationFailure])
    /// Another context, which may be the parent, changed the same objects first.
    case conflict([SaveConflict])
    /// A transaction met a conflict in every attempt; the conflicts are those of the last one.
    case transactionExhausted(attempts: Int, [SaveConflict])
    /// A property of a deleted object was written.
    case deletedObjectChanged(ObjectID, property: String)
    /// An object was linked to a deleted object.
    case deletedObjectRelated(ObjectID, property: String, ObjectID)
    /// An object was linked to an object of another context.
    case objectFromAnotherContext(ObjectID, property: String, ObjectID)
    /// No object has the identifier.
    case noSuchObject(ObjectID)
    /// The object with the identifier is not of the class that it was asked for as.
    case otherClass(ObjectID, expected: String)
    /// A key path must lead to a unique attribute, but does not.
    case notUnique(entity: String, keyPath: String)
    /// A key path must lead to a managed property, but does not.
    case notAProperty(entity: String, keyPath: String)
    /// A key path in which a fetch searches for words does not lead to text.
    case notText(entity: String, keyPath: String)
    /// A page token is one of another order or class than the request; both are told in words.
    case otherPageOrder(token: String, request: String)
    /// A request for a page has a sort descriptor that compares what is not a property.
    case computedPageOrder(entity: String)
    /// A class is not part of the model of the context's store.
    case unknownClass(String)
    /// A predicate in a format string is malformed, or does not fit its class.
    case malformedPredicate(PredicateFormatError)
    /// A regular expression of a predicate takes too many steps to match.
    case patternTooCostly(String)
    /// `willSave`, `validate` or `didSave` tried to save, or `validate` to roll back, to undo or to refresh.
    case saveInsideHook
    /// The closure of a derived attribute tried to change the context, to save it, or to take changes back.
    case changeInsideDerivation
    /// A hook, named here, kept causing further calls of itself.
    case endlessHook(String, ObjectID)
    /// The context shows a snapshot, or its document was opened for reading or is closed, so it cannot be saved.
    case readOnly
}

/// A rule of the model that an object breaks.
public struct ValidationFailure: Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The attribute has no value, and is not optional.
        case missingValue
        /// The value could not be encoded as JSON.
        case notEncodable
        /// The type of the attribute has no such value when it is read, so that no document could be opened with it.
        case notReadable(value: Datum)
        /// The value does not satisfy a rule of the attribute.
        case brokenRule(ValidationRule, value: Datum)
        /// The relationship has fewer objects than it must have.
        case tooFew(count: Int, minimum: Int)
        /// The relationship has more objects than it may have.
        case tooMany(count: Int, maximum: Int)
        /// The object's own `validate()` threw an error; the property is empty.
        case refused(ThrownError)
        /// Another object has the same value.
        case duplicateValue(Datum, other: ObjectID)
        /// The class of the object is abstract.
        case abstractEntity
        /// Another object has the same values of all properties of a unique combination.
        case duplicateValues([Datum], other: ObjectID)
        /// The object was deleted although a relationship with the rule `deny` still holds objects.
        case deleteDenied
    }

    /// The object.
    public var object: ObjectID
    /// The name of the attribute or relationship; empty if the object as a whole is refused.
    public var property: String
    /// What is wrong with it.
    public var reason: Reason

    package init(object: ObjectID, property: String, reason: Reason) {
        (self.object, self.property, self.reason) = (object, property, reason)
    }
}

/// An error that your own code threw, for example in `validate()`.
public struct ThrownError: Error, Hashable {
    /// The error.
    public let error: any Error

    /// Carries an error.
    package init(_ error: any Error) { self.error = error }

    /// Whether both errors have the same type and the same description.
    public static func == (left: ThrownError, right: ThrownError) -> Bool {
        type(of: left.error) == type(of: right.error) && "\(left.error)" == "\(right.error)"
    }

    /// Hashes the description of the error.
    public func hash(into hasher: inout Hasher) { hasher.combine("\(error)") }
}

/// An object that two contexts wrote, or that one wrote and the other relied on.
public struct SaveConflict: Hashable, Sendable {
    /// What the two contexts did.
    public enum Reason: Hashable, Sendable {
        /// Both wrote the property.
        case sameProperty
        /// Both wrote the object; the other context wrote these properties.
        case otherProperties([String])
        /// One context deleted the object; the other changed it, or related an object to it.
        case deleted
        /// The other context wrote these properties of an object for which conflicts are detected.
        case read([String])
        /// The other context deleted an object for which conflicts are detected.
        case readAndDeleted
        /// Both moved this member of an ordered relationship; the values are its positions.
        case moved(ObjectID)
    }

    /// The object.
    public var object: ObjectID
    /// The name of the property, if both contexts wrote the same one.
    public var property: String?
    /// What the two contexts did.
    public var reason: Reason
    /// The value that both contexts started from.
    public var base: Datum
    /// The value that the other context saved; in a conflict with the parent the one that it shows.
    public var saved: Datum
    /// The value that this context wanted to save.
    public var attempted: Datum

    package init(
        object: ObjectID, property: String?, reason: Reason, base: Datum, saved: Datum,
        attempted: Datum
    ) {
        (self.object, self.property, self.reason) = (object, property, reason)
        (self.base, self.saved, self.attempted) = (base, saved, attempted)
    }
}

extension ValidationFailure: CustomStringConvertible {
    /// What is wrong, where, and what to do.
    public var description: String {
        switch reason {
        case .missingValue:
            "\(object).\(property) has no value: give it one, a default, or make it optional."
        case .notEncodable:
            """
            \(object).\(property) holds a value that cannot be kept as JSON: its encode(to:) threw, \
            gave null or a Decimal that is not a number, or nested values deeper than \
            \(CodableText.nestingLimit) levels. Give it another value.
            """
        case .notReadable(let value):
            """
            \(object).\(property) is \(value.briefDescription), from which its type makes no value: \
            init(stored:) or init(from:) refuses it, allCases lacks it, or no raw value is stored so. \
            Give it another value, or let the type read what it writes.
            """
        case .brokenRule(let rule, let value):
            "\(object).\(property) is \(value.briefDescription), and must \(rule): change it."
        case .tooFew(let count, let minimum):
            """
            \(object).\(property) leads to \(count.counted("object")), and must lead to at least \
            \(minimum): add some.
            """
        case .tooMany(let count, let maximum):
            """
            \(object).\(property) leads to \(count.counted("object")), and must lead to at most \
            \(maximum): take some out.
            """
        case .refused(let thrown): "\(object) is not valid: \(thrown.error)"
        case .duplicateValue(let value, let other):
            """
            \(object).\(property) is \(value), as is that of \(other), and the attribute is unique: \
            change one of them, or use findOrInsert.
            """
        case .duplicateValues(let values, let other):
            """
            \(object) has \(values.map(\.description).joined(separator: ", ")) as its \(property), \
            as has \(other), and the combination is unique: change one of them.
            """
        case .abstractEntity:
            """
            \(object) is of an abstract class: delete it, and make an object of a subclass. If the \
            class only inherited isAbstract, let the abstract one say which it means: \
            `override class var isAbstract: Bool { self == Animal.self }`, with its own name.
            """
        case .deleteDenied:
            """
            \(object) cannot be deleted while \(property) is not empty: delete or move those \
            objects first.
            """
        }
    }
}

extension Datum {
    /// The value, with only the beginning of a long text.
    fileprivate var briefDescription: String {
        let text = exactDescription
        return text.count <= 100 ? text : "\(text.prefix(100))…"
    }
}

extension SaveConflict: CustomStringConvertible {
    /// What the two contexts did.
    public var description: String {
        let subject = property.map { "\(object).\($0)" } ?? "\(object)"
        return switch reason {
        case .sameProperty:
            "\(subject) was \(base), is \(saved) there, and \(attempted) here"
        case .otherProperties(let names):
            "\(subject) was changed here, and has another \(names.joined(separator: ", ")) there"
        case .deleted: "\(subject) was deleted in one context and changed in the other"
        case .read(let names):
            "\(subject) is relied on here, and has another \(names.joined(separator: ", ")) there"
        case .readAndDeleted: "\(subject) is relied on here, and was deleted there"
        case .moved(let member):
            "\(member) was at \(base) of \(subject), is at \(saved) there, and at \(attempted) here"
        }
    }
}

extension ContextError {
    /// What is wrong, where, and what to do.
    public var description: String {
        switch self {
        case .invalid(let failures):
            failures.map(\.description).joined(separator: "\n")
        case .conflict(let conflicts):
            """
            Another context was first: \(conflicts.map(\.description).joined(separator: "; ")). \
            Roll back and make the change again, or choose another merge policy.
            """
        case .transactionExhausted(let attempts, let conflicts):
            """
            The transaction ran \(attempts.counted("time")), and another context always saved first: \
            \(conflicts.map(\.description).joined(separator: "; ")). Allow more attempts, or let it \
            write fewer objects at a time.
            """
        case .deletedObjectChanged(let object, let property):
            """
            \(object).\(property) was changed after the object was deleted. Check isDeleted before \
            the change, or roll back.
            """
        case .deletedObjectRelated(let object, let property, let other):
            """
            \(object).\(property) cannot lead to \(other), which is deleted. Check isDeleted before \
            the change, or roll back.
            """
        case .objectFromAnotherContext(let object, let property, let other):
            """
            \(object).\(property) cannot lead to \(other) of another context. Find that object in \
            this context: existingObject(with:).
            """
        case .noSuchObject(let object):
            """
            There is no object \(object) here. It was deleted, belongs to another store, or to another \
            context: existingObject(with:) finds here what that has saved.
            """
        case .otherClass(let object, let expected):
            """
            \(object) is no \(expected), and was asked for as one. Ask for it as \(object.entity), or by \
            its identifier alone: existingObject(with:).
            """
        case .notUnique(let entity, let keyPath):
            """
            \(keyPath) is not a unique attribute of \(entity). Declare it with \
            @Attribute(.unique), or fetch with a predicate.
            """
        case .notAProperty(let entity, let keyPath):
            """
            \(keyPath) is not a property of \(entity) that is declared with @Attribute or \
            @Relationship, or a chain of them.
            """
        case .notText(let entity, let keyPath):
            """
            \(keyPath) is not an attribute of text that \(entity) declares with @Attribute, or that a \
            chain of its to-one relationships leads to. Search in one of those.
            """
        case .otherPageOrder(let token, let request):
            """
            The page token goes on with "\(token)", and the request asks for "\(request)". Use the \
            token with the order that it came from, or ask for the first page without one.
            """
        case .computedPageOrder(let entity):
            """
            A sort descriptor of the request for a page of \(entity) compares what is not declared \
            with @Attribute or @Relationship, so no token can say where a page ended. Sort by \
            attributes, or use pages(of:for:).
            """
        case .unknownClass(let name):
            "\(name) is not in the model. Add \(name).self to the list of model classes."
        case .malformedPredicate(let error): error.description
        case .patternTooCostly(let pattern):
            """
            The regular expression "\(pattern)" takes too many steps to match: it can divide the same \
            text in too many ways. Write it so that one repetition does not lie in another, and what \
            follows a repetition does not begin as that goes on.
            """
        case .saveInsideHook:
            """
            save() was called by willSave, validate or didSave, while the context or its parent is being \
            saved, or rollback(), undo(), redo() or refreshAllObjects() by validate or by an object that \
            awakes while it is checked. What willSave and didSave change is saved without it, at once or by \
            the next save; validate only looks.
            """
        case .changeInsideDerivation:
            """
            The closure of a derived attribute, declared with @Derived(from:by:), tried to change or save the \
            context of its object, or to save or refresh one forked from it. Let it return a value and do \
            nothing else; willSave may change what follows from a change.
            """
        case .endlessHook(let hook, let object):
            """
            \(object).\(hook)() led again and again to further calls of \(hook). Let it change or \
            insert objects only where that is needed.
            """
        case .readOnly:
            """
            This context cannot be saved: it shows a snapshot, or its document is read-only or closed. Make \
            the change in a context of the store, and open the document for writing.
            """
        }
    }
}
