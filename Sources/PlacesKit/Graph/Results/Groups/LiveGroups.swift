public import Foundation
public import Observation

/// Keeps groups of objects up to date, and reports exactly what changed.
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
/// - A change costs O(log n) for each object that it affects and for each group that had or has the
///   object, however many objects there are. It also costs O(w) for the w groups that are shown; a
///   limit bounds them.
/// - A group is identified by its key. Groups are inserted, deleted, moved and updated as
///   ``ResultsDifference`` describes. A limit and an offset are a window that is always exact.
/// - As in a ``FetchedResultsController``, changes count that lie across relationships which the
///   predicate, the key or an aggregate reads, and so do changes with the time.
/// - It is `Observable`: a view that reads ``groups`` is notified.
/// - What PlacesKit cannot update it computes again at each change: see ``notKept``.
public final class LiveGroups<
    Object: ManagedObject, Key: Hashable & Sendable, each Value: Sendable
> {
    /// A group: its key and its aggregates.
    public typealias Group = (Key, repeat each Value)

    /// The request of the groups.
    public let request: GroupRequest<Object, Key, repeat each Value>
    /// The context to which the objects belong.
    public let context: ManagedObjectContext
    /// The keys of the current groups, in their order.
    public var snapshot: ResultsSnapshot<GroupID<Key>> {
        observation.noteRead()
        return current
    }
    /// Why each change computes everything again, in words; empty if it does not.
    public let notKept: [String]
    /// Called with each change, on the context's isolation.
    public var onChange: ((ResultsChange<GroupID<Key>>) -> Void)?

    private var current: ResultsSnapshot<GroupID<Key>>
    private let observation = ResultsObservation()
    private let keeper: GroupKeeper<Object, Key, (repeat each Value)>
    private var subscription: LiveSubscription?
    private let mailboxes = StreamFeeds<ResultsMailbox<GroupID<Key>>>()

    /// Computes the groups of a request.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws.
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

    /// The current groups, in their order.
    public var groups: [Group] {
        observation.noteRead()
        return keeper.shown.map { ($0.key, repeat each $0.values) }
    }

    /// A sequence of all changes from now on; changes for a busy consumer become one.
    public var changes: ChangeStream<ResultsChange<GroupID<Key>>> {
        ChangeStream { mailboxes.add($0) }
    }

    /// The next time at which the groups may change by themselves, if it is known.
    public var nextChange: Date? { keeper.nextChange }

    /// Why objects may be missing from the groups; `nil` if none is missing.
    ///
    /// It is `ContextError.patternTooCostly` if a regular expression took too many steps for the
    /// changed objects. The next change tests all objects again.
    public var error: ContextError? {
        observation.noteRead()
        return keeper.error
    }

    private func setAlarm() {
        subscription?.setAlarm(to: keeper.alarm, isPolled: keeper.isPolled)
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
        observation.change {
            current = after
            // Before anybody is told, for whoever asks then for what comes from now on knows this change.
            for mailbox in mailboxes.all { mailbox.put(change) }
        }
        onChange?(change)
    }
}

@available(*, unavailable)
extension LiveGroups: Sendable {}

extension LiveGroups: Observable {}
