/// Keeps the rows of a request in order as the graph changes: state without delivery.
///
/// Only the rows that a change touches, directly or through a relationship that the request looks
/// through, are asked again; the others keep their order.
struct ResultsTracker {
    /// Rows in their order, each with the name of its section.
    struct Rows {
        var rows: ContiguousArray<Int32> = []
        var sections: ContiguousArray<String> = []
    }

    /// All matches in the order of the sort descriptors, whatever the window.
    private var all = Rows()
    /// What the window shows, grouped by section.
    private(set) var shown = Rows()
    private let window: Range<Int>
    private let isSectioned: Bool
    private let table: Int
    private let query: TrackedQuery

    /// Fetches the rows of a request.
    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, section: PartialKeyPath<Object>?, table: ObjectTable,
        context: ManagedObjectContext
    ) throws(ContextError) {
        window = request.window
        isSectioned = section != nil
        self.table = table.number
        query = try TrackedQuery(request, section: section, table: table, context: context)
        all = query.fetch(from: context.transaction.graph)
        show()
    }

    /// Follows a change; returns the rows that it touched, or `nil` if none concerns the request.
    mutating func update(_ changes: ChangeSet) -> Set<Int32>? {
        let touched = query.rows(touchedBy: changes)
        switch touched {
        case .none: return nil
        case .these(let rows):
            replace(rows, in: changes.after)
            show()
            return rows
        case .unknown(let changed):
            let before = Set(shown.rows)
            all = query.fetch(from: changes.after)
            show()
            return changed.union(before.symmetricDifference(shown.rows))
        }
    }

    /// Takes the touched rows out, and puts those that match back where they belong now.
    private mutating func replace(_ touched: Set<Int32>, in graph: Graph) {
        var kept = Rows()
        kept.rows.reserveCapacity(all.rows.count + touched.count)
        kept.sections.reserveCapacity(all.rows.count + touched.count)
        let matching = query.sort(
            ContiguousArray(touched.filter { query.matches($0, in: graph) }.sorted()), in: graph)
        var remaining = matching[...]
        for (index, row) in all.rows.enumerated() where !touched.contains(row) {
            while let next = remaining.first, query.precedes(next, row, in: graph) {
                kept.rows.append(next)
                kept.sections.append(query.section(of: next, in: graph))
                remaining.removeFirst()
            }
            kept.rows.append(row)
            kept.sections.append(all.sections[index])
        }
        for row in remaining {
            kept.rows.append(row)
            kept.sections.append(query.section(of: row, in: graph))
        }
        all = kept
    }

    /// Cuts the window, and gathers the rows of each section behind its first.
    private mutating func show() {
        let visible = window.clamped(to: all.rows.indices)
        shown = Rows(
            rows: ContiguousArray(all.rows[visible]),
            sections: ContiguousArray(all.sections[visible]))
        guard isSectioned else { return }
        var members: [String: ContiguousArray<Int32>] = [:]
        var names: ContiguousArray<String> = []
        for (row, name) in zip(shown.rows, shown.sections) {
            if members[name, default: []].isEmpty { names.append(name) }
            members[name, default: []].append(row)
        }
        shown = Rows()
        for name in names {
            for row in members[name, default: []] {
                shown.rows.append(row)
                shown.sections.append(name)
            }
        }
    }

    /// What is shown, by identifier.
    func snapshot(in graph: Graph) -> ResultsSnapshot<ObjectID> {
        let identifiers = shown.rows.map { graph.objectID($0, in: table) }
        guard isSectioned else { return ResultsSnapshot(identifiers) }
        var index = 0
        return ResultsSnapshot(identifiers) { _ in
            defer { index += 1 }
            return shown.sections[index]
        }
    }
}
