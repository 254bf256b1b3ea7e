public import Observation

/// Keeps track of one object that is found by a key, and that need not exist yet.
///
/// ```swift
/// let controller = try ObjectController(Photo.self, \.uniqueID, is: "12", in: context)
/// controller.onChange = { event in
///     switch event {
///     case .appeared, .changed: label.text = controller.object?.title ?? ""
///     case .gone: label.text = ""
///     }
/// }
/// ```
///
/// - ``object`` is what `context.find` finds. If the key passes from one object to another, the first one goes
///   and the other one appears. While several objects have the key, which the next save refuses, the one that had
///   it before stays.
/// - Events come in batches, as the context's changes do: after its own changes, after undo, redo and rollback, and
///   after merges of what others saved.
/// - It is `Observable`: a view that reads ``object`` is notified of every event.
public final class ObjectController<Object: ManagedObject> {
    /// The context to which the object belongs.
    public let context: ManagedObjectContext
    /// The controller calls this with each event, on the context's isolation; ``object`` is already the new one.
    public var onChange: ((ObjectControllerEvent) -> Void)?

    private let finder: ObjectFinder
    private let table: ObjectTable
    private let observation = ResultsObservation()
    private let feeds = StreamFeeds<Mailbox<ShownObjectChange>>()
    private var token: Int?
    private var shown: Object?

    /// Follows the object whose unique attribute has a value.
    ///
    /// - Throws: `ContextError.notUnique`, or `ContextError.unknownClass`.
    public convenience init<Value: AttributeValue>(
        _ type: Object.Type, _ keyPath: KeyPath<Object, Value>, is value: Value,
        in context: ManagedObjectContext
    ) throws(ContextError) {
        let table = try context.table(of: type)
        let slot = try table.uniqueSlot(of: keyPath)
        self.init(.value(value.datum, slot), table, context)
    }

    /// Follows the object with an identifier.
    ///
    /// - Throws: `ContextError.otherClass` if the identifier is that of an object of another class;
    ///   `ContextError.noSuchObject` if it is one of another model; `ContextError.unknownClass`.
    public convenience init(
        _ type: Object.Type, _ id: ObjectID, in context: ManagedObjectContext
    ) throws(ContextError) {
        let table = try context.table(of: type)
        guard let entity = table.state.store.model.layout.entity(of: id) else {
            throw .noSuchObject(id)
        }
        guard entity.table == table.number, table.entityLayout.kinds.contains(entity.kind) else {
            throw .otherClass(id, expected: table.entity.name)
        }
        self.init(.identifier(id), table, context)
    }

    private init(_ key: ObjectFinder.Key, _ table: ObjectTable, _ context: ManagedObjectContext) {
        (self.context, self.table) = (context, table)
        finder = ObjectFinder(key: key, entity: table.entityLayout)
        context.processPendingChanges()
        shown = object(in: context.told)
        token = ResultsDispatcher.of(context)
            .add(self, wanting: finder.condition, of: table.number)
    }

    deinit {
        // The object ends there, too.
        var last = shown.take()
        context.listeners.finish { [context, token] in
            if let token { ResultsDispatcher.of(context).remove(token) }
            _ = last.take()
        }
    }

    /// The object; `nil` while there is none.
    public var object: Object? {
        observation.noteRead()
        return shown
    }

    /// A sequence of what happens to the object from now on, in order, for one consumer in any isolation.
    ///
    /// A slow consumer is told of many changes as if they were one. The sequence ends with the controller.
    public var changes: ChangeStream<ObjectControllerEvent> { ChangeStream { feeds.add($0) } }

    private func object(in graph: Graph) -> Object? {
        finder.row(in: graph, preferring: shown?.objectID).map {
            unsafeDowncast(table.object($0), to: Object.self)
        }
    }
}

extension ObjectController: ResultsReceiver {
    func receive(_ touched: ContiguousArray<TouchedRow>, of changes: ChangeSet) {
        let old = shown?.objectID
        let change = ShownObjectChange(
            objects: ObjectChanges(changes: changes), old: old,
            new: finder.identifier(in: changes.after, preferring: old))
        let events = change.events
        guard !events.isEmpty else { return }
        observation.change {
            shown = object(in: changes.after)
            // Before anybody is told, for whoever asks then for what comes from now on knows this change.
            for feed in feeds.all { feed.put(change) }
        }
        for event in events { onChange?(event) }
    }

    func follow(to graph: Graph) {}
}

extension ObjectController: Observable {}

@available(*, unavailable)
extension ObjectController: Sendable {}

/// Finds one object in any graph, by what is known of it.
private struct ObjectFinder: Sendable {
    enum Key: Sendable {
        case value(Datum, Slot)
        case identifier(ObjectID)
    }

    let key: Key
    let entity: EntityLayout

    /// What rows satisfy that may be the object.
    var condition: Condition {
        switch key {
        case .identifier(let id):
            .comparison(.identity([]), .equal, .constant(.integer(id.number)))
        case .value(let value, let slot):
            .comparison(.attribute([slot]), .equal, .constant(value))
        }
    }

    /// The row of the object: of several that have the key that of a known one, `nil` if there is none.
    func row(in graph: Graph, preferring known: ObjectID?) -> Row? {
        func isThere(_ row: Row) -> Bool {
            graph.contains(row, in: entity.table) && graph.isObject(row, of: entity)
        }
        switch key {
        case .identifier(let id): return graph.row(of: id, in: entity.table).filter(isThere)
        case .value(let value, let slot):
            let row = known.flatMap { graph.row(of: $0, in: entity.table) }.filter(isThere)
                .filter { graph.value($0, slot, in: entity.table) == value }
            guard row == nil, let found = graph.find(value, slot, in: entity.table) else {
                return row
            }
            return isThere(found) ? found : graph.row(sharing: slot, with: found, of: entity)
        }
    }

    /// The identifier of the object.
    func identifier(in graph: Graph, preferring known: ObjectID?) -> ObjectID? {
        row(in: graph, preferring: known).map { graph.objectID($0, in: entity.table) }
    }
}

extension Row? {
    /// The row, if it is what is wanted.
    fileprivate func filter(_ isIncluded: (Row) -> Bool) -> Row? {
        flatMap { isIncluded($0) ? $0 : nil }
    }
}
