import Foundation

/// Makes objects of one class, and of its subclasses, of the records of a file, in a context that saves them together.
struct RecordImporter {
    /// Which object a record is: a new one, that of its number, or that which has its value in a column.
    private enum Rule {
        case insert
        case identifiers
        case upsert(by: String)
    }

    /// A link to an object of the class itself, which may come later in the file.
    private struct Link {
        var row: Row
        var value: ImportValue
        var column: ImportColumn
        var location: TextLocation
    }

    let context: ManagedObjectContext
    /// The number of the commit that the records were read on top of.
    private let base: Int
    let table: ObjectTable
    /// The table of the present record's class.
    private var own: ObjectTable
    private let rule: Rule
    private var handle: ManagedObject?
    /// What the present record says, and where it begins.
    private var values: [(value: ImportValue, column: ImportColumn, location: TextLocation)] = []
    private var start = TextLocation()
    /// The rows of the numbers that the file's records have.
    private(set) var rows: [Int64: Row] = [:]
    private var links: [Link] = []
    /// Where the record of each row begins, whether it is a new one, and what the record tells of but for lists.
    private var starts: [(row: Row, start: TextLocation, isNew: Bool, told: PropertySet)] = []

    init<Object: ManagedObject>(
        _ type: Object.Type, _ policy: ImportPolicy<Object>, _ context: ManagedObjectContext
    ) throws(ContextError) {
        self.context = context
        base = context.fork.committed.number
        table = try context.table(of: type)
        own = table
        rule =
            switch policy {
            case .insert: .insert
            case .identifiers: .identifiers
            case .upsert(let keyPath):
                .upsert(by: table.name(of: try table.uniqueSlot(of: keyPath)))
            }
    }

    var transaction: Transaction { context.transaction }

    /// Whether the save looked at what others saved while the records were read.
    var hasMerged: Bool { context.fork.committed.number != base }

    /// How many records there were.
    var count: Int { starts.count }

    // MARK: - Classes

    /// The numbers of the classes that records may be of: the import's, and its subclasses.
    private var classes: [Int] {
        table.entityLayout.kinds.map { table.layout.entities[Int($0)] }
    }

    /// Whether records may be of several classes.
    var hasSubclasses: Bool { table.entityLayout.kinds.count > 1 }

    /// The number of the present record's class.
    var entityNumber: Int { own.entityNumber }

    /// Whether a name is that of the column for the objects' classes.
    func isEntity(_ name: String) -> Bool { RecordColumn.isEntity(name, in: table.layout) }

    /// Lets the present record be of the class that it names, if it names one.
    mutating func choose(_ name: ImportValue, at location: TextLocation) throws {
        guard case .datum(.string(let name)) = name else { return }
        let tables = classes.map { context.state.tables[$0] }
        guard let chosen = tables.first(where: { $0.entity.name == name }) else {
            let names = tables.map(\.entity.name).joined(separator: " or ")
            throw ImportFault(location: location, problem: "expected \(names), found \(name)")
        }
        own = chosen
    }

    /// The column of a name, for the class of the present record.
    func column(named name: String) throws(ImportColumnError) -> ImportColumn {
        try ImportColumn(name, of: own.entityNumber, in: context.store.model)
    }

    /// The same in a file with objects of several classes: `nil` where only the others have the property.
    func sharedColumn(named name: String) throws(ImportColumnError) -> ImportColumn? {
        let model = context.store.model
        let isElsewhere = classes.contains {
            guard let column = try? ImportColumn(name, of: $0, in: model) else { return false }
            return if case .property = column.subject { true } else { false }
        }
        do throws(ImportColumnError) {
            let column = try column(named: name)
            return column.subject == .identifier && isElsewhere ? nil : column
        } catch {
            if isElsewhere { return nil }
            throw error
        }
    }

    // MARK: - Records

    /// Begins a record, which is of the import's class if it does not say another.
    mutating func begin(at location: TextLocation) throws {
        start = location
        own = table
        values.removeAll(keepingCapacity: true)
    }

    /// Takes what the record says of a column.
    mutating func add(_ value: ImportValue, of column: ImportColumn, at location: TextLocation) {
        values.append((value, column, location))
    }

    /// Makes the record an object.
    mutating func end() throws {
        let number = identifier
        let existing = try existingRow(number)
        let row = existing ?? insertRow()
        try checkIsThere(row, at: start)
        if let number, rows.updateValue(row, forKey: number) ?? row != row {
            throw ImportFault(
                location: locationOfIdentifier,
                problem: "expected an id that no other record has, found \(number)")
        }
        var told = PropertySet()
        for (value, column, location) in values {
            switch column.kind {
            case .attribute(let slot, _, _), .toOne(let slot, _):
                told.insert(slot)
            // Who adds members to a list, or removes some, is in nobody's way.
            case .toMany, .identifier, .entity: break
            }
            switch (column.kind, value) {
            case (.attribute(let slot, let attribute, let check), .datum(let datum)):
                if attribute.type == .json, holds(datum, check, row, slot) { continue }
                transaction.write(datum, row, slot, in: table.number)
            case (.toOne(let slot, _), _), (.toMany(let slot, _), _):
                if destination(of: slot) == table.number {
                    links.append(Link(row: row, value: value, column: column, location: location))
                } else {
                    try tie(row, slot, value, column, at: location)
                }
            case (.identifier, _), (.entity, _), (.attribute, _): break
            }
        }
        try checkComposites(of: row, told)
        starts.append((row, start, existing == nil, told))
    }

