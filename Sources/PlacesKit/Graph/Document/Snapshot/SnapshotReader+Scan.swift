import PlacesBase

extension SnapshotReader {
    /// What a damaged snapshot still has, and what of it does not fit the rest.
    typealias Remains = (graph: Graph, duplicates: [SnapshotScan.Object], lostLinks: [JSONError])

    /// Reads the objects that were found in a damaged snapshot.
    ///
    /// - Parameters:
    ///   - scan: What was found.
    ///   - bytes: The file.
    ///   - blobs: Makes the blobs to which the file refers.
    /// - Returns: The graph, the objects that are not in it for an earlier one has a value or a combination of theirs
    ///   that is unique, and the links that are not in it.
    /// - Throws: `JSONError`.
    static func read(
        _ scan: borrowing SnapshotScan, of bytes: [UInt8], blobs: BlobReader
    ) throws -> Remains {
        var (objects, duplicates) = (scan.objects, [SnapshotScan.Object]())
        while true {
            var lostLinks: [JSONError] = []
            var reader = SnapshotReader(scan.schema)
            reader.useOwnNames()
            reader.blobs = blobs
            reader.onLostLink = { lostLinks.append($0) }
            do {
                let graph = try bytes.withUnsafeBytes { bytes in
                    var json = JSONReader(bytes)
                    if let nextNumbers = scan.nextNumbers {
                        json.offset = nextNumbers
                        // What cannot be read of them does no harm.
                        try? reader.readNextNumbers(from: &json)
                    }
                    json = JSONReader(bytes)
                    try reader.readObjects(objects, from: &json)
                    // Each failure would look through the file, in which every link may lead to what is lost.
                    json.locatesFailures = false
                    let graph = try reader.makeGraph(json)
                    lostLinks = Self.located(lostLinks, in: bytes)
                    return graph
                }
                return (graph, duplicates, lostLinks)
            } catch let error as DuplicateValue {
                let offsets = reader.duplicateOffsets
                guard !offsets.isEmpty else { throw error }
                duplicates += objects.filter { offsets.contains($0.range.lowerBound) }
                objects.removeAll { offsets.contains($0.range.lowerBound) }
            }
        }
    }

    /// Errors of which only the byte is known, with their lines and columns, in the order of the file.
    private static func located(
        _ errors: [JSONError], in bytes: UnsafeRawBufferPointer
    ) -> [JSONError] {
        var lines = LineCount()
        return errors.sorted { $0.byteOffset < $1.byteOffset }.map { error in
            let start = JSONError(kind: error.kind, line: 1, column: 1, byteOffset: 0)
            return lines.shifted(start, by: error.byteOffset, in: bytes)
        }
    }

    /// Gives the properties the names of the schema.
    mutating func useOwnNames() {
        names = SnapshotMatch(schema.entities, schema.entities).names
    }

    private mutating func readObjects(
        _ objects: [SnapshotScan.Object], from json: inout JSONReader
    ) throws {
        var found: [TableNumber: [Int64]] = [:]
        for object in objects {
            let table = layout.entities[object.entity].table
            guard layout.tables[table].kinds != nil else { continue }
            found[table, default: []].append(object.number)
        }
        numberHierarchies(found)
        var rest = objects[...]
        while let entity = rest.first?.entity {
            let table = layout.entities[entity].table
            var reader = objectReader(of: entity, at: numbers[table].next, blobs, TextPools())
            while let object = rest.first, object.entity == entity {
                json.offset = object.range.lowerBound
                let row = try readObject(of: table, by: &reader, from: &json)
                offsets[table, default: [:]][row] = object.range.lowerBound
                rest.removeFirst()
            }
            adopt(reader.take())
        }
    }

    /// Where the objects stand that share what is unique with an earlier one.
    private var duplicateOffsets: Set<Int> {
        Set(
            layout.entityTables.flatMap { table in
                transaction.graph.tables[table].uniqueIndexes.flatMap(\.duplicates)
                    .compactMap { offsets[table]?[$0] }
            })
    }
}
