import PlacesBase

extension SnapshotReader {
    /// Reads all objects, entity by entity.
    mutating func readObjects(from json: inout (some SnapshotInput & ~Copyable)) throws {
        let entities = JSONKeyTable(fileOrder.map { schema.entities[$0].name })
        // Lists whose members stand in their order are left out; only those of hierarchies have several entities.
        if numberHierarchies(ahead: json, entities) {
            try json.beginObject()
        } else {
            try json.beginOrderedObject()
        }
        while let position = try json.nextKey(in: entities, expecting: Self.entityName) {
            try json.beginArray()
            try readObjects(of: fileOrder[position], from: &json)
        }
    }

    private mutating func readObjects(
        of entity: Int, from json: inout (some SnapshotInput & ~Copyable)
    ) throws {
        let table = layout.entities[entity].table
        let pools = TextPools()
        var reader = objectReader(of: entity, at: numbers[table].next, blobs, pools)
        let mayDivide = isConcurrent && hierarchies[table] == nil
        var isDivisible = mayDivide
        while try json.nextElement() {
            if isDivisible {
                adopt(reader.take())
                if try readUnits(of: entity, from: &json, pools) {
                    reader = objectReader(of: entity, at: numbers[table].next, blobs, pools)
                    try pause(&json)
                    continue
                }
                // What takes long to look for at each object may be found after some more.
                isDivisible = false
            }
            try readObject(of: table, by: &reader, from: &json)
            guard json.offset >= pauseOffset else { continue }
            try pause(&json)
            isDivisible = mayDivide
        }
        adopt(reader.take())
    }

    /// Reads an object, and returns its row.
    @discardableResult
    mutating func readObject(
        of table: TableNumber, by reader: inout ObjectReader,
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws -> Row {
        let number = try reader.readNumber(from: &json)
        let offset = json.offset
        guard numbers[table].next < .max else {
            throw json.expected("at most \(Int32.max) objects of an entity")
        }
        let row =
            if let hierarchy = hierarchies[table] { hierarchy.row(of: number) } else {
                numbers[table].append(number)
            }
        if let row, !reader.isInChunk(row) {
            adopt(reader.take())
            transaction.makeRoom(for: row, in: table)
            reader.goOn(at: row)
        }
        guard let row, !reader.contains(row) else {
            throw json.expected("a number that no other object of the entity has")
        }
        try reader.readProperties(of: row, from: &json)
        guard settlesEach else { return row }
        offsets[table, default: [:]][row] = offset
        adopt(reader.take())
        transaction.settle(row, in: table)
        try checkUniqueness(of: row, table, json)
        return row
    }

    /// A reader of an entity's objects whose rows begin in the chunk of one.
    func objectReader(
        of entity: Int, at row: Row, _ blobs: BlobReader?, _ pools: TextPools
    ) -> ObjectReader {
        transaction.makeRoom(for: row, in: layout.entities[entity].table)
        return ObjectReader(
            EntityPlan(entity, layout, names, checks[entity]), row, transaction, blobs, pools)
    }

    /// Makes what was read of objects part of the graph.
    mutating func adopt(_ read: ObjectReader.Content) {
        transaction.adopt(read.filled)
        links.append(contentsOf: read.links)
    }

    /// Tells how far it is, and goes on in the file where little of it is left in memory.
    private mutating func pause(_ json: inout (some SnapshotInput & ~Copyable)) throws {
        tellProgress(upTo: json.offset)
        if let window, window.isShort(at: json.offset) {
            try window.slide(to: json.offset)
            json.goOn(in: window.lines)
            (toldOffset, byteCount) = (0, window.lines.count)
        }
        pauseOffset = json.offset + pauseDistance
    }

    /// Tells how far it is.
    mutating func tellProgress(upTo offset: Int) {
        guard offset > toldOffset else { return }
        onProgress(offset - toldOffset)
        toldOffset = offset
    }
}
