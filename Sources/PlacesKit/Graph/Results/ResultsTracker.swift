/// Keeps the rows of a request in order as the graph changes: state without delivery.
///
/// Only the rows that a change touches, directly or through a relationship that the request looks
/// through, are asked again; the others keep their order. Where something was not compiled, so that it
/// is not known what it depends on, all rows are asked.
struct ResultsTracker {
    /// The results now.
    private(set) var snapshot: ResultsSnapshot<ObjectID>
    /// The graph in which they are.
    var graph: Graph { results.graph }
    /// The ordered rows.
    var rows: RankedRows { results.rows }
    /// What is asked.
    ///
    /// A condition may move with time, if `update` is told which rows that touches.
    var query: TrackedQuery
    private(set) var results: RankedResults {
        didSet { snapshot = ResultsSnapshot(results) }
    }

    /// Fetches the rows of a request from a graph.
    init(_ query: TrackedQuery, in graph: Graph) {
        self.query = query
        results = Self.fetch(query, from: graph)
        snapshot = ResultsSnapshot(results)
    }

    private static func fetch(_ query: TrackedQuery, from graph: Graph) -> RankedResults {
        RankedResults(
            rows: query.fetch(from: graph), query: query.compiled, graph: graph,
            lineage: Transaction.makeToken())
    }

    /// Takes touched rows out of the results, puts those that match where they belong now, and tells
    /// the difference.
    ///
    /// This is the one way in which results change. Rows that passing time touches come this way too;
    /// the query's condition is already that of the new moment.
    ///
    /// - Parameters:
    ///   - touched: The rows that may have come, gone, changed or moved, each once; rows that changed
    ///     have properties or dependencies that did.
    ///   - before: The graph in which the results are now.
    ///   - after: The graph in which they shall be.
    /// - Returns: What happened; it may be nothing.
    /// - Complexity: O(k log n) for k touched rows of n. O(n log n) where the request was not compiled.
    mutating func update(
        _ touched: ContiguousArray<TouchedRow>, from before: Graph, to after: Graph
    ) -> ResultsChange<ObjectID> {
        guard !query.compiled.isOpaque, results.rows.nextNumber < Int32.max - Int32(1 << 28) else {
            return refetch(touched, from: before, to: after)
        }
        // A row that has not been where its values put it is noticed, so that nothing is listed twice.
        let asksBefore =
            query.compiled.hasOwnOrder || query.compiled.hasOwnSections && !query.isMoving
        var rows = results.rows
        let (shown, fates) = rows.update(
            touched.lazy.map(\.row), query.compiled, from: before, to: after,
            matched: asksBefore ? query.matching(in: before) : nil,
            matches: query.matching(in: after))
        if rows.isContradicted { return refetch(touched, from: before, to: after) }
        let old = snapshot
        results = RankedResults(
            rows: rows, query: query.compiled, graph: after, lineage: results.lineage)
        var properties: [ObjectID: Set<String>] = [:]
        var items: [TouchedItem<ObjectID>] = []
        items.reserveCapacity(shown.count)
        let changed = Dictionary(
            touched.lazy.map { ($0.row, $0) }, uniquingKeysWith: { first, _ in first })
        for row in shown {
            let graph = row.new == nil ? before : after
            var item = TouchedItem(
                identifier: graph.objectID(row.row, in: query.compiled.table),
                oldPosition: row.old, newPosition: row.new)
            let touched = changed[row.row]
            item.isChanged = !row.isSlid && touched?.isChanged ?? true
            if item.isChanged, let touched {
                item.properties = query.dependencies.propertyNames(
                    touched, from: before, to: after)
                properties[item.identifier] = item.properties
            }
            item.keepsSectionOwner =
                row.old != nil && row.new != nil
                && query.compiled.keepsSectionOwner(row.row, from: before, to: after)
            items.append(item)
        }
        return ResultsChange(
            from: old, to: snapshot, difference: ResultsDifference(items, fates),
            touched: properties)
    }

    /// Follows changes to the graph where they lead, and to the present time.
    ///
    /// - Parameters:
    ///   - changes: The changes; `nil` where time alone passes.
    ///   - touched: The rows that these touch, where the time changes nothing by itself.
    ///   - after: The graph in which the results shall be.
    /// - Returns: What happened; it may be nothing.
    mutating func follow(
        _ changes: ChangeSet?, touching touched: ContiguousArray<TouchedRow>, in after: Graph
    ) -> ResultsChange<ObjectID> {
        let before = changes?.before ?? graph
        guard query.isMoving else { return update(touched, from: before, to: after) }
        let passing = query.follow(changes, in: after)
        // What is read may be something else than it was when somebody found the touched rows.
        var touched = changes.map(query.dependencies.rows) ?? []
        guard case .these(let rows) = passing else {
            return refetch(touched, from: before, to: after)
        }
        let known = Set(touched.lazy.map(\.row))
        for row in rows where !known.contains(row) {
            touched.append(TouchedRow(row: row, isChanged: false))
        }
        return update(touched, from: before, to: after)
    }

    /// Lets go of the graph in which the results are, for one in which they are the same.
    mutating func follow(to after: Graph) {
        results.graph = after
    }

    /// Follows changes, and asks for all rows, since some may be missing.
    ///
    /// - Complexity: O(n log n).
    mutating func fetchAgain(following changes: ChangeSet) -> ResultsChange<ObjectID> {
        var query = query
        if query.isMoving { _ = query.follow(changes, in: changes.after) }
        return fetch(query, in: changes.after)
    }

    /// Asks another query in a graph, which may be later than that of the results.
    ///
    /// - Complexity: O(n log n).
    mutating func fetch(_ query: TrackedQuery, in after: Graph) -> ResultsChange<ObjectID> {
        let before = graph
        let touched = self.query.dependencies.rows(
            touchedBy: ChangeSet(from: before, to: after))
        let names = propertyNames(touched, from: before, to: after)
        self.query = query
        let old = snapshot
        results = Self.fetch(query, from: after)
        return ResultsChange(from: old, to: snapshot, touched: names)
    }

    /// Makes the results others than those before, from which no difference leads to them.
    mutating func beginLineage() {
        results.lineage = Transaction.makeToken()
    }

    /// Fetches all rows, and compares what is shown.
    private mutating func refetch(
        _ touched: ContiguousArray<TouchedRow>, from before: Graph, to after: Graph
    ) -> ResultsChange<ObjectID> {
        let old = snapshot
        results = Self.fetch(query, from: after)
        return ResultsChange(
            from: old, to: snapshot, touched: propertyNames(touched, from: before, to: after))
    }

    /// The names of what changed of touched rows.
    private func propertyNames(
        _ touched: ContiguousArray<TouchedRow>, from before: Graph, to after: Graph
    ) -> [ObjectID: Set<String>] {
        var names: [ObjectID: Set<String>] = [:]
        for touched in touched where touched.isChanged {
            let graph = after.contains(touched.row, in: query.compiled.table) ? after : before
            names[graph.objectID(touched.row, in: query.compiled.table)] =
                query.dependencies.propertyNames(touched, from: before, to: after)
        }
        return names
    }
}
