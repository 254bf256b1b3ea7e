import Foundation
import PlacesBase

/// Makes the commits of a journal again on the graph that they were made on.
struct JournalReplay {
    let transaction: Transaction
    let layout: GraphLayout
    let schema: Schema
    /// The attributes of each entity, by their place in it.
    private let attributes: [[Attribute?]]
    private let blobs: BlobReader?
    private let requiredSlots: [[Slot]]
    /// The slots of each entity's attributes that may have no value and whose default is one.
    private let nullableSlots: [[Slot]]
    private let transientSlots: [[Slot]]
    private(set) var names: JournalNames
    /// How many rows each table had at first.
    private let ends: [Row]
    private(set) var rows: ReplayedRows
    /// What has the rows of objects that this process made, also of those that the graph does not have yet; `nil` where
    /// these do not come.
    private let ownRows: Graph?
    /// What has the transient values of objects that are in use; `nil` where none are.
    let shown: Graph?
    /// Which objects the lines call by numbers that are others' by now.
    var renumbered = RenumberedObjects()
    var links: [Link] = []
    /// Gets what objects are missing for, which is left out then; without it that is an error.
    var onLoss: ((JSONError) -> Void)?
    /// Whether objects may lack what they must have, and share what must be unique.
    private let isLenient: Bool
    /// Whether anything was made again.
    private(set) var isChanged = false

    /// An attribute, and what checks values that may be none of its type: a class, for a description is long to copy.
    private final class Attribute {
        let description: AttributeDescription
        let check: ValueCheck?

        init(_ description: AttributeDescription, _ check: ValueCheck?) {
            (self.description, self.check) = (description, check)
        }
    }

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
    ///
    /// - Parameters:
    ///   - graph: The graph.
    ///   - checks: What checks values that may be none of their types, by entity and property.
    ///   - blobs: Makes the blobs.
    ///   - rows: Where rows come from; `nil` where nobody else uses any.
    ///   - ownRows: What has the rows of objects that this process made, if it is their commits that are made again.
    ///   - shown: What has the transient values of objects that are in use.
    ///   - isLenient: Whether objects may lack what they must have, and share what must be unique, as those of a newer
    ///     document that an earlier model shows.
    init(
        _ graph: Graph, checks: [[Int: ValueCheck]], blobs: BlobReader? = nil,
        rows: RowAllocator? = nil, ownRows: Graph? = nil, shown: Graph? = nil,
        isLenient: Bool = false
    ) {
        (self.blobs, self.ownRows, self.shown) = (blobs, ownRows, shown)
        self.isLenient = isLenient
        layout = graph.layout
        schema = graph.schema
        attributes = layout.entities.enumerated().map { number, entity in
            entity.slots.enumerated().map { index, slot in
                graph.layout.tables[entity.table].properties[slot].attribute.map {
                    var description = $0
                    if isLenient { description.isOptional = true }
                    return Attribute(description, checks.isEmpty ? nil : checks[number][index])
                }
            }
        }
        self.rows = ReplayedRows(rows, for: graph)
        transaction = self.rows.transaction(on: graph)
        names = JournalNames(graph.layout)
        ends = graph.tables.map(\.rows.upperBound)
        requiredSlots = layout.slots { $0.isRequired && !isLenient }
        nullableSlots = layout.slots(where: \.hasOptionalDefault)
        transientSlots = layout.slots(where: \.isTransient)
    }

    /// Reads what follows with the names of a journal's schema.
    mutating func use(_ header: JournalHeader) throws {
        let match = try SnapshotMatch(header.entities, header.modelVersion, for: schema)
        names = JournalNames(layout, names: match.names)
    }

    /// The graph after all commits, for a process that goes on from there alone.
    mutating func finish() -> Graph {
        for table in transaction.entityTables {
            let state = transaction.current.tables[table]
            transaction.setNumbers(
                state.numbers.settled(after: ends[table], before: state.rows.upperBound), in: table)
        }
        return transaction.freeze()
    }

    /// What was made again since the last call.
    func takeChanges() -> ChangeSet { transaction.takeChanges() }

    /// Clears rows of objects that are gone, as part of what is made again next.
    func clearEndedRows() { rows.clearEnded(in: transaction) }

    /// Notes which graph others see now.
    mutating func share(_ graph: Graph) { rows.share(graph, of: transaction) }

    /// Ends what rows are kept for, whether anything came of it or not.
    mutating func giveUpRows() { rows.giveUp(of: transaction) }

    /// Takes all objects out.
    func eraseAll() {
        for table in transaction.entityTables {
            for row in transaction.graph.rows(in: table).rows {
                transaction.erase(row, from: table)
            }
        }
    }

    /// Lets the next lines refer to values by their digests, which are here.
    func know(_ values: [SharedValue]) {
        guard let blobs, !values.isEmpty || !blobs.values.isEmpty else { return }
        blobs.values = [:]
        for value in values { blobs.values[value.digest] = value.blob }
    }