    /// Whether an object has a `Codable` value that is equal to another one, though a set inside may be in another order.
    private func holds(_ datum: Datum, _ check: ValueCheck?, _ row: Row, _ slot: Slot) -> Bool {
        let block = transaction.block(row, slot, in: table.number)
        guard let check, case .string(let text) = datum, block.isValid(at: row.offset)
        else { return false }
        let held = block.elements(of: String.self)[row.offset]
        return CodableText.haveSameBytes(held, text) && check.areEqual(.string(held), datum)
    }

    /// Ties what could not be tied before, and saves all; returns what became of the records.
    mutating func finish() throws -> ImportSummary {
        for (row, start, _, _) in starts { try checkIsThere(row, at: start) }
        for link in links {
            switch link.column.kind {
            case .toOne(let slot, _), .toMany(let slot, _):
                try tie(link.row, slot, link.value, link.column, at: link.location)
            case .identifier, .entity, .attribute: break
            }
        }
        relyOnFound()
        // A save of nothing would not look at what others saved.
        if !context.hasChanges { context.refreshAllObjects() }
        try context.save()
        // A new object that the save let become another one has updated that.
        let inserted = starts.count { $0.isNew && transaction.contains($0.row, in: table.number) }
        return ImportSummary(inserted: inserted, updated: starts.count - inserted)
    }

    /// Lets the save meet a conflict where others deleted an object that is as its record says, or wrote what that tells of.
    ///
    /// Nothing of it was written, and yet the record would have come to something else had it been read later.
    private func relyOnFound() {
        let (graph, base) = (transaction.graph, transaction.base)
        // Whoever writes one of these properties meets all that others write of the object.
        let values = PropertyMask(slots: table.layout.valueSlots).subtracting(.shared)
        for (row, _, isNew, told) in starts where !isNew {
            let noted = transaction.access[table.number].changes(of: row).intersection(values)
            guard !graph.isChanged(row, among: noted, since: base, in: table.number) else {
                continue
            }
            context.unsaved.bases.rely(on: row, in: table.number, for: told)
        }
    }

    /// The lines of objects that break rules.
    func refusals(_ failures: [ValidationFailure]) -> [ImportError.Refusal] {
        let graph = transaction.graph
        let lineNumbers = Dictionary(
            starts.map { (graph.objectID($0.row, in: table.number), $0.start.line) },
            uniquingKeysWith: { _, last in last })
        return failures.map { ImportError.Refusal(line: lineNumbers[$0.object], failure: $0) }
            .sorted { ($0.line ?? .max) < ($1.line ?? .max) }
    }

    /// Checks that the object has all parts of what the record tells of any part, or none.
    private func checkComposites(of row: Row, _ told: PropertySet) throws {
        for composite in context.store.model.optionalComposites[own.entityNumber]
        where !told.mask.isDisjoint(with: composite.mask) {
            let value = values.first { value in
                if case .property(let slot) = value.column.subject {
                    composite.slots.contains(slot)
                } else {
                    false
                }
            }
            func hasValue(_ slot: Slot) -> Bool {
                transaction.block(row, slot, in: table.number).isValid(at: row.offset)
            }
            guard let value, composite.slots.contains(where: hasValue),
                let missing = composite.required.first(where: { !hasValue($0) })
            else { continue }
            throw ImportFault(
                location: value.location,
                problem:
                    "\(composite.name): expected a value of \(table.name(of: missing)), or of no part"
            )
        }
    }

    // MARK: - Rows

    private var identifier: Int64? {
        for (value, column, _) in values {
            if case .identifier = column.kind, case .target(.number(let number)) = value {
                return number
            }
        }
        return nil
    }

    /// The row of the object that the record updates; `nil` where it is a new one.
    private func existingRow(_ number: Int64?) throws -> Row? {
        switch rule {
        case .insert: return nil
        case .identifiers:
            guard let number else { return nil }
            guard let row = context.row(of: number, own.entity.name), own.holds(row) else {
                throw ImportFault(
                    location: locationOfIdentifier,
                    problem: """
                        there is no \(own.entity.name) \(number): leave the id out for a new \
                        object
                        """)
            }
            return row
        case .upsert(let keyName):
            for case (.datum(let datum), let column, let location) in values
            where column.name == keyName {
                guard datum != .null, case .attribute(let slot, _, _) = column.kind,
                    let row = transaction.find(datum, slot, in: table.number)
                else { return nil }
                if own.holds(row) { return row }
                // What is unique in the objects of a subclass alone may be there in others.
                let isClash =
                    transaction.access[table.number].traits[slot].uniqueKinds == nil
                guard isClash else { return nil }
                let object = transaction.graph.objectID(row, in: table.number)
                throw ImportFault(
                    location: location,
                    problem: """
                        \(object) has this \(column.name) and is no \(own.entity.name), and an object \
                        keeps its class
                        """)
            }
            throw ImportFault(
                location: start,
                problem: "expected a value of \(keyName), which tells objects apart")
        }
    }

    private var locationOfIdentifier: TextLocation {
        let value = values.first { if case .identifier = $0.column.kind { true } else { false } }
        return value?.location ?? start
    }

    private mutating func insertRow() -> Row {
        let row = own.insertRow()
        // The object may have something to do when it is made.
        _ = own.insert(&handle, row)
        return row
    }

    /// Checks that the object that a record made or found is still there.
    private func checkIsThere(_ row: Row, at location: TextLocation) throws {
        guard transaction.contains(row, in: table.number) else {
            throw ImportFault(
                location: location,
                problem: """
                    the \(own.entity.name) of the record was deleted, or its insertion rolled back, while \
                    the file was read
                    """)
        }
    }
}
