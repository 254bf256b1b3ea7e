import PlacesKit

/// The classes of a random run, and the way to all their properties.
struct RandomGraphWorld {
    var types: [ManagedObject.Type]
    var access: [String: EntityAccess]
    /// The classes of which objects are made, the most interesting ones more often.
    var inserted: [String]
    /// The attributes that must have a value; new objects mostly get one.
    var required: [String]
    /// What the hooks of the classes do.
    var hooks: RandomHooks?
}

/// The calls of hooks, and what they should change.
///
/// Which objects are asked is heard of the hooks themselves, and then compared with what was changed.
struct RandomHooks {
    /// What is heard of hooks, in the order of their calls.
    final class Log {
        var willSave: [ObjectID] = []
        var didSave: [ObjectID] = []
        var prepareForDeletion: [ObjectID] = []
        /// What objects were like when they were last asked whether they may be saved.
        var validated: [ObjectID: [String: Datum]] = [:]
        /// What was changed of those that were asked by `willSave`, as they tell it.
        var changed: [ObjectID: [String]] = [:]

        func noteWillSave(_ object: ManagedObject) {
            willSave.append(object.objectID)
            changed[object.objectID] = object.changedValues().keys.sorted()
        }
    }

    let log = Log()
    /// The classes of which `willSave`, `validate` and `prepareForDeletion` are heard.
    var entities: Set<String>
    var awakeFromInsert: (inout NaiveGraph, ObjectID) -> Void
    var willSave: (inout NaiveGraph, ObjectID) -> Void
    var didSave: (inout NaiveGraph, ObjectID) -> Void
    var prepareForDeletion: (inout NaiveGraph, ObjectID) -> Void
}