    /// Makes the commit of a line again, which must be the next one.
    mutating func apply(_ line: UnsafeRawBufferPointer, after number: Int) throws -> Commit {
        var json = JSONReader(line)
        // Each failure would look through the line, in which everything may lead to what is lost.
        json.locatesFailures = onLoss == nil
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
            case .opening, .sequence, .values, .model, .synced, .checksum: try json.skipValue()
            }
        }
        guard commit.number > 0 else {
            throw json.failure(.invalidValue(expected: #"a record with the key "commit""#))
        }
        try json.expectEnd()
        try tieLinks(json)
        if !isLenient { try checkUniqueness(json) }
        return commit
    }

    // MARK: - Rows

    /// The row of an object that exists, or existed.
    private func knownRow(of number: Int64, in table: TableNumber) -> Row? {
        func isShared(_ numbers: RowNumbers) -> Bool {
            numbers.isShared && (ownRows != nil || !numbers.isOwn(number))
        }
        // Commits that wait for a shared log may bring an object back whose row comes after those of the graph.
        if let row = transaction.row(of: number, in: table),
            row < transaction.current.tables[table].rows.upperBound
                || isShared(transaction.current.tables[table].numbers)
        {
            return row
        }
        return ownRows?.row(of: number, in: table)
    }

    func readNumber(from json: inout JSONReader) throws -> Int64 {
        renumbered.number(try json.readInt64())
    }

    func row(_ json: inout JSONReader, in table: TableNumber, of entity: String) throws -> Row {
        _ = try json.peekKind()
        let start = json.offset
        let number = try readNumber(from: &json)
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
                // What is kept of an object is for those who read the history.
                let isObject = try json.peekKind() == .object
                if isObject { try json.beginObject(withKeys: names.objects[number]) }
                // What is lost need not be deleted.
                let row =
                    onLoss == nil
                    ? try row(&json, in: entity.table, of: entity.name)
                    : try? row(&json, in: entity.table, of: entity.name)
                while isObject, try json.nextKey() != nil { try json.skipValue() }
                if let row { transaction.erase(row, from: entity.table) }
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
        let table = entity.table
        guard transaction.current.tables[table].numbers.allows(number) else {
            throw json.failure(.invalidValue(expected: "an object's number from 0 to \(Int64.max)"))
        }
        if let row = knownRow(of: number, in: table) {
            guard !transaction.contains(row, in: table) else {
                throw json.failure(.invalidValue(expected: "a number that no other object has"))
            }
            if bringBack(row, entity) { return row }
        } else if let use = transaction.current.tables[table].numbers.use(of: number),
            !rows.hasHandedOut(use, in: table)
        {
            throw json.failure(.invalidValue(expected: "a number that somebody gave out"))
        }
        let use = rows.next(in: table)
        if use.generation > 0 { transaction.renew(use, in: table) }
        transaction.give(number, to: use.row, in: table)
        transaction.insert(use.row, into: table, kind: entity.kind)
        return use.row
    }

    /// Lets an object come back in its row, as undo does; false if the row is another one's by now.
    private mutating func bringBack(_ row: Row, _ entity: EntityLayout) -> Bool {
        let table = entity.table
        let generation = (ownRows ?? transaction.current).generation(row, in: table)
        // What comes back by a commit of this process has its row.
        if ownRows == nil, !transaction.base.contains(row, in: table),
            !rows.takeBack(row, in: table, of: generation)
        {
            return false
        }
        transaction.revive(row, in: table, kind: entity.kind, generation: generation)
        transaction.writeDefaults(of: row, entity, in: table)
        return true
    }

    private mutating func readObject(
        of number: Int, from json: inout JSONReader, isNew: Bool
    ) throws {
        let (entity, keys) = (layout.entities[number], names.objects[number])
        let table = entity.table
        try json.beginObject(withKeys: keys)
        let found =
            isNew
            ? try insert(try readNumber(from: &json), entity, json)
            : try rowUnlessLost(&json, in: table, of: entity.name)
        guard let row = found else {
            while try json.nextKey() != nil { try json.skipValue() }
            return
        }
        guard transaction.kind(row, in: table) == entity.kind else {
            throw json.failure(.invalidValue(expected: "the number of an existing \(entity.name)"))
        }
        if isNew {
            // As in snapshots, what is left out has no value, whatever the default is by now.
            for slot in nullableSlots[number] { transaction.write(.null, row, slot, in: table) }
            takeTransients(row, of: entity, transientSlots[number])
        }
        while let key = try json.nextKey(in: keys) {
            guard case .known(let index) = key, index > 0 else {
                throw json.failure(.invalidValue(expected: "the name of a property of the journal"))
            }
            let slot = entity.slots[index - 1]
            if let attribute = attributes[number][index - 1] {
                if attribute.description.type == .data {
                    switch try BlobReader.read(
                        attribute.description, attribute.check, by: blobs, from: &json)
                    {
                    case .blob(let blob): transaction.write(blob, true, row, slot, table)
                    case .value(let value): transaction.write(value, row, slot, in: table)
                    }
                    continue
                }
                let value = try json.readValue(of: attribute.description, attribute.check)
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
            for index in table.uniqueIndexes where index.hasDuplicates {
                let name = layout.tables[number].name
                throw json.failure(
                    .invalidValue(expected: "objects of \(name) whose unique values differ"))
            }
        }
    }
}
