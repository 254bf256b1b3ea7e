import Foundation

/// All objects of a schema with their values and links: one immutable value.
///
/// Copying a graph is O(1). Any thread may read it, without a lock, for as long as it likes; a
/// `Transaction` that started from it writes copies of the chunks it touches.
struct Graph: Sendable {
    let layout: GraphLayout
    var tables: [Table]
    /// The token of the transaction whose graph this is, and which still writes chunks that carry it;
    /// in a graph that was frozen no chunk does.
    var writer: UInt64 = 0
    /// What keeps the rows of this graph's objects from being used again; `nil` in a graph of no store.
    var lifetime: GraphLifetime?

    /// A graph without objects.
    init(layout: GraphLayout) {
        self.layout = layout
        tables = layout.tables.map(Table.init)
    }

    var schema: Schema { layout.schema }

    /// Whether a row exists.
    func contains(_ row: Row, in table: TableNumber) -> Bool {
        guard !row.isNone, row.index < tables[table].upperBound else { return false }
        return tables[table].columns[layout.tables[table].presence].isValid(at: row)
    }

    /// The existing rows of a table.
    func rows(in table: TableNumber) -> RowSet {
        let chunks = tables[table].chunkCount
        var rows = RowSet(chunks: chunks)
        let presence = tables[table].columns[layout.tables[table].presence]
        for chunk in 0..<chunks {
            let validity = presence.block(chunk).validity
            for word in 0..<ChunkLayout.words {
                rows.words[chunk * ChunkLayout.words + word] = validity[word]
            }
        }
        return rows
    }

    /// Which of a table's entities a row is an object of; negative for a row that never existed.
    func kind(_ row: Row, in table: TableNumber) -> Int32 {
        layout.tables[table].kinds.map {
            tables[table].columns[$0].element(Int32.self, at: row)
        } ?? 0
    }

    /// Whether a row is an object of an entity, or of one of its heirs.
    func isObject(_ row: Row, of entity: EntityLayout) -> Bool {
        entity.kinds.contains(kind(row, in: entity.table))
    }

    /// The identity of the object whose row this is.
    func objectID(_ row: Row, in table: TableNumber) -> ObjectID {
        let kind = Int(kind(row, in: table))
        let name =
            kind > 0
            ? layout.entities[layout.tables[table].entities[kind]].name : layout.tables[table].name
        return ObjectID(entity: name, number: number(of: row, in: table))
    }

    /// How often a row was used before the object whose row it is, or was last.
    func generation(_ row: Row, in table: TableNumber) -> Int32 {
        guard tables[table].highestGeneration > 0 else { return 0 }
        return tables[table].columns[layout.tables[table].presence]
            .element(Int32.self, at: row).generation
    }

    /// The number by which the object whose row this is, or was last, is known outside; that of no object
    /// for no row.
    func number(of row: Row, in table: TableNumber) -> Int64 {
        guard !row.isNone else { return Delta.noObject }
        return tables[table].numbers.number(of: row, generation: generation(row, in: table))
    }

    /// The row of the object of a number, whether it lives or not; `nil` where it can't be there.
    func row(of number: Int64, in table: TableNumber) -> Row? {
        tables[table].numbers.row(of: number) { generation($0, in: table) }
    }

    /// The row of the object of a number, and how often it was used before, or will have been when the object comes;
    /// `nil` where it can't be there.
    func rowAndGeneration(
        of number: Int64, in table: TableNumber
    ) -> (row: Row, generation: Int32)? {
        tables[table].numbers.rowAndGeneration(of: number) { generation($0, in: table) }
    }

    /// The row of an object of a table, whether it lives or not; `nil` where it can't be there.
    func row(of id: ObjectID, in table: TableNumber) -> Row? {
        guard let entity = layout.entity(of: id), entity.table == table,
            let row = row(of: id.number, in: table)
        else { return nil }
        // An object never becomes one of another entity.
        let kind = kind(row, in: table)
        return kind < 0 || kind == entity.kind ? row : nil
    }

    /// The number in an identifier, if the object is one of a table or may become one: unlike its row, nobody else
    /// ever has it.
    func number(in id: ObjectID, of table: TableNumber) -> Int64? {
        guard layout.entity(of: id)?.table == table else { return nil }
        return row(of: id.number, in: table) == nil || row(of: id, in: table) != nil
            ? id.number : nil
    }

    /// What a reference column holds at a row.
    func reference(_ row: Row, _ column: Slot, in table: TableNumber) -> Row {
        tables[table].columns[column].element(Row.self, at: row)
    }

    /// The value of an attribute, `.null` where the row holds none.
    func datum(_ row: Row, _ slot: Slot, in table: TableNumber) -> Datum {
        tables[table].columns[slot].isValid(at: row) ? element(row, slot, in: table) : .null
    }

