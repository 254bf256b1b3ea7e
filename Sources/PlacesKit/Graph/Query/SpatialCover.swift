import PlacesBase

/// The parts of a spatial index in which the points of some boxes lie.
///
/// The map is halved and halved again, down to cells that lie in a box, outside, or have few rows.
///
/// - Complexity: O(√n log n) for n rows that are found, for only cells at the edges of the boxes are divided.
struct SpatialCover {
    /// The positions of rows that all lie in the boxes.
    private(set) var inside: [Range<Int>] = []
    /// The positions of rows of which some lie in the boxes.
    private(set) var edge: [Range<Int>] = []
    private let index: OrderedIndex
    /// The place that was last looked for: cells that are next to each other share it.
    private var last: (bits: UInt64, position: Int)?

    /// Cells with so few rows are not divided: reading a row takes a tenth of what finding a place does.
    private static let fewRows = 24

    init(_ boxes: [CoordinateBox], in index: OrderedIndex) {
        self.index = index
        for box in boxes
        where box.southwest.latitude <= box.northeast.latitude
            && box.southwest.longitude <= box.northeast.longitude
        {
            let corners = (SpatialCode(box.southwest), SpatialCode(box.northeast))
            guard case (let southwest?, let northeast?) = corners else { continue }
            add(GridBox(southwest, northeast), in: Cell())
        }
    }

    /// How many rows are in the parts.
    var count: Int { (inside + edge).reduce(0) { $0 + $1.count } }

    private mutating func add(_ box: GridBox, in cell: Cell) {
        var cell = cell
        // A cell that has one quarter with points of the box is left alone.
        while cell.level > 0 {
            let quarters = cell.quarters.filter { box.meets($0) }
            if quarters.isEmpty { return }
            if quarters.count > 1 { break }
            cell = quarters[0]
        }
        let positions = positions(of: cell)
        if positions.isEmpty { return }
        if box.surrounds(cell) {
            Self.append(positions, to: &inside)
        } else if positions.count <= Self.fewRows || cell.level == 0 {
            Self.append(positions, to: &edge)
        } else {
            for quarter in cell.quarters where box.meets(quarter) { add(box, in: quarter) }
        }
    }

    private static func append(_ positions: Range<Int>, to ranges: inout [Range<Int>]) {
        if let last = ranges.last, last.upperBound == positions.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<positions.upperBound
        } else {
            ranges.append(positions)
        }
    }

    private mutating func positions(of cell: Cell) -> Range<Int> {
        let start = position(cell.code.bits)
        let (next, isEnd) = cell.code.bits.addingReportingOverflow(cell.size)
        let end =
            isEnd || cell.level == 32
            ? index.position(of: .end(of: OrderedIndexLayout.values)) : position(next)
        return start..<max(start, end)
    }

    private mutating func position(_ bits: UInt64) -> Int {
        if let last, last.bits == bits { return last.position }
        let position = index.position(
            of: OrderedEntry(group: OrderedIndexLayout.values, row: .min, key: bits))
        last = (bits, position)
        return position
    }
}

/// A square of the grid of `SpatialCode`: the codes that begin with the same bits.
private struct Cell {
    var code = SpatialCode(bits: 0)
    /// How often the cell can be halved both ways; 32 for the whole map.
    var level = 32

    /// How many codes the cell has; zero for the whole map, for there is no such number.
    var size: UInt64 { level == 32 ? 0 : 1 << UInt64(level * 2) }

    /// How many steps are between its edges.
    var reach: UInt32 { level == 32 ? .max : (1 << UInt32(level)) - 1 }

    var quarters: [Cell] {
        (0..<4).map {
            Cell(
                code: SpatialCode(bits: code.bits + $0 << UInt64((level - 1) * 2)), level: level - 1
            )
        }
    }
}

/// A box in the grid, its edges included.
private struct GridBox {
    let x: ClosedRange<UInt32>
    let y: ClosedRange<UInt32>

    init(_ southwest: SpatialCode, _ northeast: SpatialCode) {
        x = southwest.x...northeast.x
        y = southwest.y...northeast.y
    }

    /// Whether the box has a point in common with a cell.
    func meets(_ cell: Cell) -> Bool {
        let (west, south) = (cell.code.x, cell.code.y)
        return west <= x.upperBound && west + cell.reach >= x.lowerBound
            && south <= y.upperBound && south + cell.reach >= y.lowerBound
    }

    /// Whether each point of a cell is in the box: what is on a line at its edge may be outside.
    func surrounds(_ cell: Cell) -> Bool {
        let (west, south) = (cell.code.x, cell.code.y)
        return west > x.lowerBound && west + cell.reach < x.upperBound
            && south > y.lowerBound && south + cell.reach < y.upperBound
    }
}
