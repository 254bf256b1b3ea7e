import Foundation
import PlacesBase

/// Makes the commits of a journal again on the graph that they were made on.
struct JournalReplay {
    let transaction: Transaction
    let layout: GraphLayout
    let schema: Schema
    private let checks: [[Int: ValueCheck]]
    private let blobs: BlobReader?
    private let requiredSlots: [[Slot]]
    /// The slots of each entity's attributes that may have no value and whose default is one.
    private let nullableSlots: [[Slot]]
    private(set) var names: JournalNames
    /// The numbers of each table's rows.
    private var numbers: [RowNumbersBuilder]
    /// The numbers of the rows that the graph had, and how many these are.
    private let given: [(numbers: RowNumbers, end: Row)]
    /// The rows of the numbers that came with the journal.
    private var added: [[Int64: Row]]
    var links: [Link] = []
    /// Whether anything was made again.
    private(set) var isChanged = false

    /// A to-one link whose other end may not have been read yet.
    struct Link {
        var table: TableNumber
        var row: Row
        var slot: Slot
        var target: Int64?
        /// Where the number stands.
        var offset: Int
    }

    /// Begins on a graph.
    init(_ graph: Graph, checks: [[Int: ValueCheck]], blobs: BlobReader? = nil) {
        self.blobs = blobs
        layout = graph.layout
        schema = graph.schema
        self.checks = checks.isEmpty ? graph.schema.entities.map { _ in [:] } : checks
        transaction = Transaction(graph, rows: RowAllocator(tables: graph.tables.count))
        names = JournalNames(graph.layout)
        given = graph.tables.map { ($0.numbers, $0.rows.upperBound) }
        numbers = given.map { RowNumbersBuilder(continuing: $0.numbers, before: $0.end) }
        added = graph.tables.map { _ in [:] }
        requiredSlots = layout.slots(where: \.isRequired)
        nullableSlots = layout.slots(where: \.hasOptionalDefault)
    }

    /// Reads what follows with the names of a journal's schema.
    mutating func use(_ header: JournalHeader) throws {
        let match = try SnapshotMatch(header.entities, header.modelVersion, for: schema)
        names = JournalNames(layout, names: match.names)
    }

    /// The graph after all commits.
    func finish() -> Graph {
        for table in numbers.tableNumbers where !added[table].isEmpty {
            transaction.setNumbers(numbers[table].numbers, in: table)
        }
        return transaction.freeze()
    }

