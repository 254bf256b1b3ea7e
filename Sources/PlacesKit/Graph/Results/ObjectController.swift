public import Observation
import Synchronization

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
    private var subscription: LiveSubscription?
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
    /// - Throws: `ContextError.noSuchObject` if the identifier is that of an object of another class, or
    ///   `ContextError.unknownClass`.
    public convenience init(
        _ type: Object.Type, _ id: ObjectID, in context: ManagedObjectContext
    ) throws(ContextError) {
        let table = try context.table(of: type)
        guard let entity = table.state.store.model.layout.entity(named: id.entity),
            entity.table == table.number, table.entityLayout.kinds.contains(entity.kind)
        else { throw .noSuchObject(id) }
        self.init(.identifier(id), table, context)
    }

    private init(_ key: ObjectFinder.Key, _ table: ObjectTable, _ context: ManagedObjectContext) {
        (self.context, self.table) = (context, table)
        finder = ObjectFinder(key: key, entity: table.entityLayout)
        context.processPendingChanges()
        shown = object(in: context.told)
        subscription = LiveSubscription(context) { [weak self] in self?.follow($0) }
    }

    /// The object; `nil` while there is none.
    public var object: Object? {
        observation.noteRead()
        return shown
    }

    /// A sequence of all events from now on, in order, for one consumer in any isolation.
    ///
    /// A slow consumer is told of many changes as if they were one. The sequence ends with the context.
    public var events:
        AsyncFlatMapSequence<
            AsyncMapSequence<ChangeStream<ContextChange>, [ObjectControllerEvent]>,
            AsyncStream<ObjectControllerEvent>
        >
    {
        let known = KnownObject(shown?.objectID)
        return context.changes.map { [finder] change in
            // What is saved changed before.
            guard change.kind != .didSave else { return [] }
            return known.follow(change.objects.changes, finder)
        }.flatMap { events in
            AsyncStream { continuation in
                for event in events { continuation.yield(event) }
                continuation.finish()
            }
        }
    }

    private func follow(_ changes: ChangeSet?) {
        guard let changes, case let events = finder.events(of: changes, to: shown?.objectID),
            !events.isEmpty
        else { return }
        observation.change { shown = object(in: changes.after) }
        for event in events { onChange?(event) }
    }

    private func object(in graph: Graph) -> Object? {
        finder.row(in: graph, preferring: shown?.objectID).map {
            unsafeDowncast(table.object($0), to: Object.self)
        }
    }
}

extension ObjectController: Observable {}

@available(*, unavailable)
extension ObjectController: Sendable {}

/// What happened to the object of an ``ObjectController``.
public enum ObjectControllerEvent: Hashable, Sendable {
    /// There is an object with the key now: it was inserted or got the key, or its deletion was undone.
    case appeared(ObjectID)
    /// Some properties of the object changed, which are given by name.
    case changed(ObjectID, Set<String>)
    /// The object has the key no longer: it was deleted or got another one, or its insertion was undone.
    case gone(ObjectID)
}

/// Finds one object in any graph, by what is known of it.
private struct ObjectFinder: Sendable {
    enum Key: Sendable {
        case value(Datum, Slot)
        case identifier(ObjectID)
    }

    let key: Key
    let entity: EntityLayout

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
            return row ?? graph.find(value, slot, in: entity.table).filter(isThere)
        }
    }

    /// What a change did to the object, of which there was this one before.
    func events(of changes: ChangeSet, to old: ObjectID?) -> [ObjectControllerEvent] {
        guard !changes.tables[entity.table].isEmpty else { return [] }
        let new = identifier(in: changes.after, preferring: old)
        guard let old, old == new else {
            return [old.map { .gone($0) }, new.map { .appeared($0) }].compactMap(\.self)
        }
        guard case .updated(let names)? = ObjectChanges(changes: changes).event(of: old) else {
            return []
        }
        return [.changed(old, names)]
    }

    private func identifier(in graph: Graph, preferring known: ObjectID?) -> ObjectID? {
        row(in: graph, preferring: known).map { graph.objectID($0, in: entity.table) }
    }
}

/// The object of which a consumer of events heard last, of several that may have the key.
private final class KnownObject: Sendable {
    private let id: Mutex<ObjectID?>

    init(_ id: ObjectID?) { self.id = Mutex(id) }

    /// What a change did to the object.
    func follow(_ changes: ChangeSet, _ finder: ObjectFinder) -> [ObjectControllerEvent] {
        id.withLock { id in
            let events = finder.events(of: changes, to: id)
            switch events.last {
            case .appeared(let new): id = new
            case .gone: id = nil
            case .changed, nil: break
            }
            return events
        }
    }
}

extension Row? {
    /// The row, if it is what is wanted.
    fileprivate func filter(_ isIncluded: (Row) -> Bool) -> Row? {
        flatMap { isIncluded($0) ? $0 : nil }
    }
}
