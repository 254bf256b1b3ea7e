import PlacesBase

extension QueryPlanner {
    /// The rows that some conditions let lie in a box, by a spatial index, and which conditions these are.
    mutating func area(
        _ conditions: [PlannedCondition], in table: TableNumber
    ) -> (source: Source, conditions: [Int])? {
        guard choices.contains(.ranges) else { return nil }
        for (number, layout) in graph.layout.tables[table].orderedIndexes.enumerated()
        where layout.isSpatial {
            var bounds = AreaBounds(layout)
            let used = conditions.indices.filter { bounds.narrow(conditions[$0].condition) }
            guard let boxes = bounds.boxes else { continue }
            let cover = SpatialCover(boxes, in: graph.tables[table].orderedIndexes[number])
            let inside = node(table, cover.count, .area(SpatialRanges(index: number, cover: cover)))
            guard cover.lineCount > 0 else { return ((inside, []), used) }
            // Only what is on a line at the edge of a box has to be asked where it is.
            let lines = node(
                table, cover.lineCount,
                .area(SpatialRanges(index: number, cover: cover, areOnLines: true)))
            let asked = node(
                table, cover.lineCount,
                .filter(lines, tests(used.map { conditions[$0] }, in: table)))
            let count = cover.count + cover.lineCount
            return ((node(table, count, .union([inside, asked])), []), used)
        }
        return nil
    }

    /// The plan that reads the rows around a point until it has enough, where they are wanted by their distance and that
    /// seems to take less time than to find all rows and sort them.
    mutating func nearest(
        _ condition: PlannedCondition, in table: TableNumber, by keys: [SortKey], first limit: Int?,
        otherwise sort: QueryPlan, _ all: QueryPlan
    ) -> QueryPlan? {
        guard choices.contains(.walks), let limit, limit > 0, let key = keys.first, key.isAscending,
            case .distance(.attribute(let latitude), .attribute(let longitude), let center) =
                key.operand, center.isValid, !condition.condition.isOpaque,
            let index = graph.layout.tables[table].orderedIndexes.firstIndex(where: {
                $0.isSpatial && [$0.columns[0].column] == latitude
                    && [$0.columns[1].column] == longitude
            })
        else { return nil }
        let conditions = if case .all(let parts) = condition.form { parts } else { [condition] }
        let asked = conditions.filter { !$0.condition.isConstant(true) }
        let budget = max(1_024, graph.tables[table].count / 8)
        let share = asked.commonShare
        guard choices.contains(.eager) || Double(limit) / max(share, 1e-9) <= Double(budget) else {
            return nil
        }
        let step = NearestRows(
            index: index, center: center, limit: limit, share: share, budget: budget,
            keys: keys.count > 1 ? keys : [])
        return node(
            table, min(limit, all.estimate),
            .nearest(step, tests(asked, in: table), otherwise: sort))
    }
}

/// What comparisons say of where the rows lie that satisfy them.
private struct AreaBounds {
    private let latitude: [Slot]
    private let longitude: [Slot]
    private var height = Bounds()
    private var widths = [Bounds()]
    /// More widths than this are more to look through than an index saves, and each choice may double them.
    private static let mostWidths = 16

    init(_ index: OrderedIndexLayout) {
        latitude = [index.columns[0].column]
        longitude = [index.columns[1].column]
    }

    /// Takes a condition into account, if it is about where rows lie and leaves few widths; returns whether it does.
    mutating func narrow(_ condition: Condition) -> Bool {
        if let bounds = Self.bounds(condition, of: latitude) {
            height = height.intersection(bounds)
            return true
        }
        var parts: [Bounds] = []
        let choices = if case .any(let choices) = condition { choices } else { [condition] }
        for choice in choices {
            let conditions = if case .all(let inner) = choice { inner } else { [choice] }
            var bounds = Bounds()
            for condition in conditions {
                guard let part = Self.bounds(condition, of: longitude) else { return false }
                bounds = bounds.intersection(part)
            }
            parts.append(bounds)
        }
        let narrower = widths.flatMap { width in
            parts.map { width.intersection($0) }.filter { $0.least <= $0.greatest }
        }
        guard narrower.count <= Self.mostWidths else { return false }
        widths = narrower
        return true
    }

    /// The boxes in which the rows lie; `nil` where something else than points of the Earth may lie there too.
    var boxes: [CoordinateBox]? {
        guard height.least >= -90, height.greatest <= 90,
            widths.allSatisfy({ $0.least >= -180 && $0.greatest <= 180 })
        else { return nil }
        return widths.map {
            CoordinateBox(
                southwest: Coordinate(latitude: height.least, longitude: $0.least),
                northeast: Coordinate(latitude: height.greatest, longitude: $0.greatest))
        }
    }

    private static func bounds(_ condition: Condition, of path: [Slot]) -> Bounds? {
        guard
            case .comparison(.attribute(path), let comparison, .constant(.double(let number))) =
                condition, !number.isNaN
        else { return nil }
        return switch comparison {
        case .less, .lessOrEqual: Bounds(greatest: number)
        case .greater, .greaterOrEqual: Bounds(least: number)
        case .equal: Bounds(least: number, greatest: number)
        case .notEqual: nil
        }
    }
}

/// Between which numbers others lie, these included.
private struct Bounds {
    var least = -Double.infinity
    var greatest = Double.infinity

    func intersection(_ other: Bounds) -> Bounds {
        Bounds(least: max(least, other.least), greatest: min(greatest, other.greatest))
    }
}
