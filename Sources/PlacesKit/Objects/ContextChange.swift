/// Something that happened to the objects of a context.
public struct ContextChange: Sendable {
    /// Why objects changed.
    public enum Kind: Sendable {
        /// They were changed in the context, or its changes were dropped.
        case didChange
        /// The context shows what others saved.
        case didMerge
        /// The context's changes were saved. Its objects do not change by that.
        case didSave
    }

    /// Why objects changed.
    public let kind: Kind
    /// Which objects changed.
    public let objects: ObjectChanges
}

/// Ends calls of a closure when it is cancelled, or nobody keeps it any more.
public final class ChangeSubscription {
    private weak var context: ManagedObjectContext?
    private let token: Int

    init(_ context: ManagedObjectContext, token: Int) {
        self.context = context
        self.token = token
    }

    deinit { cancel() }

    /// Ends the calls.
    public func cancel() { context?.removeListener(token) }
}

@available(*, unavailable)
extension ChangeSubscription: Sendable {}
