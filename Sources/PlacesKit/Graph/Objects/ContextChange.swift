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
    /// Whether it stands for several, of which a consumer who was too slow hears as of one.
    ///
    /// One that stands for changes of both other kinds is ``Kind/didChange``. One that stands for several
    /// saves tells what was saved from the first to the last, by whomever.
    public var isJoined = false
}

extension ContextChange {
    /// The fewest changes that tell what some do: one of what the objects became, and one of what was saved.
    static func join(_ changes: inout [ContextChange]) {
        let saves = changes.filter { $0.kind == .didSave }
        let others = changes.filter { $0.kind != .didSave }
        let kind = others.allSatisfy { $0.kind == .didMerge } ? Kind.didMerge : .didChange
        changes = [(others, kind), (saves, .didSave)].compactMap { changes, kind in
            guard let first = changes.first, let last = changes.last else { return nil }
            return ContextChange(
                kind: kind, objects: ObjectChanges(from: first.objects, to: last.objects),
                isJoined: true)
        }
    }
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
