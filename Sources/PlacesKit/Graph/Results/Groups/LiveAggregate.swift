public import Foundation
public import Observation

/// Keeps aggregates of the objects of a request up to date.
///
/// ```swift
/// let totals = try LiveAggregate(FetchRequest<Photo>(), .count, .sum(\.views), in: context)
/// totals.onChange = { label.text = totals.value.map { "\($0) photos, \($1) views" } ?? "no photos" }
/// ```
///
/// PlacesKit updates counts, sums, averages, numbers of different values, minima and maxima from
/// the objects that change, in O(log n) for each. It computes any other values again: see
/// ``notKept``. A view that reads ``value`` is notified, since this is `Observable`.
public final class LiveAggregate<Object: ManagedObject, each Value: Sendable> {
    /// The request for the objects to aggregate.
    public let request: FetchRequest<Object>
    /// The context to which the objects belong.
    public let context: ManagedObjectContext
    /// Why each change computes everything again, in words; empty if it does not.
    public let notKept: [String]
    /// Called when a value has changed, on the context's isolation.
    public var onChange: (() -> Void)?

    private let observation = ResultsObservation()
    private let keeper: GroupKeeper<Object, GroupKeys<>, (repeat each Value)>
    private var subscription: LiveSubscription?
    private let signals = StreamFeeds<AsyncStream<Void>.Continuation>()

    /// Computes aggregates of the objects of a request.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public init(
        _ request: FetchRequest<Object>, _ aggregates: repeat Aggregate<Object, each Value>,
        in context: ManagedObjectContext
    ) throws(ContextError) {
        self.request = request
        self.context = context
        context.processPendingChanges()
        let whole = GroupRequest(of: request, by: .nothing, repeat each aggregates)
        keeper = try GroupKeeper(whole.functions, in: context)
        notKept = keeper.problems
        subscription = LiveSubscription(context) { [weak self] in self?.follow($0) }
        setAlarm()
    }

    /// The current values; `nil` if there are no objects.
    public var value: (repeat each Value)? {
        observation.noteRead()
        return keeper.shown.first?.values
    }

    /// A signal for each change of a value from now on; signals that wait are joined into one.
    public var changes: AsyncStream<Void> {
        let (stream, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        signals.add(signal)
        return stream
    }

    /// The next time at which a value may change by itself, if it is known.
    public var nextChange: Date? { keeper.nextChange }

    /// Why objects may be missing from the values; `nil` if none is missing.
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
        let changed = keeper.update(changes)
        let isChanged = changed.map { !$0.isEmpty } ?? false
        // Before anybody is told, for whoever asks then for what comes from now on knows this change.
        if isChanged { for signal in signals.all { signal.yield() } }
        if isChanged || keeper.error != error { observation.change {} }
        if isChanged { onChange?() }
    }
}

@available(*, unavailable)
extension LiveAggregate: Sendable {}

extension LiveAggregate: Observable {}
