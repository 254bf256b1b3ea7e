extension SnapshotReader {
    /// Ties the links, and enters all objects into the indexes.
    ///
    /// The indexes of unique attributes are made meanwhile on other cores; those of derived ones, which get
    /// their values as links are tied, afterwards.
    func settle(_ json: borrowing (some SnapshotInput & ~Copyable)) throws {
        let builders = uniqueIndexBuilders { table, slot in !layout.tables[table].isDerived(slot) }
        let results = concurrentMap(builders.count + 1) { position in
            Result<HashIndex?, any Error> {
                if position > 0 { return builders[position - 1].build() }
                for table in layout.entityTables { transaction.joinRows(of: table) }
                try tieLinks(json)
                return nil
            }
        }
        for (builder, result) in zip(builders, results.dropFirst()) {
            guard let index = try result.get() else { continue }
            transaction.put(index, at: builder.number, of: builder.table)
        }
        for builder in uniqueIndexBuilders({ layout.tables[$0].isDerived($1) }) {
            transaction.put(builder.build(), at: builder.number, of: builder.table)
        }
        guard layout.entityTables.allSatisfy({ duplicate(in: $0) == nil }) else {
            throw DuplicateValue()
        }
        _ = try results[0].get()
    }

    /// What makes the indexes of some unique attributes.
    private func uniqueIndexBuilders(
        _ isIncluded: (_ table: TableNumber, _ slot: Slot) -> Bool
    ) -> [UniqueIndexBuilder] {
        layout.entityTables.flatMap { table in
            layout.tables[table].uniqueSlots.enumerated()
                .filter { isIncluded(table, $0.element) }
                .map { UniqueIndexBuilder($0.offset, of: table, in: transaction) }
        }
    }
}
