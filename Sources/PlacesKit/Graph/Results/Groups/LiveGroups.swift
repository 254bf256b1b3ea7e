public import Foundation
public import Observation

/// Keeps groups of objects current, and tells exactly what changed.
///
/// ```swift
/// let request = GroupRequest(by: \Photo.takenAt?.region, .countDistinct(\.takenBy))
///     .sorted(.reverse) { region, photographers in photographers }
///     .sorted { region, photographers in region }
///     .limited(to: 50)
/// let top = try LiveGroups(request, in: context)
/// top.onChange = { change in list.apply(change.difference) }
/// ```
///
/// - What one object does to the groups is worked out from that object: a change costs O(log n) for each
///   object that it touches and each group that had or has it, however many objects there are, and
///   O(w) for the w groups that are shown; a limit bounds these.
/// - A group is told by its key. Groups come, go, move and are updated in the convention of
///   ``ResultsDifference``; a limit and an offset are a window that is exact at all times.
/// - Objects are touched by changes across the relationships that the predicate, the key or an aggregate
///   looks through, and by the time, as those of a ``FetchedResultsController`` are.
/// - It is `Observable`: a view that reads ``groups`` is told.
/// - What cannot be kept is asked for again at each change: see ``notKept``.
public final class LiveGroups<
    Object: ManagedObject, Key: Hashable & Sendable, each Value: Sendable
> {
    /// A group: its key and what it comes to.
    public typealias Group = (Key, repeat each Value)

    /// The request whose groups these are.
    public let request: GroupRequest<Object, Key, repeat each Value>
    /// The context that the objects belong to.
    public let context: ManagedObjectContext
    /// The keys of the groups now, in their order.
    public var snapshot: ResultsSnapshot<GroupID<Key>> {
        observation.noteRead()
        return current
    }
    /// Why everything is asked again at each change, in words; empty where the groups are kept.
    public let notKept: [String]
    /// Called with each change, on the context's isolation.
    public var onChange: ((ResultsChange<GroupID<Key>>) -> Void)?

    private var current: ResultsSnapshot<GroupID<Key>>
    private let observation = ResultsObservation()
    private let keeper: GroupKeeper<Object, Key, (repeat each Value)>
    private var subscription: LiveSubscription?
    private var mailboxes: [ResultsMailbox<GroupID<Key>>] = []

    /// Makes the groups of a request.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public init(
        _ request: GroupRequest<Object, Key, repeat each Value>, in context: ManagedObjectContext
    ) throws(ContextError) {
        self.request = request
        self.context = context
        context.processPendingChanges()
        keeper = try GroupKeeper(request.functions, in: context)
        notKept = keeper.problems
        current = ResultsSnapshot(keeper.identifiers)
        subscription = LiveSubscription(context) { [weak self] in self?.follow($0) }
        setAlarm()
    }

    deinit {
        for mailbox in mailboxes { mailbox.close() }
    }

    /// The groups now, in their order.
    public var groups: [Group] {
        observation.noteRead()
        return keeper.shown.map { ($0.key, repeat each $0.values) }
    }

    /// All changes from now on, in order; what happens while a consumer is busy is one change.
    public var changes: ResultsChanges<GroupID<Key>> {
        ResultsChanges { mailboxes.append($0) }
    }

    /// The next time at which the groups may change by themselves, if it is known.
    public var nextChange: Date? { keeper.nextChange }

    /// Why objects may be missing from the groups: `ContextError.patternTooCostly` where a regular
    /// expression took too many steps for what was changed; `nil` where all is well.
    ///
    /// The next change asks all objects again.
    public var error: ContextError? {
        observation.noteRead()
        return keeper.error
    }

    private func setAlarm() {
        subscription?.setAlarm(to: keeper.nextChange, isPolled: keeper.isPolled)
    }

    private func follow(_ changes: ChangeSet?) {
        defer { setAlarm() }
        let error = keeper.error
        let touched = keeper.update(changes)
        if keeper.error != error { observation.change {} }
        guard let touched else { return }
        let after = ResultsSnapshot(keeper.identifiers)
        let change = ResultsChange(from: current, to: after, touched: touched)
        guard !change.isEmpty else { return }
        observation.change { current = after }
        onChange?(change)
        mailboxes.removeAll { !$0.put(change) }
    }
}

@available(*, unavailable)
extension LiveGroups: Sendable {}

extension LiveGroups: Observable {}
