public import Foundation
public import Observation

/// Keeps the results of a request up to date, and reports exactly what changed.
///
/// ```swift
/// let results = try FetchedResultsController(
///     FetchRequest<Photo>(sortBy: [SortDescriptor(\.title)]),
///     sectionBy: \.takenAt?.name, in: context)
/// results.onChange = { change in list.apply(change.difference) }
/// ```
///
/// - Changes arrive when the context processes them: at `save`, `rollback`, `refreshAllObjects` and
///   `processPendingChanges`; in a context that was made on an actor, when the actor's turn ends.
/// - A change of k objects costs O(k log n) for n results; results that it does not affect cost
///   nothing.
/// - A limit and an offset are a window that is always exact: the controller reports objects that
///   move into it and out of it.
/// - If the predicate, the order or the sections read across a relationship, changes of the objects
///   at its other end count too.
/// - Sections come in the order of their first objects, unless a ``SectionRule`` has another. A section
///   is identified by its key, which has the type of the value: see ``SectionKey``. Objects without a
///   value are in a section of their own, named `""`. If the value is an object, its identifier is the
///   key.
/// - Results that depend on the time change with it: see <doc:TimeAwareRequests>.
/// - If the request reads a computed property, PlacesKit does not know what that depends on. Every
///   change then fetches again, in O(n log n), and the controller reports the difference.
/// - A listener may change the context. Listeners are notified of that change after all of them
///   were notified of the current one.
/// See <doc:LiveResults>.
public final class FetchedResultsController<Object: ManagedObject>: Observable {
    /// The request of the results; `setRequest` changes it.
    public private(set) var request: FetchRequest<Object>
    /// The context to which the objects belong.
    public let context: ManagedObjectContext
    /// The controller calls this with each change, on the context's isolation.
    public var onChange: ((ResultsChange<ObjectID>) -> Void)?
    /// The delegate, which is notified of each change event by event.
    public weak var delegate: (any FetchedResultsControllerDelegate<Object>)?
    /// Makes the title of a section for an index beside the list, from the section's name.
    ///
    /// It is the first letter in upper case, unless you set another closure, such as
    /// ``LocalizedIndex/title(of:)``.
    public var sectionIndexTitle: (String) -> String = { $0.prefix(1).uppercased() }

    let table: ObjectTable
    private var sectionRule: SectionRule<Object>?
    /// What is read for the rows besides, so that changes of it update them.
    private var reading: [PartialKeyPath<Object>]
    private(set) var tracker: ResultsTracker
    /// By which the context tells of changes and of the time; `nil` where the results stay as they are.
    private var tokens: (dispatcher: Int, alarm: Int32)?
    private let mailboxes = StreamFeeds<ResultsMailbox<ObjectID>>()
    private let registrar = ObservationRegistrar()
    private let snapshotPath = \FetchedResultsController.snapshot
    private var rest = Rest.none
    private var isSilent = false
    private var failure: ContextError?

    /// Whether changes wait until the controller goes on, and whether there are some.
    private enum Rest {
        case none, upToDate, behind
    }

    /// Fetches the results of a request, which stay as they are unless they are to be live.
    init(
        _ request: FetchRequest<Object>, sections: SectionRule<Object>?,
        reading: [PartialKeyPath<Object>] = [], in context: ManagedObjectContext, isLive: Bool
    ) throws(ContextError) {
        self.request = request
        self.reading = reading
        self.context = context
        sectionRule = sections
        table = try context.table(of: Object.self)
        context.processPendingChanges()
        let query = try TrackedQuery(
            request, sections: sections, reading: reading, table: table, context: context)
        let told = context.told
        tracker = try PatternBudget.limiting { ResultsTracker(query, in: told) }
        guard isLive else { return }
        tokens = (
            ResultsDispatcher.of(context).add(self, asking: query),
            context.alarms.add { [weak self] in self?.pass() }
        )
        setAlarm()
    }

    deinit {
        guard let tokens else { return }
        context.listeners.finish { [context] in
            context.alarms.remove(tokens.alarm)
            ResultsDispatcher.of(context).remove(tokens.dispatcher)
        }
    }

    // MARK: - Reading

    /// The current results: identifiers and sections, as a value that any thread may read.
    public var snapshot: ResultsSnapshot<ObjectID> {
        registrar.access(self, keyPath: snapshotPath)
        return tracker.snapshot
    }

