import PlacesBase
extension SnapshotReader {
    /// How many units are read before it is told how far that is.
    private static let unitLimit = 64

    /// Reads the objects from the next one on that can be told apart on all cores, those of each chunk by
    /// themselves, and returns whether there were any.
    ///
    /// Each unit has to have as many objects as it was taken for, and to end where the next one begins, so
    /// what is read is what reading one object after the other gives. Anything else is an error, whose
    /// location only that can tell.
    mutating func readUnits(
        of entity: Int, from json: inout (some SnapshotInput & ~Copyable), _ pools: TextPools
    ) throws -> Bool {
        let table = layout.entities[entity].table
        let first = numbers[table].next.index
        let units = json.units(
            first: ChunkLayout.rows - first & ChunkLayout.mask, others: ChunkLayout.rows,
            limit: Self.unitLimit)
        let rows = units.reduce(into: [first]) { $0.append($0[$0.count - 1] + $1.count) }
        guard let end = rows.last, end > first, end < Int32.max else { return false }
        transaction.makeRoom(for: Row(end - 1), in: table)
        let results = concurrentMap(units.count + 1) { index in
            guard index > 0 else {
                window?.readAhead()
                return Result<UnitContent?, any Error>.success(nil)
            }
            return Result {
                try read(
                    units[index - 1], of: entity, at: Row(rows[index - 1]), from: json, pools)
            }
        }
        for (unit, result) in zip(units, results.dropFirst()) {
            guard let read = try result.get() else { continue }
            for number in read.numbers where numbers[table].append(number) == nil {
                throw json.expected("a number that no other object of the entity has")
            }
            adopt(read.content)
            if let found = read.blobs { blobs?.join(found) }
            try json.pass(unit, elements: read.elements)
        }
        return true
    }

    private func read(
        _ unit: SnapshotUnit, of entity: Int, at first: Row,
        from json: borrowing (some SnapshotInput & ~Copyable), _ pools: TextPools
    ) throws -> UnitContent {
        let blobs = blobs?.fork()
        var reader = objectReader(of: entity, at: first, blobs, pools)
        var numbers: [Int64] = []
        numbers.reserveCapacity(unit.count)
        let elements = try json.read(unit) { json in
            for row in first..<first.advanced(by: unit.count) {
                guard try row == first || json.nextElement() else {
                    throw json.failure(.unexpectedEnd(expected: "another object"))
                }
                numbers.append(try reader.readNumber(from: &json))
                try reader.readProperties(of: row, from: &json)
            }
        }
        return UnitContent(
            numbers: numbers, content: reader.take(), blobs: blobs, elements: elements)
    }
}

/// What was read of a unit.
private struct UnitContent {
    /// The objects' numbers.
    let numbers: [Int64]
    let content: ObjectReader.Content
    let blobs: BlobReader?
    /// How many elements of containers were handed out.
    let elements: Int
}
