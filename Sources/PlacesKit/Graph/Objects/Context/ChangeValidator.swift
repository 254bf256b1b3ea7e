/// Finds the rules of the model that changed objects break.
///
/// All properties of a changed object are looked at: a rule that came later than the object concerns it
/// once it changes. Only of values that have to be unique those count that the changes brought.
struct ChangeValidator {
    let graph: Graph
    var failures: [ValidationFailure] = []

    init(_ graph: Graph) { self.graph = graph }

    mutating func fail(
        _ row: Row, _ slot: Slot?, in table: TableNumber, _ reason: ValidationFailure.Reason
    ) {
        let properties = graph.layout.tables[table].properties
        failures.append(
            ValidationFailure(
                object: graph.objectID(row, in: table),
                property: slot.map { properties[$0].name } ?? "", reason: reason))
    }

    /// Checks the objects of just one entity that changed, and with a root entity that the unique values of its table are.
    ///
    /// - Returns: The rows of the objects.
    mutating func check(_ changes: ChangeSet, of entity: EntityLayout) -> ContiguousArray<Row> {
        let table = changes.tables[entity.table]
        let rows = graph.rows(table.changedRows, of: entity)
        check(rows, of: entity)
        checkInserted(graph.rows(table.inserted, of: entity), of: entity)
        if entity.isWholeTable { checkUniqueness(in: entity.table, since: changes.before) }
        return rows
    }

    /// Checks that a document could be opened with the values that just one class's objects were given.
    mutating func checkReading(_ changes: ChangeSet, of table: ObjectTable) {
        checkReading(of: table) { changes.rows(changing: $0, in: table.number) }
    }

    /// Checks that a document could be opened with the values of some rows, where they are just one class's objects.
    mutating func checkReading(of table: ObjectTable, _ rows: (Slot) -> ContiguousArray<Row>) {
        let entity = table.entityLayout
        for (position, slot) in entity.slots.enumerated() {
            guard let attribute = table.layout.properties[slot].attribute,
                attribute.derivation == nil, !attribute.isTransient,
                case let check = table.checks[position],
                check != nil || attribute.allowedValues != nil
            else { continue }
            let column = graph.tables[table.number].columns[slot]
            for row in graph.rows(rows(slot), of: entity) where column.isValid(at: row) {
                let value = graph.datum(row, slot, in: table.number)
                let isRead =
                    check.map { $0.accepts(value) && attribute.type.readsBack(value) }
                    ?? attribute.allowedValues?.contains(value) ?? true
                // What is empty and should be JSON is none.
                if !isRead, attribute.type != .json || value != .string("") {
                    fail(row, slot, in: table.number, .notReadable(value: value))
                }
            }
        }
    }

    /// Checks that objects that were inserted may be.
    mutating func checkInserted(_ rows: ContiguousArray<Row>, of entity: EntityLayout) {
        guard entity.isAbstract else { return }
        for row in rows { fail(row, nil, in: entity.table, .abstractEntity) }
    }

    /// Checks the properties of some existing objects of just one entity.
    mutating func check(_ rows: ContiguousArray<Row>, of entity: EntityLayout) {
        guard !rows.isEmpty else { return }
        let table = entity.table
        for slot in entity.slots {
            switch graph.layout.tables[table].properties[slot] {
            case .attribute(let attribute): check(attribute, slot, rows, in: table)
            case .relationship(let relationship): check(relationship, slot, rows, in: table)
            }
        }
    }

    private mutating func check(
        _ attribute: AttributeDescription, _ slot: Slot, _ rows: ContiguousArray<Row>,
        in table: TableNumber
    ) {
        let column = graph.tables[table].columns[slot]
        if attribute.isRequired {
            for row in column.reader.rowsWithoutValue(among: rows) {
                fail(row, slot, in: table, .missingValue)
            }
        }
        if attribute.type == .json {
            for row in rows
            where column.isValid(at: row) && column.element(String.self, at: row).isEmpty {
                fail(row, slot, in: table, .notEncodable)
            }
        }
        for rule in attribute.rules {
            let isSatisfied = rule.check(by: attribute.ruleOrders[rule])
            for row in rows where column.isValid(at: row) {
                // The length of a blob is known without its bytes.
                if column.kind == .blob,
                    rule.allows(length: column.element(Blob.self, at: row).count)
                {
                    continue
                }
                let value = graph.datum(row, slot, in: table)
                if !isSatisfied(value) {
                    fail(row, slot, in: table, .brokenRule(rule, value: value))
                }
            }
        }
    }