    /// The ordered rows.
    var results: RankedResults {
        registrar.access(self, keyPath: snapshotPath)
        return tracker.results
    }

    /// Why objects may be missing from the results; `nil` if none is missing.
    ///
    /// It is `ContextError.patternTooCostly` if a regular expression of the predicate took too many
    /// steps for the changed objects. Objects that could not be tested are not among the results.
    /// The next change tests all objects again.
    public var error: ContextError? {
        registrar.access(self, keyPath: \.error)
        return failure
    }

    // MARK: - Asking something else

    /// Replaces the request, and keeps the way in which sections are made.
    ///
    /// The controller reports the difference like any other change. Objects that stay and did not
    /// change are not reported as updates. Paused results change to the current ones of the new
    /// request, and stay paused.
    ///
    /// If you call this while listeners are being notified of a change, the results change after
    /// all of them were notified.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws, but for `ContextError.patternTooCostly`,
    ///   which becomes the ``error``; the results then stay as they are.
    /// - Complexity: O(n log n).
    public func setRequest(_ request: FetchRequest<Object>) throws(ContextError) {
        try setRequest(request, sections: sectionRule)
    }

    /// The same with other sections, and maybe other properties that are read for the rows.
    func setRequest(
        _ request: FetchRequest<Object>, sections: SectionRule<Object>?,
        reading newReading: [PartialKeyPath<Object>]? = nil
    ) throws(ContextError) {
        context.processPendingChanges()
        let reading = newReading ?? reading
        let query = try TrackedQuery(
            request, sections: sections, reading: reading, table: table, context: context)
        self.request = request
        self.reading = reading
        sectionRule = sections
        let (graph, isSilent) = (context.told, isSilent && !context.listeners.isTelling)
        context.listeners.whenTold { [weak self] in
            self?.ask(query, madeIn: graph, isSilent: isSilent)
        }
    }

    /// Asks for other objects of the graph that everybody knows.
    private func ask(_ query: TrackedQuery, madeIn graph: Graph, isSilent: Bool) {
        var query = query
        let told = context.told
        if query.isMoving { _ = query.follow(ChangeSet(from: graph, to: told), in: told) }
        if let tokens { ResultsDispatcher.of(context).change(tokens.dispatcher, toAsk: query) }
        if rest == .behind { rest = .upToDate }
        tell(isSilent: isSilent) { $0.fetch(query, in: told) }
        if let tokens, !query.isMoving { context.alarms.set(tokens.alarm, to: nil) }
        setAlarm()
    }

    // MARK: - Time

    /// The next time at which the results change by themselves, if it is known.
    ///
    /// - Complexity: O(log n) for each date in the predicate that is compared with the time.
    public var nextChange: Date? {
        tokens.flatMap { _ in tracker.query.nextChange(in: tracker.graph) }
    }

    private func setAlarm() {
        guard let tokens, tracker.query.isMoving else { return }
        context.alarms.set(
            tokens.alarm, to: rest == .none ? tracker.query.alarm(in: tracker.graph) : nil,
            isPolled: tracker.query.isPolled)
    }

    /// Lets time alone pass.
    private func pass() {
        guard rest == .none, tracker.query.isMoving else { return }
        let (told, isWhole) = (context.told, failure == nil)
        tell {
            isWhole
                ? $0.follow(nil, touching: [], in: told)
                : $0.fetchAgain(following: ChangeSet(from: $0.graph, to: told))
        }
        setAlarm()
    }

    // MARK: - Pausing

    /// Whether the results stay as they are while the context changes.
    ///
    /// When you set it to `false`, the controller reports everything that happened as one change.
    public var isPaused = false {
        willSet { if newValue != isPaused { context.processPendingChanges() } }
        didSet {
            if isPaused {
                if rest == .none { rest = .upToDate }
                setAlarm()
            } else if rest != .none {
                goOn()
            }
        }
    }

    /// Goes on when nobody is being told of anything: then it is clear what there is to catch up with.
    private func goOn() {
        context.listeners.whenTold { [weak self] in
            guard let self, rest != .none, !isPaused else { return }
            let isBehind = rest == .behind
            rest = .none
            guard tokens != nil, isBehind || tracker.query.isMoving else { return }
            let changes = ChangeSet(from: tracker.graph, to: context.told)
            receive(tracker.query.dependencies.rows(touchedBy: changes), of: changes)
        }
    }

