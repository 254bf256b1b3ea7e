/// What the handles of one entity need in one context, and the way to them.
///
/// Entities of a hierarchy share the rows of one table, and the directory of its handles.
final class ObjectTable {
    /// The number of the table in which the rows lie.
    let number: TableNumber
    let entityNumber: Int
    let entity: EntityDescription
    let entityLayout: EntityLayout
    let layout: TableLayout
    let type: ManagedObject.Type
    /// Whether objects of the class have no stored properties but the managed ones.
    let isPlain: Bool
    /// What checks the values of attributes whose columns may hold what is no value, by the property's
    /// position in the class.
    let checks: [Int: ValueCheck]
    let transaction: Transaction
    /// Owns this table; whoever uses a table keeps the state alive.
    unowned(unsafe) let state: ContextState
    /// The calls of hooks in the context, which owns the memory.
    let hooks: UnsafeMutablePointer<HookCalls>
    /// The objects of the class that the context keeps.
    let kept: UnsafeMutablePointer<KeptObjects>
    /// How many handles the context has, which owns the memory.
    let handleCount: UnsafeMutablePointer<Int>
    /// The ways along the relationships, by slot, which the classes of a hierarchy share; nothing lies in the slots
    /// of attributes.
    var relationships: UnsafePointer<RelationshipAccess> { UnsafePointer(ways) }
    private let ways: UnsafeMutablePointer<RelationshipAccess>
    /// The tables of the classes whose objects the rows can be, by kind; empty where it is only one.
    var kinds: [Unmanaged<ObjectTable>] = []
    /// Whether rows can be objects of several classes.
    let isShared: Bool
    let directory: UnsafeMutablePointer<HandleDirectory>
    /// The slots of the wrappers, in the order in which they are counted; `nil` where the slots are
    /// counted the same way.
    let slots: UnsafeMutablePointer<Int32>?
    /// What makes the defaults of new objects; kept alive by the model.
    private let makers: UnsafeMutableBufferPointer<(slot: Slot, value: Unmanaged<AttributeDefault>)>
    /// A graph without objects in which each row reads as a new object of the class.
    private(set) lazy var defaults = makeDefaults()

    /// Makes the table of a class; `root` is that of its topmost superclass.
    init(
        of number: Int, model: ObjectModel, root: ObjectTable?, transaction: Transaction,
        state: ContextState
    ) {
        entityNumber = number
        entity = model.schema.entities[number]
        entityLayout = model.layout.entities[number]
        self.number = entityLayout.table
        layout = transaction.graph.layout.tables[entityLayout.table]
        isShared = layout.kinds != nil
        type = model.classes[number].type
        isPlain = model.classes[number].isPlain
        checks = model.classes[number].checks
        self.transaction = transaction
        self.state = state
        hooks = state.hooks
        kept = .allocate(capacity: 1)
        kept.initialize(to: KeptObjects())
        handleCount = state.handleCount
        if let root {
            ways = root.ways
            directory = root.directory
        } else {
            ways = .allocate(capacity: layout.properties.count)
            directory = .allocate(capacity: 1)
            directory.initialize(to: HandleDirectory())
        }
        let defaults = model.classes[number].defaults.sorted { $0.key < $1.key }
        makers = .allocate(capacity: defaults.count)
        _ = makers.initialize(
            from: defaults.map { [entityLayout] in
                (entityLayout.slots[$0.key], .passUnretained($0.value))
            })
        slots =
            entityLayout.slots.elementsEqual(entityLayout.slots.slots)
            ? nil : .init(copying: entityLayout.slots)
    }

    /// The tables of a model's classes, by the numbers of their entities.
    static func tables(
        of model: ObjectModel, transaction: Transaction, state: ContextState
    ) -> [ObjectTable] {
        var roots: [Int: ObjectTable] = [:]
        func table(of number: Int, root: ObjectTable?) -> ObjectTable {
            ObjectTable(
                of: number, model: model, root: root, transaction: transaction, state: state)
        }
        let entities = model.layout.entities
        for number in entities.indices where entities[number].isWholeTable {
            roots[number] = table(of: number, root: nil)
        }
        return entities.indices.map {
            roots[$0] ?? table(of: $0, root: roots[entities[$0].table.index])
        }
    }

