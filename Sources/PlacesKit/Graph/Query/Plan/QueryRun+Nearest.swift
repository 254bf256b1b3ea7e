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
        let places = SpatialPlaces(layout, in: table, of: graph)
        let wanted = Int((Double(nearest.limit) / max(nearest.share, 1e-6)).rounded(.up))
        var kilometers = index.radius(of: wanted, around: nearest.center, places)
        var seen = 0
        while true {
            let boxes = CoordinateArea.circle(center: nearest.center, kilometers: kilometers).boxes
            let cover = SpatialCover(boxes, in: index)
            seen += cover.count
            if seen > nearest.budget { return nil }
            var found: ContiguousArray<(kilometers: Double, row: Row)> = []
            let rows = index.rows(at: cover.inside + cover.edge)
            let passing = passing(
                tests, RowDomain(rows: rows), RowSet(positions: rows.count), in: table,
                opaque: opaque)
            passing.forEach { position in
                let row = rows[position.index]
                let distance = nearest.center.kilometers(to: places.point(of: row))
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

/// Where rows lie, read from their columns.
private struct SpatialPlaces {
    private let latitudes: Column
    private let longitudes: Column

    init(_ layout: OrderedIndexLayout, in table: TableNumber, of graph: Graph) {
        latitudes = graph.tables[table].columns[layout.columns[0].column]
        longitudes = graph.tables[table].columns[layout.columns[1].column]
    }

    func point(of row: Row) -> Coordinate {
        Coordinate(
            latitude: latitudes.element(Double.self, at: row),
            longitude: longitudes.element(Double.self, at: row))
    }
}

extension OrderedIndex {
    /// About how many kilometres around a point so many rows lie.
    fileprivate func radius(
        of wanted: Int, around center: Coordinate, _ places: SpatialPlaces
    ) -> Double {
        let all = range(ofGroup: OrderedIndexLayout.values)
        guard let code = SpatialCode(center), all.count > wanted else {
            return .greatestFiniteMagnitude
        }
        // So many entries on both sides of the point in the order of the index; most of them lie near it.
        let middle = position(
            of: OrderedEntry(group: OrderedIndexLayout.values, row: .min, key: code.bits))
        let start = Swift.max(
            all.lowerBound, Swift.min(middle - wanted / 2 - 1, all.upperBound - wanted - 1))
        let near = rows(at: [start..<Swift.min(all.upperBound, start + wanted + 1)])
        var kilometers = near.reduce(0) { Swift.max($0, center.distance(to: places.point(of: $1))) }
        func count(_ kilometers: Double) -> Int {
            SpatialCover(
                CoordinateArea.circle(center: center, kilometers: kilometers).boxes, in: self
            ).count
        }
        // Where the order of the index jumps, some are far away.
        while kilometers > 1e-6, count(kilometers / 2) >= wanted * 2 { kilometers /= 2 }
        return kilometers
    }
}