    /// Calls a closure whose changes the results show but do not report.
    ///
    /// Use it when the user has dragged a row: the list has moved the row already when you write
    /// the new positions. Other listeners of the context are notified. The controller still reports
    /// what others save, what listeners change when they are notified, and what changes with the time.
    /// Inside a call of a listener this method hides nothing, since those changes are reported later.
    /// A task for which earlier ``changes`` still wait gets one change from those before to those
    /// after, what was hidden included.
    ///
    /// - Parameter body: Changes objects of the context.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withoutTelling<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        context.processPendingChanges()
        let wasSilent = isSilent
        isSilent = true
        defer {
            context.processPendingChanges()
            isSilent = wasSilent
        }
        return try body()
    }

    // MARK: - Telling

    /// A sequence of all changes from now on, in order.
    ///
    /// A slow consumer gets everything that happened meanwhile as one change. So nothing is lost or
    /// reordered, and no changes accumulate. Each change begins where the previous one ended, unless
    /// ``withoutTelling(_:)`` hid something between them.
    public var changes: ChangeStream<ResultsChange<ObjectID>> {
        ChangeStream { mailboxes.add($0) }
    }

    /// Changes the results, and tells everybody, unless it is silent.
    private func tell(
        isSilent: Bool = false, _ update: (inout ResultsTracker) -> ResultsChange<ObjectID>
    ) {
        var next = tracker
        let (change, exhausting) = PatternBudget.spending { update(&next) }
        let failure = exhausting.map(ContextError.patternTooCostly)
        if failure != self.failure {
            registrar.withMutation(of: self, keyPath: \.error) { self.failure = failure }
        }
        if isSilent { next.beginLineage() }
        guard !change.isEmpty else {
            tracker = next
            return
        }
        let delegate = isSilent ? nil : delegate
        delegate?.controllerWillChangeContent(self)
        registrar.willSet(self, keyPath: snapshotPath)
        tracker = next
        // Before anybody is told, for whoever asks then for what comes from now on knows this change.
        if !isSilent { for mailbox in mailboxes.all { mailbox.put(change) } }
        registrar.didSet(self, keyPath: snapshotPath)
        guard !isSilent else { return }
        if let delegate {
            for event in change.difference.sectionEvents {
                delegate.controller(self, didChange: event)
            }
            for event in change.difference.itemEvents {
                delegate.controller(self, didChange: event)
            }
            delegate.controller(self, didChangeContentWith: change)
            delegate.controllerDidChangeContent(self)
        }
        onChange?(change)
    }
}

extension FetchedResultsController: ResultsReceiver {
    func receive(_ touched: ContiguousArray<TouchedRow>, of changes: ChangeSet) {
        guard rest == .none else {
            rest = .behind
            return
        }
        let change = context.listeners.toldChange
        let isSilent =
            isSilent && change?.kind == .didChange && !context.listeners.isToldAnswer
        guard isSilent, let graph = change?.dropping else {
            return receive(touched, of: changes, isSilent: isSilent)
        }
        // A rollback is kept silent, but not what others had saved by then.
        let steps = [(changes.before, graph, true), (graph, changes.after, false)]
        for (before, after, isSilent) in steps {
            let step = ChangeSet(from: before, to: after)
            receive(
                tracker.query.dependencies.rows(touchedBy: step), of: step, isSilent: isSilent)
        }
    }

    private func receive(
        _ touched: ContiguousArray<TouchedRow>, of changes: ChangeSet, isSilent: Bool
    ) {
        let isWhole = failure == nil
        // The time that has passed is no part of what is kept silent.
        if isSilent, isWhole, tracker.query.isMoving {
            tell { $0.follow(nil, touching: [], in: $0.graph) }
        }
        tell(isSilent: isSilent) {
            isWhole
                ? $0.follow(changes, touching: touched, in: changes.after)
                : $0.fetchAgain(following: changes)
        }
        setAlarm()
    }

    func follow(to graph: Graph) {
        if rest == .none { tracker.follow(to: graph) }
    }
}

@available(*, unavailable)
extension FetchedResultsController: Sendable {}
