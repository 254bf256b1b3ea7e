/// The addresses of the live handles of one table's rows.
///
/// - Invariant: A row has at most one address here, and its handle is of the class of the row's kind.
struct HandleDirectory {
    private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeRawPointer?>?>
    /// The number of chunks that there is room for.
    private(set) var capacity = 0

    /// A directory without handles.
    init() { chunks = .allocate(capacity: 0) }

    func deallocate() {
        for chunk in 0..<capacity { chunks[chunk]?.deallocate() }
        chunks.deallocate()
    }

    /// Where the address of a row's handle lies, if there is room for it.
    @inline(__always)
    func address(of row: Row) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
        let chunk = row.chunk
        guard chunk < capacity, let addresses = chunks[chunk] else { return nil }
        return addresses + row.offset
    }

    /// How many of some rows have live handles.
    func liveCount(of rows: ArraySlice<Row>) -> Int {
        rows.reduce(0) { address(of: $1)?.pointee == nil ? $0 : $0 &+ 1 }
    }

    /// Lets `object` be the handle of its row.
    mutating func register(_ object: ManagedObject) {
        let chunk = object.row.chunk
        if chunk >= capacity { grow(to: chunk + 1) }
        let addresses: UnsafeMutablePointer<UnsafeRawPointer?>
        if let known = chunks[chunk] {
            addresses = known
        } else {
            addresses = .allocate(capacity: ChunkLayout.rows)
            addresses.initialize(repeating: nil, count: ChunkLayout.rows)
            chunks[chunk] = addresses
        }
        addresses[object.row.offset] =
            UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    /// All live handles.
    var liveHandles: [ManagedObject] {
        (0..<capacity).flatMap { chunk in
            guard let addresses = chunks[chunk] else { return [ManagedObject]() }
            return (0..<ChunkLayout.rows).compactMap { offset in
                addresses[offset].map {
                    Unmanaged<ManagedObject>.fromOpaque($0).takeUnretainedValue()
                }
            }
        }
    }

    /// Forgets a handle that goes away.
    func unregister(_ object: ManagedObject) {
        guard let address = address(of: object.row),
            address.pointee == UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        else { return }
        address.pointee = nil
    }

    private mutating func grow(to count: Int) {
        let grown = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeRawPointer?>?>
            .allocate(capacity: max(count, capacity * 2))
        grown.initialize(repeating: nil, count: max(count, capacity * 2))
        grown.update(from: chunks, count: capacity)
        chunks.deallocate()
        chunks = grown
        capacity = max(count, capacity * 2)
    }
}
