import Foundation

/// Looks up in a hash index through addresses: no count of references is touched on the way.
///
/// It is good while the index that it is of neither changes nor goes.
struct HashIndexReader: Equatable {
    private let slots: ColumnReader
    private let mask: Int

    init(slots: ColumnReader, mask: Int) {
        self.slots = slots
        self.mask = mask
    }

    private func slot(_ position: Int) -> Int64 {
        slots.block(position &>> ChunkLayout.shift)
            .elements(of: Int64.self)[position & ChunkLayout.mask]
    }

    /// What lies where the search for a hash begins.
    func firstSlot(hash: Int) -> Int64 { slot(hash & mask) }

    /// The position of the row whose value has the given hash and satisfies `isMatch`.
    @inline(__always)
    func position(hash: Int, where isMatch: (Row) -> Bool) -> Int? {
        let tag = HashIndex.tag(of: hash)
        var position = hash & mask
        while true {
            let slot = slot(position)
            if slot == HashIndex.vacant { return nil }
            if slot != HashIndex.deleted, slot >> 32 == tag, isMatch(HashIndex.row(slot)) {
                return position
            }
            position = (position &+ 1) & mask
        }
    }

    /// Where a row belongs whose value has the given hash, unless another satisfies `isMatch`.
    ///
    /// At least one slot must be vacant.
    @inline(__always)
    func opening(hash: Int, where isMatch: (Row) -> Bool) -> Opening {
        let tag = HashIndex.tag(of: hash)
        var position = hash & mask
        var reusable = -1
        while true {
            let slot = slot(position)
            if slot == HashIndex.vacant { return .vacant(reusable >= 0 ? reusable : position) }
            if slot == HashIndex.deleted {
                if reusable < 0 { reusable = position }
            } else if slot >> 32 == tag, isMatch(HashIndex.row(slot)) {
                return .taken
            }
            position = (position &+ 1) & mask
        }
    }

    /// What is found where a row belongs.
    enum Opening {
        /// Another row holds its value.
        case taken
        /// A slot that may be used.
        case vacant(Int)
    }

    /// The row whose value has the given hash and satisfies `isMatch`.
    @inline(__always)
    func find(hash: Int, where isMatch: (Row) -> Bool) -> Row? {
        position(hash: hash, where: isMatch).map { HashIndex.row(slot($0)) }
    }

    /// The row that holds a value in a column of the given kind, whose blocks `block` tells.
    @inline(__always)
    func find(
        _ datum: Datum, _ kind: ColumnKind, block: (Int) -> UnsafeMutableRawPointer
    ) -> Row? {
        @inline(__always)
        func find<Element: ColumnElement>(_ value: Element) -> Row? {
            self.find(hash: value.indexHash) { row in
                block(row.chunk).holds(value, at: row.offset)
            }
        }
        return switch (kind, datum) {
        case (.boolean, .boolean(let value)): find(value)
        case (.integer, .integer(let value)): find(value)
        case (.integer, .unsigned(let value)): find(value.ordered)
        case (.decimal, .decimal(let value)): find(value)
        case (.double, .double(let value)): find(value)
        case (.double, .date(let value)): find(value.timeIntervalSinceReferenceDate)
        case (.string, .string(let value)): find(value)
        case (.uuid, .uuid(let value)): find(value)
        case (.data, .data(let value)): find(value)
        default: nil
        }
    }

    /// The rows that hold values in a column of the given kind, in the order of the values; `.none` where there is none.
    ///
    /// Some values are looked up at a time, step by step: they wait for memory together.
    func find(
        _ data: ContiguousArray<Datum>, _ kind: ColumnKind,
        in blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>
    ) -> ContiguousArray<Row> {
        switch kind {
        case .boolean: find(data, Bool.self, in: blocks)
        case .integer: find(data, Int64.self, in: blocks)
        case .decimal: find(data, Decimal.self, in: blocks)
        case .double: find(data, Double.self, in: blocks)
        case .string: find(data, String.self, in: blocks)
        case .uuid: find(data, UUID.self, in: blocks)
        case .data: find(data, Data.self, in: blocks)
        default: ContiguousArray(repeating: .none, count: data.count)
        }
    }

    private func find<Element: ColumnElement>(
        _ data: ContiguousArray<Datum>, _ type: Element.Type,
        in blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>
    ) -> ContiguousArray<Row> {
        func isMatch(_ row: Row, _ value: Element) -> Bool {
            blocks[row.chunk].holds(value, at: row.offset)
        }
        var rows = ContiguousArray<Row>()
        rows.reserveCapacity(data.count)
        let limit = 32
        withUnsafeTemporaryAllocation(of: (hash: Int, slot: Int64).self, capacity: limit) { steps in
            for start in stride(from: 0, to: data.count, by: limit) {
                let count = min(limit, data.count - start)
                for index in 0..<count {
                    let hash = data[start + index].element(of: Element.self)?.indexHash ?? 0
                    steps.initializeElement(at: index, to: (hash, 0))
                }
                for index in 0..<count { steps[index].slot = firstSlot(hash: steps[index].hash) }
                for index in 0..<count {
                    guard let value = data[start + index].element(of: Element.self) else {
                        rows.append(.none)
                        continue
                    }
                    let (hash, slot) = steps[index]
                    let isFirst =
                        slot >> 32 == HashIndex.tag(of: hash) && isMatch(HashIndex.row(slot), value)
                    rows.append(
                        isFirst
                            ? HashIndex.row(slot)
                            : find(hash: hash) { isMatch($0, value) } ?? .none)
                }
            }
        }
        return rows
    }
}
