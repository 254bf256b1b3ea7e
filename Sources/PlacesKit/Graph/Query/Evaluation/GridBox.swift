import PlacesBase

/// A square of the grid of `SpatialCode`: the codes that begin with the same bits.
struct SpatialCell {
    var bits: UInt64 = 0
    /// How often the cell can be halved both ways; 32 for the whole map.
    var level = 32

    /// How many codes the cell has; zero for the whole map, for there is no such number.
    var size: UInt64 { level == 32 ? 0 : 1 << UInt64(level * 2) }
    /// The last code.
    var end: UInt64 { bits &+ (size &- 1) }

    func quarter(_ number: Int) -> SpatialCell {
        SpatialCell(bits: bits + UInt64(number) << UInt64((level - 1) * 2), level: level - 1)
    }
}

/// A box in the grid, its edges included.
///
/// Columns and rows are compared as they are spread over the codes, which has the same order.
struct GridBox {
    private static let columns: UInt64 = 0x5555_5555_5555_5555
    private static let rows: UInt64 = 0xaaaa_aaaa_aaaa_aaaa

    private let southwest: UInt64
    private let northeast: UInt64

    /// The cells with points of a box; `nil` where it has none.
    init?(_ box: CoordinateBox) {
        guard box.southwest.latitude <= box.northeast.latitude,
            box.southwest.longitude <= box.northeast.longitude,
            let southwest = SpatialCode(box.southwest), let northeast = SpatialCode(box.northeast)
        else { return nil }
        (self.southwest, self.northeast) = (southwest.bits, northeast.bits)
    }

    /// Whether the box has a point in common with a cell.
    func meets(_ cell: SpatialCell) -> Bool {
        func meets(_ mask: UInt64) -> Bool {
            cell.bits & mask <= northeast & mask && cell.end & mask >= southwest & mask
        }
        return meets(Self.columns) && meets(Self.rows)
    }

    /// Whether each point of a cell is in the box: what is on a line at its edge may be outside.
    func surrounds(_ cell: SpatialCell) -> Bool {
        func surrounds(_ mask: UInt64) -> Bool {
            cell.bits & mask > southwest & mask && cell.end & mask < northeast & mask
        }
        return surrounds(Self.columns) && surrounds(Self.rows)
    }

    /// Calls `body` with the entries of a spatial index whose points are in the box.
    ///
    /// - Complexity: O(k + √n log n) for k of n entries: of the leaves only those with points in the box or near its
    ///   edge are read.
    func forEach(in index: OrderedIndex, _ body: (OrderedEntry) -> Void) {
        let group = OrderedIndexLayout.values
        let corner = OrderedEntry(group: group, row: .min, key: southwest)
        index.forEachLeaf(from: corner) { entries, next in
            for entry in entries where entry.group == group {
                if meets(SpatialCell(bits: entry.key, level: 0)) { body(entry) }
            }
            guard let next, next.group == group, let bits = first(from: next.key) else {
                return nil
            }
            return bits == next.key ? next : OrderedEntry(group: group, row: .min, key: bits)
        }
    }

    /// The first code of the box from one on.
    private func first(from bits: UInt64) -> UInt64? {
        var bits = bits
        while true {
            // Where a column or a row that is outside differs from those at the edge, the bits below are free:
            // they make the largest cell around the point that does not meet the box.
            var apart: UInt64 = 0
            for mask in [Self.columns, Self.rows] {
                let place = bits & mask
                if place < southwest & mask { apart |= place ^ southwest & mask }
                if place > northeast & mask { apart |= place ^ northeast & mask }
            }
            guard apart != 0 else { return bits }
            let rest: UInt64 = 1 << UInt64((63 - apart.leadingZeroBitCount) & ~1) - 1
            guard bits | rest < .max else { return nil }
            bits = (bits | rest) + 1
        }
    }
}
