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
        var kilometers = index.radius(of: wanted, around: nearest.center)
        var seen = 0
        while true {
            let boxes = CoordinateArea.circle(center: nearest.center, kilometers: kilometers).boxes
            let cover = SpatialCover(boxes, in: index)
            seen += cover.count + cover.onLines.count
            if seen > nearest.budget { return nil }
            var rows = cover.rows(in: index) + cover.onLines
            if !tests.isEmpty {
                let passing = passing(
                    tests, RowDomain(rows: rows), RowSet(positions: rows.count), in: table,
                    opaque: opaque)
                var rest = ContiguousArray<Row>()
                passing.forEach { rest.append(rows[$0.index]) }
                rows = rest
            }
            var found: ContiguousArray<(kilometers: Double, row: Row)> = []
            found.reserveCapacity(rows.count)
            for row in rows {
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
    /// About how many kilometres around a point at least so many rows lie.
    ///
    /// Among the entries on both sides of the point in the order of the index most lie near it, and their codes tell
    /// where, as on a map of the surroundings.
    fileprivate func radius(of wanted: Int, around center: Coordinate) -> Double {
        let all = range(ofGroup: OrderedIndexLayout.values)
        guard let code = SpatialCode(center), all.count > wanted else {
            return .greatestFiniteMagnitude
        }
        let middle = position(
            of: OrderedEntry(group: OrderedIndexLayout.values, row: .min, key: code.bits))
        let width = cos(center.latitude * .pi / 180) * 2
        var distances: ContiguousArray<Double> = []
        forEachRun((middle - wanted * 2..<middle + wanted * 2).clamped(to: all)) { entries in
            for entry in entries {
                let point = SpatialCode(bits: entry.key)
                // Columns are counted the shorter way round the Earth.
                let x = Double(Int32(bitPattern: point.x &- code.x)) * width
                let y = Double(point.y) - Double(code.y)
                distances.append(x * x + y * y)
            }
        }
        distances.sort()
        let steps = distances[min(wanted, distances.count - 1)].squareRoot()
        return max(steps * .pi / 0x1p32 * Coordinate.earthRadius * 1.001, 1e-6)
    }
}
