/// What a save does where another context saved first and both wrote the same.
///
/// A conflict is an object that another commit wrote since the state on which this context's change of it
/// is based: a stored attribute, a to-one relationship, or its delete. It is told by the commit having
/// written, not by values. `error`, `overwrite` and `rollback` look at the object, the others at the property.
/// Members of to-many relationships never conflict: what either side added is in, and what either took out is
/// not; but a new link to an object conflicts with its delete. Each object is settled for itself: where
/// a policy keeps an object that this context deleted, what the delete cascaded to stays deleted.
public enum MergePolicy: Hashable, Sendable, CaseIterable {
    /// The save throws `ContextError.conflict` with every conflict, and nothing is saved.
    case error
    /// A property keeps the value that was saved first; an object that the store deleted stays
    /// deleted, one that it changed is not deleted.
    case mergeByPropertyStoreTrump
    /// A property gets the value of this context; an object that the store deleted comes back where
    /// this context changed it, and one that this context deleted goes.
    case mergeByPropertyObjectTrump
    /// Like `mergeByPropertyObjectTrump`, but all attributes and to-one relationships of an object
    /// with a conflict are written as they are in this context.
    case overwrite
    /// An object with a conflict drops all its changes of attributes and to-one relationships, and is
    /// as the store has it.
    case rollback
}
