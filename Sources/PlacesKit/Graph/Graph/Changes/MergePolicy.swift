/// How a save settles a conflict with another context that saved first.
///
/// A conflict is an object that this context changed and that another commit has written since
/// then: a stored attribute, a to-one relationship, or its delete. It is enough that the other
/// commit wrote; the values do not matter. `error`, `overwrite` and `rollback` compare objects, the
/// others compare properties. Members of to-many relationships never conflict: members that either
/// side added are in, and members that either side removed are out. But a new link to an object
/// conflicts with its delete. Each object is settled on its own: if a policy keeps an object that
/// this context deleted, the objects that its delete cascaded to stay deleted.
public enum MergePolicy: Hashable, Sendable, CaseIterable {
    /// The save throws `ContextError.conflict` with every conflict, and nothing is saved.
    case error
    /// A property keeps the value that was saved first.
    ///
    /// An object that the store deleted stays deleted; an object that the store changed is not
    /// deleted, and no delete of another object takes it along.
    case mergeByPropertyStoreTrump
    /// A property gets the value of this context.
    ///
    /// An object that the store deleted comes back if this context changed it; an object that this
    /// context deleted is deleted.
    case mergeByPropertyObjectTrump
    /// This context's version of the whole object is saved.
    ///
    /// It is like `mergeByPropertyObjectTrump`, but for all attributes and to-one relationships of
    /// an object with a conflict.
    case overwrite
    /// The store's version of the whole object stays.
    ///
    /// An object with a conflict loses all its changes of attributes and to-one relationships.
    case rollback
}
