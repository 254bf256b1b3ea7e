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
    func rows(in index: OrderedIndex) -> ContiguousArray<Row> { rows(at: 0..<count, in: index) }

    /// Some of these, which are counted from zero.
    func rows(at places: Range<Int>, in index: OrderedIndex) -> ContiguousArray<Row> {
        var (parts, start) = ([Range<Int>](), 0)
        for range in inside {
            let part = places.clamped(to: start..<start + range.count)
            let first = range.lowerBound - start
            if !part.isEmpty { parts.append(part.lowerBound + first..<part.upperBound + first) }
            start += range.count
        }
        let rest = places.clamped(to: start..<start + surrounded.count)
        return index.rows(at: parts)
            + surrounded[rest.lowerBound - start..<rest.upperBound - start].map(\.row)
    }

    /// The rows that may lie on a line at the edge of a box, and are in no other.
    var onLines: ContiguousArray<Row> { ContiguousArray(lines.map(\.row)) }

    /// How many these are.
    var lineCount: Int { lines.count }

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
