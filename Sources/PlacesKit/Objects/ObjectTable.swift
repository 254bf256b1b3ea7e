/// The handles of one entity in one context, and what they need.
///
/// - Invariant: A row has at most one live handle, and `handles` holds its address.
final class ObjectTable {
    let number: Int
    let entity: EntityDescription
    let layout: TableLayout
    let type: ManagedObject.Type
    /// Whether objects of the class have no stored properties but the managed ones.
    let isPlain: Bool
    let transaction: Transaction
    /// Owns this table; whoever uses a table keeps the context alive.
    unowned(unsafe) let context: ManagedObjectContext
    /// The calls of hooks in the context, which owns the memory.
    private let hooks: UnsafeMutablePointer<HookCalls>
    /// The tables of the entities at the other ends, by slot.
    private var destinations: [Unmanaged<ObjectTable>?] = []
    @exclusivity(unchecked)
    private var handles: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeRawPointer?>?>
    @exclusivity(unchecked) private var capacity = 0

    init(number: Int, model: ObjectModel, transaction: Transaction, context: ManagedObjectContext) {
        self.number = number
        entity = model.schema.entities[number]
        layout = transaction.graph.layout.tables[number]
        type = model.classes[number].type
        isPlain = model.classes[number].isPlain
        self.transaction = transaction
        self.context = context
        hooks = context.hooks
        handles = .allocate(capacity: 0)
    }

    deinit {
        for chunk in 0..<capacity { handles[chunk]?.deallocate() }
        handles.deallocate()
    }

    /// Learns the tables at the other ends of the relationships; `tables` outlive this one.
    func connect(to tables: [ObjectTable]) {
        destinations = layout.properties.map { property in
            property.relationship.flatMap { relationship in
                tables.first { $0.entity.name == relationship.destination }
                    .map(Unmanaged.passUnretained)
            }
        }
    }

    /// The table at the other end of the relationship in a slot.
    func destination(of slot: Int) -> ObjectTable? {
        destinations[slot]?.takeUnretainedValue()
    }

    /// The name of the property in a slot.
    func name(of slot: Int) -> String { layout.properties[slot].name }

    // MARK: - Handles

    /// The object of a row: the live handle, or a new one.
    func object(_ row: Int32) -> ManagedObject {
        if let handle = handle(row) { return handle }
        let object = type.init(seed(row))
        if transaction.contains(row, in: number) { hooks.awakeFromFetch(object) }
        return object
    }

    /// Lets `handle` be that of a row: the live one, the one that it was where nobody else kept it,
    /// or a new one.
    func move(_ handle: inout ManagedObject?, to row: Int32) {
        guard rebind(&handle, to: row) else {
            handle = object(row)
            return
        }
        Unmanaged.passUnretained(handle.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
            if $0._access.pointee.contains($0._row) { hooks.awakeFromFetch($0) }
        }
    }

    /// The same for a row that was just inserted.
    func insert(_ handle: inout ManagedObject?, _ row: Int32) -> ManagedObject {
        if !rebind(&handle, to: row) { handle = type.init(seed(row)) }
        let object = handle.unsafelyUnwrapped
        hooks.awakeFromInsert(object)
        return object
    }

    /// The live handle of a row.
    func handle(_ row: Int32) -> ManagedObject? {
        guard let address = address(of: row)?.pointee else { return nil }
        return Unmanaged<ManagedObject>.fromOpaque(address).takeUnretainedValue()
    }

    /// All live handles.
    var liveHandles: [ManagedObject] {
        (0..<capacity).flatMap { chunk in
            guard let addresses = handles[chunk] else { return [ManagedObject]() }
            return (0..<ChunkLayout.rows).compactMap { offset in
                addresses[offset].map {
                    Unmanaged<ManagedObject>.fromOpaque($0).takeUnretainedValue()
                }
            }
        }
    }

    /// What a new handle of a row is made of.
    func seed(_ row: Int32) -> ObjectSeed {
        ObjectSeed(table: self, access: transaction.access + number, row: row)
    }

    /// Lets `object` be the handle of its row.
    func register(_ object: ManagedObject) {
        let chunk = Int(object.row) >> ChunkLayout.shift
        if chunk >= capacity { grow(to: chunk + 1) }
        let addresses: UnsafeMutablePointer<UnsafeRawPointer?>
        if let known = handles[chunk] {
            addresses = known
        } else {
            addresses = .allocate(capacity: ChunkLayout.rows)
            addresses.initialize(repeating: nil, count: ChunkLayout.rows)
            handles[chunk] = addresses
        }
        addresses[Int(object.row) & ChunkLayout.mask] =
            UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    /// Forgets a handle that goes away.
    func unregister(_ object: ManagedObject) {
        address(of: object.row)?.pointee = nil
    }

    /// Makes the handle of one row that of another; refused where the other row has a handle, or
    /// where somebody besides `handle` refers to this one, be it weakly.
    func rebind(_ handle: inout ManagedObject?, to row: Int32) -> Bool {
        guard isPlain, isKnownUniquelyReferenced(&handle), let address = address(of: row),
            address.pointee == nil
        else { return false }
        // Unmanaged, for a retain and a release would cost more than all the rest.
        return Unmanaged.passUnretained(handle.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
            guard _getWeakRetainCount($0) <= 1, _getUnownedRetainCount($0) <= 1 else {
                return false
            }
            self.address(of: $0.row)?.pointee = nil
            $0._row = Int(row)
            address.pointee = UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque())
            return true
        }
    }

    /// Where the address of a row's handle lies, if there is room for it.
    @inline(__always)
    private func address(of row: Int32) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
        let chunk = Int(row) &>> ChunkLayout.shift
        guard chunk < capacity, let addresses = handles[chunk] else { return nil }
        return addresses + (Int(row) & ChunkLayout.mask)
    }

    /// Handles that lie where the handle of another row belongs, in words.
    var brokenInvariants: [String] {
        (0..<Int32(truncatingIfNeeded: capacity << ChunkLayout.shift)).compactMap { row in
            guard let handle = handle(row), handle.row != row || handle.table !== self else {
                return nil
            }
            return "the handle of \(handle.objectID) lies at \(entity.name)/\(row)"
        }
    }

    private func grow(to chunks: Int) {
        let grown = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeRawPointer?>?>
            .allocate(capacity: max(chunks, capacity * 2))
        grown.initialize(repeating: nil, count: max(chunks, capacity * 2))
        grown.update(from: handles, count: capacity)
        handles.deallocate()
        handles = grown
        capacity = max(chunks, capacity * 2)
    }
}
