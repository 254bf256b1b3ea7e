/// Finds the row that holds a value, in constant time: what makes an attribute unique.
///
/// Open addressing with linear probing over a persistent column, so that a snapshot has the index
/// too and the first write after it copies one chunk. A slot packs the low half of the value's hash
/// above the row; the values themselves stay in the attribute's column. Values that are `nil` are
/// not indexed.
///
/// One row stands for each value. While a transaction is open two rows may hold the same one: the
/// later rows wait among the `duplicates`, and a save is refused until there are none. They wait in the
/// order of their hashes, so that whoever gives up a value finds its heir in O(log n), whether many
/// rows wait for that value or for others.
struct HashIndex: Sendable {
    static var vacant: Int64 { -1 }
    static var deleted: Int64 { -2 }

    private var slots = Self.makeSlots()
    private var capacity = 64
    /// Slots that are not vacant, the deleted ones among them.
    private var occupied = 0
    /// The number of rows found through the index.
    private(set) var count = 0
    /// The rows whose value another row holds already, by its hash.
    private var waiting = OrderedIndex()

    /// An index with room for some rows.
    init(roomFor count: Int = 0) {
        while count * 5 > capacity * 4 { capacity *= 2 }
    }

    private static func makeSlots() -> Column {
        Column(.integer, repeating: .integer(vacant), isValid: true)
    }

    /// The way to look up in the index while it neither changes nor goes.
    var reader: HashIndexReader { HashIndexReader(slots: slots.reader, mask: capacity - 1) }

    private func slot(_ position: Int) -> Int64 {
        slots.block(position >> ChunkLayout.shift)
            .elements(of: Int64.self)[position & ChunkLayout.mask]
    }

    /// What a slot has of a hash, above the row; it is not negative, as vacant and deleted slots are.
    @inline(__always)
    static func tag(of hash: Int) -> Int64 { Int64(hash & 0x7fff_ffff) }

    private static func pack(_ hash: Int, _ row: Row) -> Int64 {
        tag(of: hash) << 32 | Int64(row.index)
    }

    /// What a row with a hash is among those that wait.
    private static func entry(_ row: Row, _ hash: Int) -> OrderedEntry {
        OrderedEntry(group: 0, row: row, key: UInt64(bitPattern: Int64(hash)))
    }

    static func row(_ slot: Int64) -> Row { Row(rawValue: Int32(truncatingIfNeeded: slot)) }

    /// The rows found through the index, in no order.
    var rows: [Row] {
        (0..<capacity).map(slot).filter { $0 >= 0 }.map(Self.row)
    }

    /// Whether rows hold a value that another row holds already.
    var hasDuplicates: Bool { !waiting.isEmpty }

    /// The rows whose value another row holds already, in their order.
    ///
    /// - Complexity: O(n log n) for n such rows.
    var duplicates: [Row] { waiting.entries.map(\.row).sorted() }

    /// The row whose value has the given hash and satisfies `isMatch`.
    func find(hash: Int, where isMatch: (Row) -> Bool) -> Row? {
        withExtendedLifetime(self) { reader.find(hash: hash, where: isMatch) }
    }

    private func position(hash: Int, where isMatch: (Row) -> Bool) -> Int? {
        withExtendedLifetime(self) { reader.position(hash: hash, where: isMatch) }
    }

    /// Enters a row; if another row holds its value, the row waits among the duplicates.
    @inline(__always)
    mutating func insert(
        _ row: Row, hash: Int, token: UInt64, where isEqual: (Row) -> Bool
    ) {
        // Four fifths full at most, two thirds on average: with linear probing a hit looks at 2 slots
        // then and a miss at 5, which lie in one cache line.
        if (occupied + 1) * 5 > capacity * 4 { rehash(token: token) }
        let reader = reader
        switch withExtendedLifetime(slots, { reader.opening(hash: hash, where: isEqual) }) {
        case .taken: waiting.insert(Self.entry(row, hash), token: token)
        case .vacant(let position): fill(position, Self.pack(hash, row), token: token)
        }
    }

    /// Enters some rows, as `insert` does one by one; `isEqual` says whether two hold one value.
    @inline(__always)
    mutating func insert(
        _ entries: UnsafeMutableBufferPointer<PendingEntry>, token: UInt64,
        where isEqual: (Row, Row) -> Bool
    ) {
        let reader = reader
        withExtendedLifetime(slots) {
            for index in entries.indices {
                entries[index].slot = reader.firstSlot(hash: entries[index].hash)
            }
        }
        for entry in entries {
            insert(entry.row, hash: entry.hash, token: token) { isEqual($0, entry.row) }
        }
    }

    private mutating func fill(_ position: Int, _ slot: Int64, token: UInt64) {
        let block = slots.writableBlock(position >> ChunkLayout.shift, token: token)
        let address = block.elements(of: Int64.self) + (position & ChunkLayout.mask)
        if address.pointee == Self.vacant { occupied += 1 }
        address.pointee = slot
        count += 1
    }

    /// Takes a row out; a duplicate that `isEqual` says holds the same value replaces it.
    mutating func remove(
        _ row: Row, hash: Int, token: UInt64, where isEqual: (Row) -> Bool
    ) {
        if waiting.remove(Self.entry(row, hash), token: token) { return }
        guard let position = position(hash: hash, where: { $0 == row }) else { return }
        slots.writableBlock(position >> ChunkLayout.shift, token: token)
            .elements(of: Int64.self)[position & ChunkLayout.mask] = Self.deleted
        count -= 1
        if let heir = heir(hash: hash, where: isEqual) {
            waiting.remove(Self.entry(heir, hash), token: token)
            fill(position, Self.pack(hash, heir), token: token)
        }
    }

    /// The first of the rows that wait for a value with the given hash, and that `isEqual` says hold it.
    func heir(hash: Int, where isEqual: (Row) -> Bool) -> Row? {
        var sought = Self.entry(.min, hash)
        while let entry = waiting.first(notBefore: sought), entry.key == sought.key {
            if isEqual(entry.row) { return entry.row }
            sought.row = entry.row.advanced(by: 1)
        }
        return nil
    }

    /// Doubles the room, or only sweeps out the deleted slots where they are what fills it.
    @inline(never)
    private mutating func rehash(token: UInt64) {
        let old = self
        capacity = count * 5 >= capacity * 2 ? capacity * 2 : capacity
        slots = Self.makeSlots()
        occupied = count
        let mask = capacity - 1
        let blocks = (0...mask >> ChunkLayout.shift).map {
            slots.writableBlock($0, token: token).elements(of: Int64.self)
        }
        for chunk in 0...(old.capacity - 1) >> ChunkLayout.shift {
            let block = old.slots.block(chunk).elements(of: Int64.self)
            for offset in 0..<min(old.capacity, ChunkLayout.rows) where block[offset] >= 0 {
                // The tag is all that is kept of the hash: 31 bits, enough for as many slots.
                var position = Int(block[offset] >> 32) & mask
                while case let slots = blocks[position >> ChunkLayout.shift],
                    slots[position & ChunkLayout.mask] != Self.vacant
                {
                    position = (position + 1) & mask
                }
                blocks[position >> ChunkLayout.shift][position & ChunkLayout.mask] = block[offset]
            }
        }
    }
}
