extension ManagedObjectContext {
    /// What is wrong with the context's graph and handles, in words; nothing if all is sound.
    package var brokenInvariants: [String] {
        transaction.brokenInvariants + state.tables.brokenInvariants + unsaved.brokenInvariants
            + undoStack.brokenInvariants + alarms.brokenInvariants

            + brokenRows
    }

    /// Rows that may be used again, and that objects of this context have.
    private var brokenRows: [String] {
        let unused = store.rows.unused
        let graphs = [transaction.graph, transaction.base, fork.committed.graph]
        let repeated = Dictionary(unused.map { ($0, 1) }, uniquingKeysWith: +).filter {
            $0.value > 1
        }
        return repeated.keys.map { "row \($0.row) of table \($0.table) is to be used twice" }
            + unused.flatMap { address -> [String] in
                let (table, row) = (address.table, address.row)
                let name = "\(state.tables[table].entity.name)/\(row)"
                var violations: [String] = []
                if graphs.contains(where: { $0.contains(row, in: table) }) {
                    violations.append("\(name) is there, and its row is to be used again")
                }
                if state.tables[table].handle(row) != nil {
                    violations.append("\(name) has a handle, and its row is to be used again")
                }
                return violations
            }
    }
}

extension GraphSnapshot {
    /// What is wrong with the snapshot's graph, in words; nothing if all is sound.
    package var brokenInvariants: [String] {
        committed.graph.brokenInvariants(allowingDeniedDeletes: false)
    }
}
