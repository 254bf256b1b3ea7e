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
    /// The request's keys, where rows that are equally far are to be sorted by others.
    var keys: [SortKey]
}

extension QueryRun {
    /// More kilometres than by which the distances to two codes may mistake what lies nearer: a code is two centimetres
    /// wide, and distances to the other side of the Earth are exact to half a metre.
    fileprivate static let doubt = 0.002

    /// The rows nearest to a point that pass some tests, nearest first; `nil` where more rows would have to be looked at
    /// than may be.
    ///
    /// A circle grows until enough of the rows in it pass. Rows that are equally far come in the order of the other keys
    /// and then in their own, and after all others those that lie nowhere.
    mutating func nearest(
        _ nearest: NearestRows, _ tests: [RowTest], in table: TableNumber, opaque: (Row) -> Bool
    ) -> ContiguousArray<Row>? {
        let index = graph.tables[table].orderedIndexes[nearest.index]
        let layout = graph.layout.tables[table].orderedIndexes[nearest.index]
        let latitudes = graph.tables[table].columns[layout.columns[0].column]
        let longitudes = graph.tables[table].columns[layout.columns[1].column]
        let wanted = Int(min(Double(nearest.limit) / max(nearest.share, 1e-6), 0x1p28).rounded(.up))
        guard let code = SpatialCode(nearest.center) else { return nil }
        let around = DistancesAround(nearest.center)
        var kilometers = index.radius(of: wanted, around: nearest.center, code)
        var seen = 0
        while true {
            var entries = ContiguousArray<OrderedEntry>()
            let circle = CoordinateArea.circle(center: nearest.center, kilometers: kilometers)
            for box in circle.boxes.compactMap(GridBox.init) {
                box.forEach(in: index) { entries.append($0) }
            }
            seen += entries.count
            if seen > nearest.budget { return nil }
            if !tests.isEmpty {
                let rows = ContiguousArray(entries.map(\.row))
                let passing = passing(
                    tests, RowDomain(rows: rows), RowSet(positions: rows.count), in: table,
                    opaque: opaque)
                entries = ContiguousArray(passing.rows.map { entries[$0.index] })
            }
            // The middles of the codes tell how far the rows lie, but for those of which another lies as far.
            let limit = around.haversine(of: kilometers)
            var found = ContiguousArray<(distance: Double, row: Row)>()
            found.reserveCapacity(entries.count)
            for entry in entries {
                let haversine = around.haversine(to: SpatialCode(bits: entry.key).middle)
                if haversine <= limit { found.append((haversine, entry.row)) }
            }
            found.sort { $0.distance < $1.distance }
            if found.count >= nearest.limit,
                case let last = around.kilometers(of: found[nearest.limit - 1].distance),
                last + Self.doubt <= kilometers
            {
                let end = around.haversine(of: last + Self.doubt)
                found.removeSubrange(found.indices.endOfPrefix { found[$0].distance <= end }...)
                for index in found.indices {
                    found[index].distance = around.kilometers(of: found[index].distance)
                }
                let rough = found
                for (first, second) in zip(rough.indices, rough.indices.dropFirst())
                where rough[second].distance - rough[first].distance <= Self.doubt {
                    for index in first...second {
                        let row = rough[index].row
                        let point = Coordinate(
                            latitude: latitudes.element(Double.self, at: row),
                            longitude: longitudes.element(Double.self, at: row))
                        found[index].distance = nearest.center.kilometers(to: point)
                    }
                }
                found.sort { ($0.distance, $0.row) < ($1.distance, $1.row) }
                guard !nearest.keys.isEmpty else {
                    return ContiguousArray(found.prefix(nearest.limit).map(\.row))
                }
                let farthest = found[nearest.limit - 1].distance
                var rows = ContiguousArray(
                    found.lazy.filter { $0.distance <= farthest }.map(\.row))
                rows.sort()
                return graph.sorted(rows, by: nearest.keys, in: table, first: nearest.limit)
            }
            // There is nothing further away: what is still wanted lies nowhere, which the other plan finds.
            if kilometers > .pi * Coordinate.earthRadius { return nil }
            kilometers *= 1.5
        }
    }
}

extension OrderedIndex {
    /// About how many kilometres around a point so many rows lie, and half as many again.
    ///
    /// The entries before and after it in the order of the index tell how densely they lie. A circle that is too small
    /// takes less time than one that is too large, so the side on which they lie more densely counts.
    fileprivate func radius(
        of wanted: Int, around center: Coordinate, _ code: SpatialCode
    ) -> Double {
        let all = range(ofGroup: OrderedIndexLayout.values)
        let middle = position(
            of: OrderedEntry(group: OrderedIndexLayout.values, row: .min, key: code.bits))
        let spans = [middle - wanted * 2, middle + wanted * 2].filter(all.contains).map {
            let key = self[$0].key
            return max(key, code.bits) - min(key, code.bits)
        }
        guard let span = spans.min() else { return .greatestFiniteMagnitude }
        // A step of the grid from south to north is half of one from west to east at the equator, and none at the poles.
        let width = 2 * max(0.05, cos(center.latitude * .pi / 180))
        let steps = (Double(span) * 0.8 * width / .pi).squareRoot()
        return steps * .pi / 0x1p32 * Coordinate.earthRadius + QueryRun.doubt * 2
    }
}
