extension ManagedObjectContext {
    /// Deletes an object, and others as the delete rules say.
    ///
    /// A second delete does nothing. If a relationship with the rule `deny` forbids the delete, the
    /// next save refuses it. Objects that `prepareForDeletion` deletes are deleted after it has
    /// returned.
    public func delete(_ object: ManagedObject) {
        guard object.context === self, let table = object.table else {
            note(.noSuchObject(object.objectID))
            return
        }
        delete(object.row, from: table)
    }

    /// Deletes the object of a row, after telling it and those that go with it.
    func delete(_ row: Row, from table: ObjectTable) {
        guard hooks.pointee.deletions == nil else {
            hooks.pointee.deletions?.append((table, row))
            return
        }
        hooks.pointee.deletions = [(table, row)]
        defer { hooks.pointee.deletions = nil }
        while let (table, row) = hooks.pointee.deletions?.popLast() {
            prepareForDeletion(of: row, in: table)
            transaction.delete(row, from: table.number)
        }
        transaction.observations.tell()
    }

    /// Tells the object of a row, and all that its delete takes along, while every link is there.
    private func prepareForDeletion(of row: Row, in table: ObjectTable) {
        guard transaction.contains(row, in: table.number) else { return }
        guard transaction.cascades(from: table.number) else {
            return table.object(row).prepareForDeletion()
        }
        var prepared = Array(repeating: Set<Row>(), count: transaction.graph.tables.count)
        var handles = [ManagedObject?](repeating: nil, count: prepared.count)
        // A hook may link more objects to one that was told already, so all are gone through again.
        for _ in 0..<HookCalls.limit {
            var isAgain = false
            var visited = prepared.map { _ in Set<Row>() }
            var pending = [(table: table.number, row: row)]
            while let (number, row) = pending.popLast() {
                guard transaction.contains(row, in: number), visited[number].insert(row).inserted
                else { continue }
                if prepared[number].insert(row).inserted {
                    isAgain = true
                    tables[number].move(&handles[number], to: row)
                    handles[number]?.prepareForDeletion()
                }
                pending += transaction.cascaded(from: row, in: number)
            }
            guard isAgain else { return }
        }
        note(.endlessHook("prepareForDeletion", transaction.graph.objectID(row, in: table.number)))
    }
}
