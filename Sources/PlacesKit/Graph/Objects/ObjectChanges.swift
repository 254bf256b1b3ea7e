import Synchronization

/// Which objects a change inserted, updated and deleted.
///
/// Making it takes O(1); it computes its lists when you ask for them. It keeps the parts of the
/// graph that it compares.
public struct ObjectChanges: Sendable {
    /// What differs between two graphs, once somebody asked for it.
    private final class Difference: Sendable {
        let before: Graph
        let after: Graph
        private let found = Mutex<ChangeSet?>(nil)

        init(from before: Graph, to after: Graph) {
            self.before = before
            self.after = after
        }

        var changes: ChangeSet {
            found.withLock { found in
                let changes = found ?? ChangeSet(from: before, to: after)
                found = changes
                return changes
            }
        }
    }

    private enum Source {
        case known(ChangeSet)
        case difference(Difference)
    }

    private let source: Source

    init(changes: ChangeSet) { source = .known(changes) }

    /// What these changes and all up to some later ones did, which is found out when it is asked for.
    init(from first: ObjectChanges, to last: ObjectChanges) {
        source = .difference(Difference(from: first.graphs.before, to: last.graphs.after))
    }

    /// The changes, unless they are yet to be found out.
    var known: ChangeSet? { if case .known(let changes) = source { changes } else { nil } }

    var changes: ChangeSet {
        switch source {
        case .known(let changes): changes
        case .difference(let difference): difference.changes
        }
    }

    private var graphs: (before: Graph, after: Graph) {
        switch source {
        case .known(let changes): (changes.before, changes.after)
        case .difference(let difference): (difference.before, difference.after)
        }
    }

    /// The inserted objects, by entity and in the order of their insertion.
    public var inserted: [ObjectID] { objects(\.inserted, in: changes.after) }

    /// The deleted objects.
    public var deleted: [ObjectID] { objects(\.deleted, in: changes.before) }

    /// The updated objects, with the names of their changed properties.
    public var updated: [ObjectID: Set<String>] {
        var updated: [ObjectID: Set<String>] = [:]
        for table in changes.tables.tableNumbers {
            for update in changes.tables[table].updated {
                updated[changes.after.objectID(update.row, in: table)] = names(
                    of: update, in: table)
            }
        }
        return updated
    }

    /// Whether nothing changed.
    public var isEmpty: Bool { changes.isEmpty }

    private func objects(
        _ rows: (TableChanges) -> ContiguousArray<Row>, in graph: Graph
    ) -> [ObjectID] {
        changes.tables.tableNumbers.flatMap { table in
            rows(changes.tables[table]).map { graph.objectID($0, in: table) }
        }
    }
}
