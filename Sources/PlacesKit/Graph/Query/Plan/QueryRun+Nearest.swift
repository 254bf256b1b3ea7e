import Foundation
import PlacesBase

/// The rows that lie nearest to a point.
struct NearestRows: Sendable {
    /// The number of the spatial index.
    var index: Int
    var center: Coordinate
    /// How many rows are wanted.
    var limit: Int
    /// Which share of the rows is expected to pass what is asked of them.
    var share: Double
    /// How many rows may be looked at before another plan takes less time.
    var budget: Int
}

extension QueryRun {
    /// The rows nearest to a point that pass some tests, nearest first; `nil` where more rows would have to be looked at
    /// than may be.
    ///
    /// A circle grows until enough of the rows in it pass. Rows that are equally far come in their own order, and after
    /// all others those that lie nowhere.
    mutating func nearest(
        _ nearest: NearestRows, _ tests: [RowTest], in table: TableNumber, opaque: (Row) -> Bool
    ) -> ContiguousArray<Row>? {
        let index = graph.tables[table].orderedIndexes[nearest.index]
        let layout = graph.layout.tables[table].orderedIndexes[nearest.index]
        let latitudes = graph.tables[table].columns[layout.columns[0].column]
        let longitudes = graph.tables[table].columns[layout.columns[1].column]
        let wanted = Int((Double(nearest.limit) / max(nearest.share, 1e-6)).rounded(.up))
        guard let map = LocalMap(nearest.center) else { return nil }
        var kilometers = index.radius(of: wanted, on: map)
        var seen = 0
        while true {
            let boxes = CoordinateArea.circle(center: nearest.center, kilometers: kilometers).boxes
            let cover = SpatialCover(boxes, in: index)
            var entries = cover.entries(in: index)
            seen += entries.count
            if seen > nearest.budget { return nil }
            if !tests.isEmpty {
                let rows = ContiguousArray(entries.map(\.row))
                let passing = passing(
                    tests, RowDomain(rows: rows), RowSet(positions: rows.count), in: table,
                    opaque: opaque)
                entries = ContiguousArray(passing.rows.map { entries[$0.index] })
            }
            var found: ContiguousArray<(kilometers: Double, row: Row)> = []
            for row in map.nearest(nearest.limit, among: entries, kilometers: kilometers) {
                let point = Coordinate(
                    latitude: latitudes.element(Double.self, at: row),
                    longitude: longitudes.element(Double.self, at: row))
                let distance = nearest.center.kilometers(to: point)
                if distance <= kilometers { found.append((distance, row)) }
            }
            if found.count >= nearest.limit {
                let first = found.smallest(nearest.limit) {
                    ($0.kilometers, $0.row) < ($1.kilometers, $1.row)
                }
                return ContiguousArray(first.map(\.row))
            }
            // There is nothing further away: what is still wanted lies nowhere, which the other plan finds.
            if kilometers > .pi * Coordinate.earthRadius { return nil }
            kilometers *= 2
        }
    }
}

extension OrderedIndex {
    /// About how many kilometres around the middle of a map at least so many rows lie.
    ///
    /// Among the entries on both sides of it in the order of the index most lie near it.
    fileprivate func radius(of wanted: Int, on map: LocalMap) -> Double {
        let all = range(ofGroup: OrderedIndexLayout.values)
        guard all.count > wanted else { return .greatestFiniteMagnitude }
        let middle = position(
            of: OrderedEntry(group: OrderedIndexLayout.values, row: .min, key: map.code.bits))
        var distances: ContiguousArray<Double> = []
        forEachRun((middle - wanted * 2..<middle + wanted * 2).clamped(to: all)) { entries in
            for entry in entries { distances.append(map.squareDistance(to: entry.key)) }
        }
        let steps = distances.smallest(at: min(wanted, distances.count - 1)).squareRoot()
        return max(steps * .pi / 0x1p32 * Coordinate.earthRadius * 1.001, 1e-6)
    }
}

/// The surroundings of a point as if the Earth were flat there, in steps of the grid, of which half as many lie
/// between the poles as around the Earth.
private struct LocalMap {
    let code: SpatialCode
    /// In radians.
    private let latitude: Double
    private let width: Double

    /// `nil` where there is no such point.
    init?(_ center: Coordinate) {
        guard let code = SpatialCode(center) else { return nil }
        self.code = code
        latitude = abs(center.latitude) * .pi / 180
        width = cos(latitude) * 2
    }

    func squareDistance(to bits: UInt64) -> Double {
        let point = SpatialCode(bits: bits)
        // Columns are counted the shorter way round the Earth.
        let x = Double(Int32(bitPattern: point.x &- code.x)) * width
        let y = Double(point.y) - Double(code.y)
        return x * x + y * y
    }

    /// The rows among which are those that lie nearest: all others are further away, however wrong the map is.
    ///
    /// - Parameters:
    ///   - count: How many are wanted.
    ///   - entries: The entries of the rows.
    ///   - kilometers: How far they are at most, or little more.
    /// - Returns: The rows.
    func nearest(
        _ count: Int, among entries: ContiguousArray<OrderedEntry>, kilometers: Double
    ) -> ContiguousArray<Row> {
        // Meridians come closer by the tangent of the latitude; what is round counts by the square.
        let angle = kilometers / Coordinate.earthRadius * 1.5
        let top = latitude + angle
        let error = top < 1.5 ? angle * tan(top) + angle * angle / (cos(top) * cos(top)) : 1
        guard entries.count > count, error < 0.1 else {
            return ContiguousArray(entries.map(\.row))
        }
        let distances = ContiguousArray(entries.map { squareDistance(to: $0.key) })
        // The codes of two points are less than three steps further apart, or nearer, than they are.
        let last = distances.smallest(at: count - 1).squareRoot() + 3
        let bound = last * (1 + error) / (1 - error) + 3
        var rows = ContiguousArray<Row>()
        for (entry, distance) in zip(entries, distances) where distance <= bound * bound {
            rows.append(entry.row)
        }
        return rows
    }
}

extension ContiguousArray<Double> {
    /// The number that would be at a position if all were sorted.
    ///
    /// - Complexity: O(n) on average, by quickselect: Hoare, Algorithm 65: Find (1961).
    fileprivate func smallest(at position: Int) -> Double {
        var numbers = self
        var range = numbers.indices
        while range.count > 1 {
            let pivot = numbers[range.lowerBound + range.count / 2]
            var (low, high) = (range.lowerBound, range.upperBound - 1)
            while low <= high {
                while numbers[low] < pivot { low += 1 }
                while numbers[high] > pivot { high -= 1 }
                guard low <= high else { break }
                numbers.swapAt(low, high)
                (low, high) = (low + 1, high - 1)
            }
            if position <= high {
                range = range.lowerBound..<high + 1
            } else if position >= low {
                range = low..<range.upperBound
            } else {
                break
            }
        }
        return numbers[position]
    }
}
