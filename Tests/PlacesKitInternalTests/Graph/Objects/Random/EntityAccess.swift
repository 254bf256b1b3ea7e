import PlacesKit

@testable import PlacesGraph

/// How the random run reaches the properties of the model's classes.
struct EntityAccess {
    /// Gives an attribute a random value; returns it.
    typealias Write = (ManagedObject, inout SplitMix64) -> Datum

    struct ToMany {
        var members: (ManagedObject) -> [ManagedObject]
        var count: (ManagedObject) -> Int
        var contains: (ManagedObject, ManagedObject) -> Bool
        var insert: (ManagedObject, ManagedObject) -> Bool
        var remove: (ManagedObject, ManagedObject) -> Bool
        var removeAll: (ManagedObject) -> Void
        /// Inserts a member at a position, where the members are ordered.
        var insertAt: ((ManagedObject, ManagedObject, Int) -> Bool)?
        /// Moves the member of a position to another.
        var move: ((ManagedObject, Int, Int) -> Void)?
    }

    var insert: (ManagedObjectContext) -> ManagedObject
    var all: (ManagedObjectContext) throws -> [ManagedObject]
    var count: (ManagedObjectContext) throws -> Int
    var read: [String: (ManagedObject) -> Datum] = [:]
    var write: [String: Write] = [:]
    var follow: [String: (ManagedObject) -> ManagedObject?] = [:]
    var lead: [String: (ManagedObject, ManagedObject?) -> Void] = [:]
    var toMany: [String: ToMany] = [:]

    /// What derived attributes should be.
    var derived: [String: (NaiveGraph, ObjectID) -> Datum] = [:]

    init<Object: ManagedObject>(_ insert: @escaping (ManagedObjectContext) -> Object) {
        self.insert = insert
        all = { try $0.fetch(Object.self).map { $0 } }
        count = { try $0.count(Object.self) }
    }

    func attribute<Object: ManagedObject, Value: AttributeValue>(
        _ name: String, _ keyPath: ReferenceWritableKeyPath<Object, Value>,
        _ random: @escaping (inout SplitMix64) -> Value
    ) -> EntityAccess {
        var access = self
        access.read[name] = { unsafeDowncast($0, to: Object.self)[keyPath: keyPath].datum.toTheBit }
        access.write[name] = { object, generator in
            let value = random(&generator)
            unsafeDowncast(object, to: Object.self)[keyPath: keyPath] = value
            return value.datum.toTheBit
        }
        return access
    }

    func derived<Object: ManagedObject, Value: AttributeValue>(
        _ name: String, _ keyPath: KeyPath<Object, Value>,
        _ expected: @escaping (NaiveGraph, ObjectID) -> Datum
    ) -> EntityAccess {
        var access = self
        access.read[name] = { unsafeDowncast($0, to: Object.self)[keyPath: keyPath].datum.toTheBit }
        access.derived[name] = expected
        return access
    }

    func toOne<Object: ManagedObject, Other: ManagedObject>(
        _ name: String, _ keyPath: ReferenceWritableKeyPath<Object, Other?>
    ) -> EntityAccess {
        var access = self
        access.follow[name] = { unsafeDowncast($0, to: Object.self)[keyPath: keyPath] }
        access.lead[name] = { object, target in
            unsafeDowncast(object, to: Object.self)[keyPath: keyPath] = target as? Other
        }
        return access
    }

    func toMany<Object: ManagedObject, Other: ManagedObject>(
        _ name: String, _ keyPath: ReferenceWritableKeyPath<Object, ObjectSet<Other>>
    ) -> EntityAccess {
        var access = self
        func set(_ object: ManagedObject) -> ObjectSet<Other> {
            unsafeDowncast(object, to: Object.self)[keyPath: keyPath]
        }
        access.toMany[name] = ToMany(
            members: { Array(set($0)) }, count: { set($0).count },
            contains: { set($0).contains(unsafeDowncast($1, to: Other.self)) },
            insert: { set($0).insert(unsafeDowncast($1, to: Other.self)) },
            remove: { set($0).remove(unsafeDowncast($1, to: Other.self)) },
            removeAll: { set($0).removeAll() })
        return access
    }

    func ordered<Object: ManagedObject, Other: ManagedObject>(
        _ name: String, _ keyPath: ReferenceWritableKeyPath<Object, OrderedObjectSet<Other>>
    ) -> EntityAccess {
        var access = self
        func set(_ object: ManagedObject) -> OrderedObjectSet<Other> {
            unsafeDowncast(object, to: Object.self)[keyPath: keyPath]
        }
        access.toMany[name] = ToMany(
            members: { Array(set($0)) }, count: { set($0).count },
            contains: { set($0).contains(unsafeDowncast($1, to: Other.self)) },
            insert: { set($0).append(unsafeDowncast($1, to: Other.self)) },
            remove: { set($0).remove(unsafeDowncast($1, to: Other.self)) },
            removeAll: { set($0).removeAll() },
            insertAt: { set($0).insert(unsafeDowncast($1, to: Other.self), at: $2) },
            move: { set($0).move(from: $1, to: $2) })
        return access
    }
}
