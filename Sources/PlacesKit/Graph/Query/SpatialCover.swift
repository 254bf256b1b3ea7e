import PlacesBase

/// The parts of a spatial index in which the points of some boxes lie.
///
/// The map is halved and halved again, down to cells that lie in a box, outside, or have few rows.
///
/// - Complexity: O(√n log n) for n rows that are found, for only cells at the edges of the boxes are divided.
struct SpatialCover: Sendable {
    /// The positions of rows that all lie in the boxes.
    private var inside: [Range<Int>] = []
    /// The positions of rows of which some lie in the boxes.
    private var edge: [Range<Int>] = []
    /// The entries there of rows that do, without those on a line at the edge of a box, whose codes do not tell it.
    private var surrounded = ContiguousArray<OrderedEntry>()
    /// The entries of rows that may lie on a line at the edge of a box, and are in no other.
    private var lines = ContiguousArray<OrderedEntry>()
    private let boxes: [GridBox]
    /// The place that was last looked for: cells that are next to each other share it.
    private var last: (bits: UInt64, position: Int)?

    /// Cells with so few rows are not divided: reading an entry takes a hundredth of what finding a place
    /// does.
    private static let fewRows = 192

    init(_ boxes: [CoordinateBox], in index: OrderedIndex) {
        self.boxes = boxes.compactMap(GridBox.init)
        add(SpatialCell(), index)
        for range in edge { index.forEachRun(range) { for entry in $0 { note(entry) } } }
    }

    /// How many rows lie in the boxes, but for those on lines.
    var count: Int { inside.reduce(0) { $0 + $1.count } + surrounded.count }

    /// In how many parts of the index they lie.
    var parts: Int { inside.count + edge.count }

    /// The rows that lie in the boxes, but for those on lines.
    func rows(in index: OrderedIndex) -> ContiguousArray<Row> {
        index.rows(at: inside) + surrounded.map(\.row)
    }

    /// The rows that may lie on a line at the edge of a box, and are in no other.
    var onLines: ContiguousArray<Row> { ContiguousArray(lines.map(\.row)) }

    /// How many these are.
    var lineCount: Int { lines.count }

    /// The entries of all these rows.
    func entries(in index: OrderedIndex) -> ContiguousArray<OrderedEntry> {
        var entries = surrounded + lines
        for range in inside { index.forEachRun(range) { entries.append(contentsOf: $0) } }
        return entries
    }

    private mutating func note(_ entry: OrderedEntry) {
        let point = SpatialCell(bits: entry.key, level: 0)
        var isMet = false
        for box in boxes where box.meets(point) {
            if box.surrounds(point) { return surrounded.append(entry) }
            isMet = true
        }
        if isMet { lines.append(entry) }
    }

    private mutating func add(_ first: SpatialCell, _ index: OrderedIndex) {
        var cell = first
        // A cell that has one quarter with points of the boxes is left alone.
        while cell.level > 0 {
            var (count, only) = (0, cell)
            for number in 0..<4 {
                let quarter = cell.quarter(number)
                guard boxes.contains(where: { $0.meets(quarter) }) else { continue }
                (count, only) = (count + 1, quarter)
            }
            if count == 0 { return }
            if count > 1 { break }
            cell = only
        }
        let positions = positions(of: cell, index)
        if positions.isEmpty { return }
        if boxes.contains(where: { $0.surrounds(cell) }) {
            Self.append(positions, to: &inside)
        } else if positions.count <= Self.fewRows || cell.level == 0 {
            Self.append(positions, to: &edge)
        } else {
            for number in 0..<4 {
                let quarter = cell.quarter(number)
                if boxes.contains(where: { $0.meets(quarter) }) { add(quarter, index) }
            }
        }
    }

    private static func append(_ positions: Range<Int>, to ranges: inout [Range<Int>]) {
        if let last = ranges.last, last.upperBound == positions.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<positions.upperBound
        } else {
            ranges.append(positions)
        }
    }

    private mutating func positions(of cell: SpatialCell, _ index: OrderedIndex) -> Range<Int> {
        let start = position(cell.bits, index)
        let (next, isEnd) = cell.bits.addingReportingOverflow(cell.size)
        let end =
            isEnd || cell.level == 32
            ? index.position(of: .end(of: OrderedIndexLayout.values)) : position(next, index)
        return start..<max(start, end)
    }

    private mutating func position(_ bits: UInt64, _ index: OrderedIndex) -> Int {
        if let last, last.bits == bits { return last.position }
        let position = index.position(
            of: OrderedEntry(group: OrderedIndexLayout.values, row: .min, key: bits))
        last = (bits, position)
        return position
    }
}

/// A square of the grid of `SpatialCode`: the codes that begin with the same bits.
private struct SpatialCell {
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
private struct GridBox {
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
}
