/// What a save does where another context saved first and both changed the same.
///
/// A conflict is an attribute or a to-one relationship that both gave different values, or an object
/// that one changed and the other deleted. Members of to-many relationships never conflict: what
/// either side added is in, and what either took out is not. Each object is settled for itself: where
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
