extension GraphSnapshot {
    /// All objects without their classes, those of each hierarchy in the order of their insertion.
    ///
    /// Tests compare whole stores by them.
    package var records: [ObjectRecord] {
        let graph = committed.graph
        return graph.schema.entities.tableNumbers.flatMap { table in
            ObjectRecords(graph: graph, table: table, rows: graph.rows(in: table).rows)
        }
    }
}