    /// Makes the commit of a line again, which must be the next one.
    mutating func apply(_ line: UnsafeRawBufferPointer, after number: Int) throws -> Commit {
        var json = JSONReader(line)
        var commit = Commit(number: 0, date: Date(timeIntervalSinceReferenceDate: 0), author: nil)
        isChanged = true
        try json.beginObject()
        var following = JournalKeys.record.all[...]
        while let key = try json.nextKey(in: JournalKeys.record) {
            guard let position = following.firstIndex(of: key) else {
                throw json.failure(.invalidValue(expected: "the keys in their order, each once"))
            }
            following = following[(position + 1)...]
            switch key {
            case .commit:
                commit.number = Int(clamping: try json.readInt64())
                guard commit.number == number + 1 else {
                    throw json.failure(.invalidValue(expected: "the commit \(number + 1)"))
                }
            case .date: commit.date = Date(timeIntervalSinceReferenceDate: try json.readDate())
            case .author: commit.author = try json.readString()
            case .delete: try delete(from: &json)
            case .insert: try readObjects(from: &json, areNew: true)
            case .update: try readObjects(from: &json, areNew: false)
            case .unlink, .link, .move, .order:
                try tieLinks(json)
                try readLists(key, from: &json)
            case .synced, .checksum: try json.skipValue()
            }
        }
        guard commit.number > 0 else {
            throw json.failure(.invalidValue(expected: #"a record with the key "commit""#))
        }
        try json.expectEnd()
        try tieLinks(json)
        try checkUniqueness(json)
        return commit
    }

    // MARK: - Rows

    /// The row of an object that exists, or existed.
    private func knownRow(of number: Int64, in table: TableNumber) -> Row? {
        if let row = added[table][number] { return row }
        guard let row = given[table].numbers.row(of: number), row < given[table].end else {
            return nil
        }
        return row
    }

    func row(_ json: inout JSONReader, in table: TableNumber, of entity: String) throws -> Row {
        _ = try json.peekKind()
        let start = json.offset
        let number = try json.readInt64()
        return try row(of: number, in: table, entity, json, at: start)
    }

    func row(
        of number: Int64, in table: TableNumber, _ entity: String, _ json: borrowing JSONReader,
        at offset: Int
    ) throws -> Row {
        guard let row = knownRow(of: number, in: table), transaction.contains(row, in: table) else {
            throw json.failure(
                .invalidValue(expected: "the number of an existing \(entity)"), at: offset)
        }
        return row
    }

    /// What a key that names an entity is.
    private static let entityName = "the name of an entity of the journal"

    private mutating func delete(from json: inout JSONReader) throws {
        try json.beginObject()
        while let number = try json.nextKey(in: names.entities, expecting: Self.entityName) {
            let entity = layout.entities[number]
            try json.beginArray()
            while try json.nextElement() {
                let row = try row(&json, in: entity.table, of: entity.name)
                transaction.erase(row, from: entity.table)
            }
        }
    }

    private mutating func readObjects(from json: inout JSONReader, areNew: Bool) throws {
        try json.beginObject()
        while let number = try json.nextKey(in: names.entities, expecting: Self.entityName) {
            try json.beginArray()
            while try json.nextElement() {
                try readObject(of: number, from: &json, isNew: areNew)
            }
        }
    }

    private mutating func insert(
        _ number: Int64, _ entity: EntityLayout, _ json: borrowing JSONReader
    ) throws -> Row {
        guard number >= 0, numbers[entity.table].next < .max else {
            throw json.failure(.invalidValue(expected: "an object's number from 0 to \(Int64.max)"))
        }
        let table = entity.table
        if let row = knownRow(of: number, in: table) {
            guard !transaction.contains(row, in: table) else {
                throw json.failure(.invalidValue(expected: "a number that no other object has"))
            }
            // Undo brings an object back under its number.
            transaction.revive(row, in: table, kind: entity.kind)
            transaction.writeDefaults(of: row, entity, in: table)
            return row
        }
        guard let row = numbers[table].append(number) else {
            throw json.failure(.invalidValue(expected: "a number that no other object has"))
        }
        added[table][number] = row
        transaction.insert(row, into: table, kind: entity.kind)
        return row
    }

    private mutating func readObject(
        of number: Int, from json: inout JSONReader, isNew: Bool
    ) throws {
        let (entity, keys) = (layout.entities[number], names.objects[number])
        let table = entity.table
        try json.beginObject(withKeys: keys)
        let row =
            isNew
            ? try insert(try json.readInt64(), entity, json)
            : try row(&json, in: table, of: entity.name)
        guard transaction.kind(row, in: table) == entity.kind else {
            throw json.failure(.invalidValue(expected: "the number of an existing \(entity.name)"))
        }
        if isNew {
            // As in snapshots, what is left out has no value, whatever the default is by now.
            for slot in nullableSlots[number] { transaction.write(.null, row, slot, in: table) }
        }
        while let key = try json.nextKey(in: keys) {
            guard case .known(let index) = key, index > 0 else {
                throw json.failure(.invalidValue(expected: "the name of a property of the journal"))
            }
            let slot = entity.slots[index - 1]
            if let attribute = layout.tables[table].properties[slot].attribute {
                if attribute.type == .data {
                    switch try BlobReader.read(
                        attribute, checks[number][index - 1], by: blobs, from: &json)
                    {
                    case .blob(let blob): transaction.write(blob, true, row, slot, table)
                    case .value(let value): transaction.write(value, row, slot, in: table)
                    }
                    continue
                }
                let value = try json.readValue(of: attribute, checks[number][index - 1])
                transaction.write(value, row, slot, in: table)
            } else {
                try readLink(row, slot, table, from: &json)
            }
        }
        guard isNew else { return }
        for slot in requiredSlots[number]
        where !transaction.block(row, slot, in: table).isValid(at: row.offset) {
            let name = layout.tables[table].properties[slot].name
            throw json.failure(.invalidValue(expected: "a value of \(name), which is required"))
        }
    }

    private func checkUniqueness(_ json: borrowing JSONReader) throws {
        for (number, table) in transaction.graph.tables.enumerated() {
            for index in table.uniqueIndexes where !index.duplicates.isEmpty {
                let name = layout.tables[number].name
                throw json.failure(
                    .invalidValue(expected: "objects of \(name) whose unique values differ"))
            }
        }
    }
}
