import Synchronization

/// Something that happened to the objects of a context.
public struct ContextChange: Sendable {
    /// Why objects changed.
    public enum Kind: Sendable {
        /// The context changed them, or dropped its changes to them.
        case didChange
        /// The context merged what others saved.
        case didMerge
        /// The context saved its changes. This does not change its objects.
        case didSave
    }

    /// Why objects changed.
    public let kind: Kind
    /// Which objects changed.
    public let objects: ObjectChanges
    /// Whether this joins several changes for which the consumer was too slow.
    ///
    /// A join of ``Kind/didChange`` and ``Kind/didMerge`` is ``Kind/didChange``. A join of several
    /// saves lists what was saved from the first to the last, by any context.
    public var isJoined = false
    /// The graph without the changes that a rollback dropped, and still without what others saved, which it shows, too;
    /// `nil` where that is nothing, or this is no rollback.
    var dropping: Graph?

    /// Makes of some changes the fewest that tell what they do: one of what the objects became, and one of what was saved;
    /// returns those that they were made of.
    static func join(_ changes: inout [ContextChange]) -> [ContextChange] {
        let former = changes
        let saves = changes.filter { $0.kind == .didSave }
        let others = changes.filter { $0.kind != .didSave }
        let kind = others.allSatisfy { $0.kind == .didMerge } ? Kind.didMerge : .didChange
        changes = [(others, kind), (saves, .didSave)].compactMap { changes, kind in
            guard let first = changes.first, let last = changes.last else { return nil }
            return ContextChange(
                kind: kind, objects: ObjectChanges(from: first.objects, to: last.objects),
                isJoined: true)
        }
        return former
    }
}

/// Calls a closure with changes until you cancel or release the subscription.
public final class ChangeSubscription {
    /// Whether it was released, on whichever thread: the listener goes on the context's.
    private final class End: Sendable {
        let hasCome = Atomic(false)
    }

    private weak var listeners: ContextListeners?
    private let token: Int
    private let end = End()

    init(_ context: ManagedObjectContext, _ body: @escaping (ContextChange) -> Void) {
        listeners = context.listeners
        token = context.addChangeListener { [end] change in
            if !end.hasCome.load(ordering: .relaxed) { body(change) }
        }
    }

    deinit {
        end.hasCome.store(true, ordering: .relaxed)
        guard let listeners else { return }
        listeners.finish { [token] in listeners.remove(token) }
    }

    /// Stops the calls.
    public func cancel() { listeners?.remove(token) }
}

@available(*, unavailable)
extension ChangeSubscription: Sendable {}