    private mutating func check(
        _ relationship: RelationshipDescription, _ slot: Slot, _ rows: ContiguousArray<Row>,
        in table: TableNumber
    ) {
        let (minimum, maximum) = (relationship.minimumCount, relationship.maximumCount ?? .max)
        guard minimum > 0 || maximum < .max else { return }
        for row in rows {
            let count =
                relationship.isToMany
                ? graph.memberCount(row, slot, in: table)
                : !graph.reference(row, slot, in: table).isNone ? 1 : 0
            if count < minimum {
                fail(row, slot, in: table, .tooFew(count: count, minimum: minimum))
            } else if count > maximum {
                fail(row, slot, in: table, .tooMany(count: count, maximum: maximum))
            }
        }
    }

    /// Checks that the values of unique attributes, and their unique combinations, are.
    ///
    /// A clash that was there before is not refused: in a parent context it may be pending, and what a child changes
    /// besides has nothing to do with it.
    ///
    /// - Parameters:
    ///   - table: A root entity's table.
    ///   - before: The graph before the changes.
    mutating func checkUniqueness(in table: TableNumber, since before: Graph) {
        let layout = graph.layout.tables[table]
        func isChanged(_ row: Row, _ slots: [Slot]) -> Bool {
            !before.contains(row, in: table)
                || slots.contains { graph.differs(from: before, row, $0, in: table) }
        }
        for (index, slot) in layout.uniqueSlots.enumerated() {
            for row in graph.tables[table].uniqueIndexes[index].duplicates {
                let value = graph.datum(row, slot, in: table)
                guard let other = graph.find(value, slot, in: table),
                    isChanged(row, [slot]) || isChanged(other, [slot])
                else { continue }
                let id = graph.objectID(other, in: table)
                fail(row, slot, in: table, .duplicateValue(value, other: id))
            }
        }
        for (number, combination) in layout.combinations.enumerated() {
            let slots = combination.columns.map(\.column)
            let index = graph.tables[table].uniqueIndexes[layout.uniqueSlots.count + number]
            for row in index.duplicates {
                guard let other = graph.row(withCombination: number, of: row, in: table),
                    isChanged(row, slots) || isChanged(other, slots)
                else { continue }
                failures.append(graph.brokenCombination(number, row, other, in: table))
            }
        }
    }
}

extension ChangeValidator {
    /// The rules that one object breaks.
    ///
    /// - Parameters:
    ///   - row: The row of the object.
    ///   - table: The table of its class.
    ///   - graph: The graph that has it.
    ///   - before: The graph before the changes.
    ///   - model: The model of its class.
    /// - Returns: A failure for each of them.
    static func failures(
        of row: Row, in table: ObjectTable, of graph: Graph, since before: Graph,
        model: ObjectModel
    ) -> [ValidationFailure] {
        var validator = ChangeValidator(graph)
        validator.check([row], of: table.entityLayout)
        validator.checkReading(of: table) { _ in [row] }
        for composite in model.optionalComposites[table.entityNumber]
        where !before.contains(row, in: table.number)
            || composite.slots.contains(where: {
                graph.differs(from: before, row, $0, in: table.number)
            })
        {
            validator.check(composite, [row], in: table.number)
        }
        if !before.contains(row, in: table.number) {
            validator.checkInserted([row], of: table.entityLayout)
        }
        validator.checkUniqueness(in: table.number, since: before)
        let id = graph.objectID(row, in: table.number)
        return validator.failures.filter { $0.object == id }
    }
}

extension Graph {
    /// The rows, among some of an entity's table, that are objects of just this entity.
    func rows(
        _ rows: ContiguousArray<Row>, of entity: EntityLayout
    ) -> ContiguousArray<Row> {
        layout.tables[entity.table].kinds == nil
            ? rows : rows.filter { kind($0, in: entity.table) == entity.kind }
    }
}

extension TableChanges {
    /// The rows that were inserted or updated.
    fileprivate var changedRows: ContiguousArray<Row> {
        updated.isEmpty ? inserted : inserted + updated.map(\.row)
    }
}
