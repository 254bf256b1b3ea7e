/// Keeps the results of a request current, and tells exactly what changed.
///
/// ```swift
/// let results = try FetchedResultsController(
///     FetchRequest<Photo>(sortBy: [SortDescriptor(\.title)]),
///     sectionBy: \.takenAt?.name, in: context)
/// results.onChange = { change in list.apply(change.difference) }
/// ```
///
/// - Changes arrive when the context processes them: at `save`, `rollback`, `refreshAllObjects` and
///   `processPendingChanges`.
/// - A limit and an offset are a window that is exact at all times: what slides in and out of it is
///   reported.
/// - Where the predicate, the order or the sections look through a relationship, changes of the
///   objects at its other end count too.
/// - Sections come in the order of their first objects. Objects without a section's value are in the
///   section named `""`. Where the value is an object, the section has its identifier's description.
/// - `onChange` may change the context; what it changes is told after everybody has heard of the
///   change at hand.
public final class FetchedResultsController<Object: ManagedObject> {
    /// The request whose results these are.
    public let request: FetchRequest<Object>
    /// The context that the objects belong to.
    public let context: ManagedObjectContext
    /// The results now: identifiers and sections.
    public private(set) var snapshot: ResultsSnapshot<ObjectID>
    /// Called with each change, on the context's isolation.
    public var onChange: ((ResultsChange<ObjectID>) -> Void)?

    private let table: ObjectTable
    private var tracker: ResultsTracker
    private var token: Int?
    private var streams: [Int: AsyncStream<ResultsChange<ObjectID>>.Continuation] = [:]
    private var nextStream = 0

    /// Fetches the results of a request, in one section.
    ///
    /// - Throws: `ContextError.unknownClass`.
    public convenience init(
        _ request: FetchRequest<Object>, in context: ManagedObjectContext
    ) throws(ContextError) {
        try self.init(request, section: nil, in: context)
    }

    /// Fetches the results of a request, in sections of objects that have a property in common.
    ///
    /// The property may be computed, and may lie across a relationship. Sections read best when the
    /// first sort descriptor orders by the same property.
    ///
    /// - Throws: `ContextError.unknownClass`.
    public convenience init<Name>(
        _ request: FetchRequest<Object>, sectionBy keyPath: KeyPath<Object, Name>,
        in context: ManagedObjectContext
    ) throws(ContextError) {
        try self.init(request, section: keyPath, in: context)
    }

    private init(
        _ request: FetchRequest<Object>, section: PartialKeyPath<Object>?,
        in context: ManagedObjectContext
    ) throws(ContextError) {
        self.request = request
        self.context = context
        let table = try context.table(of: Object.self)
        self.table = table
        context.processPendingChanges()
        tracker = try ResultsTracker(request, section: section, table: table, context: context)
        snapshot = tracker.snapshot(in: context.transaction.graph)
        token = context.addListener { [weak self] in self?.consume($0) }
    }

    deinit {
        if let token { context.removeListener(token) }
        for stream in streams.values { stream.finish() }
    }

    // MARK: - Reading

    /// The objects from the first of the first section to the last of the last.
    public var objects: FetchedResults<Object> {
        FetchedResults(rows: tracker.shown.rows, table: table, context: context)
    }

    /// The object at a position, or `nil` where the results have no such position.
    public func object(at position: ItemPosition) -> Object? {
        snapshot.index(of: position).map { objects[$0] }
    }

    /// The position of an object, or `nil` where it is not among the results.
    ///
    /// - Complexity: O(n).
    public func position(of object: Object) -> ItemPosition? {
        guard object.context === context,
            let index = tracker.shown.rows.firstIndex(of: object.row)
        else { return nil }
        return snapshot.position(at: index)
    }

    /// All changes from now on, each exactly once and in order, however slowly they are consumed.
    public var changes: AsyncStream<ResultsChange<ObjectID>> {
        let (stream, continuation) = AsyncStream<ResultsChange<ObjectID>>.makeStream()
        streams[nextStream] = continuation
        nextStream += 1
        return stream
    }

    // MARK: - Changes

    private func consume(_ changes: ChangeSet) {
        guard let touched = tracker.update(changes) else { return }
        let touchedIDs = touched.map { row in
            let graph =
                changes.after.contains(row, in: table.number) ? changes.after : changes.before
            return graph.objectID(row, in: table.number)
        }
        let change = ResultsChange(
            from: snapshot, to: tracker.snapshot(in: changes.after), touched: Set(touchedIDs))
        guard !change.isEmpty else { return }
        snapshot = change.after
        onChange?(change)
        for (number, stream) in streams {
            if case .terminated = stream.yield(change) { streams[number] = nil }
        }
    }
}

@available(*, unavailable)
extension FetchedResultsController: Sendable {}