    deinit {
        slots?.deallocate()
        makers.deallocate()
        kept.end()
        guard isRoot else { return }
        ways.deallocate()
        directory.pointee.deallocate()
        directory.deallocate()
    }

    /// Whether this is the table of a class without superclass.
    var isRoot: Bool { entityLayout.isWholeTable }

    /// Lets all classes of the hierarchy, whose root this is, learn the tables at the other ends of the
    /// relationships, and each other's; `tables` outlive this one.
    ///
    /// - Complexity: O(r + c) for r relationships and c classes, however many columns the hierarchy has.
    func connectHierarchy(to tables: [ObjectTable]) {
        for (slot, entity) in layout.destinations {
            guard let relationship = layout.relationships[slot] else { continue }
            (ways + slot.index).initialize(
                to: RelationshipAccess(relationship, slot: slot, of: self, to: tables[entity]))
        }
        guard isShared else { return }
        let kinds = layout.entities.map { Unmanaged.passUnretained(tables[$0]) }
        for entity in layout.entities { tables[entity].kinds = kinds }
    }

    /// The name of the property in a slot.
    func name(of slot: Slot) -> String { layout.properties[slot].name }

    // MARK: - Rows

    /// A new row for an object of the class, which holds its defaults.
    ///
    /// What makes a default may change the context, save and roll back: the row is not there before all are made.
    /// Inside the closure of a derived attribute the row is gone again at once.
    func insertRow() -> Row {
        guard !transaction.isComputing else { return insertedInVain() }
        return withUnsafeTemporaryAllocation(
            of: (slot: Slot, value: Datum).self, capacity: makers.count
        ) { buffer in
            var made = buffer.baseAddress.unsafelyUnwrapped
            for (slot, value) in makers
            where value._withUnsafeGuaranteedRef({ $0.make(&made.pointee.value) }) {
                made.pointee.slot = slot
                made += 1
            }
            let row = transaction.insert(into: number, kind: entityLayout.kind)
            let count = made - buffer.baseAddress.unsafelyUnwrapped
            for (slot, value) in buffer[..<count] {
                transaction.write(value, row, slot, in: number)
            }
            buffer[..<count].deinitialize()
            return row
        }
    }

    /// The same with a value by which the object is found.
    func insertRow(with key: Datum, in slot: Slot) -> Row {
        let row = insertRow()
        if transaction.contains(row, in: number) {
            transaction.write(key, row, slot, in: number)
        }
        return row
    }

    private func makeDefaults() -> Graph {
        var graph = Graph(layout: transaction.graph.layout)
        // Columns of a subclass have no defaults, for rows of other classes have no values there.
        for (slot, _) in layout.defaults[Int(entityLayout.kind)] {
            guard let attribute = layout.properties[slot].attribute else { continue }
            graph.tables[number].columns[slot] = Column(for: attribute)
        }
        return graph
    }

    /// A row that is gone already: nothing may come while a derived value is made.
    @inline(never)
    private func insertedInVain() -> Row {
        state.context.note(.changeInsideDerivation)
        let row = transaction.insert(into: number, kind: entityLayout.kind)
        transaction.delete(row, from: number)
        return row
    }

    /// The number by which the object whose row this is, or was last, is known outside.
    func number(of row: Row) -> Int64 { transaction.number(of: row, in: number) }

    /// Whether a row is an object of the class, or of a subclass.
    func holds(_ row: Row) -> Bool {
        !isShared || entityLayout.kinds.contains(transaction.kind(row, in: number))
    }

    /// The table of the class of a row's object; `nil` where the row never existed here.
    func table(of row: Row) -> ObjectTable? {
        let kind = Int(transaction.kind(row, in: number))
        return kinds.indices.contains(kind) ? kinds[kind].takeUnretainedValue() : nil
    }
}

extension UnsafeMutablePointer<Int32> {
    /// New memory that holds some numbers.
    fileprivate init(copying slots: [Slot]) {
        self = .allocate(capacity: slots.count)
        for (position, slot) in slots.enumerated() {
            (self + position).initialize(to: slot.rawValue)
        }
    }
}