    /// The value of an attribute as an object's accessor gives it: one that is not optional and was
    /// never written reads as what its type has for that.
    func value(_ row: Row, _ slot: Slot, in table: TableNumber) -> Datum {
        layout.tables[table].properties[slot].attribute?.isOptional ?? true
            ? datum(row, slot, in: table) : element(row, slot, in: table)
    }

    private func element(_ row: Row, _ slot: Slot, in table: TableNumber) -> Datum {
        // In its place: a copy of the column would be counted.
        func element<Element: ColumnElement>(_ type: Element.Type) -> Element {
            tables[table].columns[slot].element(type, at: row)
        }
        return switch tables[table].columns[slot].kind {
        case .boolean: .boolean(element(Bool.self))
        case .integer:
            layout.tables[table].properties[slot].attribute?.type == .uint64
                ? .unsigned(UInt64(ordered: element(Int64.self)))
                : .integer(element(Int64.self))
        case .double:
            layout.tables[table].properties[slot].attribute?.type == .date
                ? .date(Date(timeIntervalSinceReferenceDate: element(Double.self)))
                : .double(element(Double.self))
        case .decimal: .decimal(element(Decimal.self))
        case .string: .string(element(String.self))
        case .uuid: .uuid(element(UUID.self))
        case .data: .data(element(Data.self))
        case .blob: element(Blob.self).data.map(Datum.data) ?? .null
        case .reference: .null
        }
    }

    /// The table that a relationship leads to.
    func destination(of slot: Slot, in table: TableNumber) -> TableNumber {
        layout.destination(of: slot, in: table)
    }

    /// The number of members of a to-many relationship.
    func memberCount(_ row: Row, _ slot: Slot, in table: TableNumber) -> Int {
        switch layout.tables[table].relationships[slot] {
        case .toMany(let list), .manyToMany(let list, _): count(of: row, list)
        case .toOne, .oneToOne, nil: 0
        }
    }

    /// The number of members of a list.
    func count(of owner: Row, _ list: ListLayout) -> Int {
        // The count's column holds -1, its unset value, until the first member comes.
        max(0, Int(tables[list.owners].columns[list.count].element(Int32.self, at: owner)))
    }

    /// The rows that a relationship leads to, in the order in which they were added.
    func related(_ row: Row, _ slot: Slot, in table: TableNumber) -> RelatedRows {
        switch layout.tables[table].relationships[slot] {
        case .toMany(let list):
            members(of: row, list, by: nil)
        case .manyToMany(let own, let other):
            members(of: row, own, by: other.owner)
        case .toOne, .oneToOne:
            target(of: row, slot, in: table)
        case nil:
            RelatedRows(graph: self, upcoming: .none, list: nil, target: nil)
        }
    }

    /// The rows of a table whose relationship leads to a row of its destination, deleted ones among them.
    func sources(of row: Row, _ slot: Slot, in table: TableNumber) -> RelatedRows {
        switch layout.tables[table].relationships[slot] {
        case .toOne(let list):
            members(of: row, list, by: nil)
        case .manyToMany(let own, let other):
            members(of: row, other, by: own.owner)
        case .toMany(let list):
            target(of: row, list.owner, in: list.members)
        case .oneToOne(let other):
            target(of: row, other.column, in: other.table)
        case nil:
            RelatedRows(graph: self, upcoming: .none, list: nil, target: nil)
        }
    }

    /// The row to which a column leads, if it leads to one.
    private func target(of row: Row, _ column: Slot, in table: TableNumber) -> RelatedRows {
        RelatedRows(
            graph: self, upcoming: reference(row, column, in: table), list: nil, target: nil)
    }

    /// The members of a list, in its order: the links themselves, or what they lead to by a column.
    func members(of owner: Row, _ list: ListLayout, by end: Slot?) -> RelatedRows {
        RelatedRows(
            graph: self, upcoming: reference(owner, list.head, in: list.owners), list: list,
            target: end)
    }
}

extension Int32 {
    /// The generation of a row, of which this is the element in the column of presence.
    ///
    /// What the column holds where nobody wrote it stands for the first one.
    var generation: Int32 { self &- Int32.unset }

    /// The element that stands for a generation in the column of presence.
    init(generation: Int32) { self = generation &+ .unset }
}

/// Walks the rows at the other end of a relationship.
struct RelatedRows: Sequence, IteratorProtocol {
    let graph: Graph
    var upcoming: Row
    let list: ListLayout?
    /// The column of an edge that holds the row at the other end.
    let target: Slot?

    /// Whether there is no other row.
    var isEmpty: Bool { upcoming.isNone }

    mutating func next() -> Row? {
        guard !upcoming.isNone else { return nil }
        let row = upcoming
        guard let list else {
            upcoming = .none
            return row
        }
        upcoming = graph.reference(row, list.next, in: list.members)
        return target.map { graph.reference(row, $0, in: list.members) } ?? row
    }
}
