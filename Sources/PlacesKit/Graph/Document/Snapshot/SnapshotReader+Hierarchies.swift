import PlacesBase

extension SnapshotReader {
    /// Whether there are entities that inherit, whose objects are looked for before any is read.
    var hasHierarchies: Bool { layout.tables.contains { $0.kinds != nil } }

    /// Gives the objects of hierarchies their rows.
    ///
    /// In the file they stand entity by entity, but the rows of their one table are in the order of
    /// numbers, so that a request for the superclass finds them as they were inserted. What is wrong
    /// with the file is left to be told when it is read.
    ///
    /// - Returns: Whether the entities come in the order of `entities`, where that matters.
    mutating func numberHierarchies(
        ahead json: borrowing (some SnapshotInput & ~Copyable), _ entities: JSONKeyTable
    ) -> Bool {
        guard hasHierarchies else { return true }
        var found: [TableNumber: [Int64]] = [:]
        var areOrdered = true
        try? json.lookAhead { scout throws(JSONError) in
            areOrdered = try findNumbers(from: &scout, entities, &found)
        }
        numberHierarchies(found)
        return areOrdered
    }

    /// Gives the objects of hierarchies their rows, in the order of their numbers.
    mutating func numberHierarchies(_ found: [TableNumber: [Int64]]) {
        for (table, unsorted) in found {
            var builder = numbers[table]
            for number in unsorted.sorted() where number >= 0 && builder.next < .max {
                _ = builder.append(number)
            }
            numbers[table] = builder
            hierarchies[table] = builder.numbers
        }
    }

    /// Finds the numbers of the objects of hierarchies, by table, and returns whether the entities come in their order.
    private func findNumbers(
        from scout: inout (some SnapshotInput & ~Copyable), _ entities: JSONKeyTable,
        _ found: inout [TableNumber: [Int64]]
    ) throws(JSONError) -> Bool {
        let id = JSONKeyTable([SnapshotKeys.identifier])
        var (areOrdered, last) = (true, -1)
        try scout.beginObject()
        while let position = try scout.nextKnownKey(in: entities) {
            areOrdered = areOrdered && position > last
            last = position
            let entity = fileOrder[position]
            guard layout.tables[layout.entities[entity].table].kinds != nil else {
                try scout.skipValue()
                continue
            }
            try scout.beginArray()
            while try scout.nextElement() {
                try scout.beginObject()
                while try scout.nextKnownKey(in: id) != nil {
                    found[layout.entities[entity].table, default: []]
                        .append(try scout.readInt64())
                }
            }
        }
        return areOrdered
    }
}
