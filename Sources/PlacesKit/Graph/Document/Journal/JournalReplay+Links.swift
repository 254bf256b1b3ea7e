import PlacesBase

// Links: a to-one relationship is a value of its object, the others are lists of their own.

extension JournalReplay {
    mutating func readLink(
        _ row: Row, _ slot: Slot, _ table: TableNumber, from json: inout JSONReader
    ) throws {
        switch layout.tables[table].relationships[slot] {
        case .toOne?, .oneToOne?: break
        case .toMany?, .manyToMany?, nil:
            throw json.failure(.invalidValue(expected: "the name of a to-one relationship"))
        }
        _ = try json.peekKind()
        let offset = json.offset
        let target = try json.readNullIfPresent() ? nil : try readNumber(from: &json)
        links.append(Link(table: table, row: row, slot: slot, target: target, offset: offset))
    }

    mutating func tieLinks(_ json: borrowing JSONReader) throws {
        for link in links {
            var target = Row?.none
            if let number = link.target { target = try self.target(number, of: link, json) }
            transaction.setToOne(link.row, link.slot, in: link.table, to: target ?? Row.none)
        }
        links.removeAll(keepingCapacity: true)
    }

    /// The row of a number to which a link leads; `nil` if the object is lost.
    private func target(
        _ number: Int64, of link: Link, _ json: borrowing JSONReader
    ) throws -> Row? {
        let destination = layout.destination(of: link.slot, in: link.table)
        let name = layout.tables[link.table].properties[link.slot].relationship?.destination
        do {
            let target = try row(
                of: number, in: destination, name ?? "object", json, at: link.offset)
            try checkKind(of: target, in: destination, name, json, at: link.offset)
            return target
        } catch let error as JSONError {
            try lose(error)
            return nil
        }
    }

    /// What a link leads to must be an object of the entity that the relationship names.
    private func checkKind(
        of target: Row, in destination: TableNumber, _ name: String?, _ json: borrowing JSONReader,
        at offset: Int
    ) throws {
        guard layout.tables[destination].kinds != nil, let name,
            let number = schema.number(named: name),
            !transaction.graph.isObject(target, of: layout.entities[number])
        else { return }
        throw json.failure(
            .invalidValue(expected: "the number of an existing \(name)"), at: offset)
    }

    mutating func readLists(_ section: JournalKeys.Record, from json: inout JSONReader)
        throws
    {
        try json.beginObject()
        let name = "the name of a to-many relationship of the journal"
        while let index = try json.nextKey(in: names.lists, expecting: name) {
            let (table, slot) = names.relationships[index]
            try json.beginArray()
            while try json.nextElement() {
                try readElement(from: &json) { try $0.readList(section, table, slot, from: &$1) }
            }
        }
    }

    private mutating func readList(
        _ section: JournalKeys.Record, _ table: TableNumber, _ slot: Slot,
        from json: inout JSONReader
    ) throws {
        let destination = layout.destination(of: slot, in: table)
        let relationship = layout.tables[table].properties[slot].relationship
        let (owners, members) = (layout.tables[table].name, relationship?.destination ?? "object")
        func element(_ json: inout JSONReader) throws {
            guard try json.nextElement() else {
                throw json.failure(.invalidValue(expected: "another number"))
            }
        }
        func member(_ json: inout JSONReader) throws -> Row {
            let row = try row(&json, in: destination, of: members)
            try checkKind(
                of: row, in: destination, relationship?.destination, json, at: json.offset)
            return row
        }
        let start = json.offset
        try json.beginArray()
        try element(&json)
        let owner = try row(&json, in: table, of: owners)
        try element(&json)
        var isDone = true
        switch section {
        case .unlink, .link:
            guard case .manyToMany(let own, let other)? = layout.tables[table].relationships[slot]
            else {
                throw json.failure(
                    .invalidValue(expected: "the name of a many-to-many relationship"), at: start)
            }
            let member = try member(&json)
            isDone =
                section == .link
                ? transaction.join(owner, member, own, other)
                : transaction.part(owner, member, own, other)
        case .move:
            let member = try member(&json)
            try element(&json)
            let previous =
                try json.readNullIfPresent() ? nil : try row(&json, in: destination, of: members)
            isDone = transaction.moveMember(member, behind: previous, of: owner, slot, in: table)
        default:
            let order = try json.readList { try row(&$0, in: destination, of: members) }
            isDone = transaction.reorder(owner, slot, in: table, to: order)
        }
        guard isDone else {
            throw json.failure(
                .invalidValue(expected: "links that the objects have, each once"), at: start)
        }
        if try json.nextElement() {
            throw json.failure(.invalidValue(expected: "no further number"))
        }
    }
}
