/// Brings the objects of a graph into another layout: their rows, then values, then links.
///
/// Objects keep their numbers; only where tables become one, for their entities have a superentity now,
/// those whose number another has already get new ones.
struct GraphMigration {
    /// What becomes of what does not fit.
    enum Strictness {
        /// Everything has to fit.
        case all
        /// Nothing is lost, but what is missing, and what must be unique, is left to be mended.
        case losses
        /// What does not fit is left out.
        case nothing
    }

    /// An object before and after.
    struct Moved {
        var old: Row
        var new: Row
        /// The number that it has from now on.
        var number: Int64
    }

    let old: Graph
    let layout: GraphLayout
    let match: MigrationMatch
    let strictness: Strictness
    let transaction: Transaction
    private let checks: [[Int: ValueCheck]]
    private let defaults: [[Int: AttributeDefault]]
    /// The composite attributes that may be missing, by entity.
    let composites: [[OptionalComposite]]
    /// The defaults that were made when the document was read before, and those that objects have now.
    private let known: MadeDefaults
    private(set) var made = MadeDefaults()
    /// For each earlier table the new row of each of its rows; none for those that are gone.
    private(set) var rows: [[Row]]
    /// The objects of each entity.
    private(set) var moved: [[Moved]]
    /// What does not fit.
    private(set) var errors: [MigrationError] = []

    /// Migrates a graph.
    ///
    /// Objects keep the defaults that are `known`.
    /// Where nothing says what of the two layouts is the same, names do.
    ///
    /// - Returns: The graph in the new layout, the defaults that were made, and what does not fit.
    /// - Throws: Why bytes that have to be copied cannot be read, unless what does not fit is left out:
    ///   written without them, the document would lose a file that may come back.
    static func migrate(
        _ old: Graph, to layout: GraphLayout, matching match: MigrationMatch? = nil,
        checks: [[Int: ValueCheck]] = [], defaults: [[Int: AttributeDefault]] = [],
        composites: [[OptionalComposite]] = [], keeping known: MadeDefaults = MadeDefaults(),
        _ strictness: Strictness = .all
    ) throws(ExternalStorageError) -> (
        graph: Graph, made: MadeDefaults, errors: [MigrationError]
    ) {
        var migration = GraphMigration(
            old, layout, match ?? MigrationMatch(from: old.layout, to: layout), checks, defaults,
            composites, known, strictness)
        migration.moveRows()
        for entity in layout.entities.indices {
            try migration.moveValues(of: entity)
            migration.completeComposites(of: entity)
        }
        migration.moveLinks()
        let graph = migration.transaction.freeze()
        if strictness == .all { migration.checkUniqueness(in: graph) }
        return (graph, migration.made, migration.errors)
    }

    private init(
        _ old: Graph, _ layout: GraphLayout, _ match: MigrationMatch,
        _ checks: [[Int: ValueCheck]], _ defaults: [[Int: AttributeDefault]],
        _ composites: [[OptionalComposite]], _ known: MadeDefaults, _ strictness: Strictness
    ) {
        self.old = old
        self.known = known
        self.layout = layout
        self.checks = checks.isEmpty ? layout.entities.map { _ in [:] } : checks
        self.defaults = defaults.isEmpty ? layout.entities.map { _ in [:] } : defaults
        self.composites = composites.isEmpty ? layout.entities.map { _ in [] } : composites
        self.strictness = strictness
        self.match = match
        let graph = Graph(layout: layout)
        transaction = Transaction(graph, rows: RowAllocator(tables: graph.tables.count))
        rows = old.tables.map { Array(repeating: Row.none, count: $0.upperBound) }
        moved = layout.entities.map { _ in [] }
    }

    /// Notes what does not fit, unless that is left out.
    mutating func fail(_ error: MigrationError) {
        if strictness != .nothing { errors.append(error) }
    }

    // MARK: - Rows

    /// An object, where it lies in the earlier graph, and the entity that it is of in the new one.
    private typealias Leaving = (number: Int64, table: TableNumber, row: Row, entity: Int)

    private mutating func moveRows() {
        var objects: [[Leaving]] = layout.tables.map { _ in [] }
        for table in old.layout.entityTables where !old.layout.tables[table].entities.isEmpty {
            let successors = old.layout.tables[table].entities.map { match.successors[$0] }
            for row in old.rows(in: table).rows {
                guard let entity = successors[Int(old.kind(row, in: table))] else { continue }
                objects[layout.entities[entity].table].append(
                    (old.number(of: row, in: table), table, row, entity))
            }
        }
        for table in objects.tableNumbers where !layout.tables[table].entities.isEmpty {
            if layout.tables[table].kinds != nil {
                // As they are read from a file, whatever tables they come from.
                objects[table].sort { ($0.number, $0.table) < ($1.number, $1.table) }
            }
            moveRows(of: objects[table], in: table)
        }
    }

    /// The lowest number for new objects of a table that none had in the tables from which its objects
    /// come.
    private func nextNumber(in table: TableNumber) -> Int64 {
        layout.tables[table].entities.compactMap { match.entities[$0] }
            .compactMap { old.tables[old.layout.entities[$0].table].nextNumber }.max() ?? 0
    }

    private mutating func moveRows(of objects: [Leaving], in table: TableNumber) {
        let next = nextNumber(in: table)
        var numbers = RowNumbersBuilder()
        numbers.reserve(below: next)
        func move(_ object: Leaving, to row: Row, _ number: Int64) {
            transaction.insert(row, into: table, kind: layout.entities[object.entity].kind)
            rows[object.table][object.row] = row
            moved[object.entity].append(Moved(old: object.row, new: row, number: number))
        }
        var homeless: [Leaving] = []
        // Those of deleted objects are below it, too: who still has one would find another object.
        var highest = next - 1
        for object in objects {
            guard let row = numbers.append(object.number) else {
                homeless.append(object)
                continue
            }
            highest = max(highest, object.number)
            move(object, to: row, object.number)
        }
        var used = homeless.isEmpty ? [] : Set(objects.map(\.number))
        for object in homeless {
            repeat {
                highest = highest == .max ? 0 : highest + 1
            } while !used.insert(highest).inserted
            if let row = numbers.append(highest) { move(object, to: row, highest) }
        }
        transaction.setNumbers(numbers.numbers, in: table)
    }

    // MARK: - Values

    private mutating func moveValues(of number: Int) throws(ExternalStorageError) {
        guard !moved[number].isEmpty else { return }
        let entity = layout.entities[number]
        for (position, slot) in entity.slots.enumerated() {
            guard let attribute = layout.tables[entity.table].properties[slot].attribute,
                attribute.derivation == nil, !attribute.isTransient
            else { continue }
            if let source = match.slots[number][position] {
                try moveValues(
                    of: attribute, number, slot, from: source, checks[number][position],
                    defaults[number][position])
            } else if let makeDefault = defaults[number][position] {
                for object in moved[number] { giveDefault(makeDefault, object, slot, of: number) }
            } else if attribute.isRequired, attribute.defaultValue ?? .null == .null,
                let first = moved[number].first
            {
                miss(attribute, number, moved[number].count, first.old)
            }
        }
    }

    private mutating func moveValues(
        of attribute: AttributeDescription, _ number: Int, _ slot: Slot, from source: Slot,
        _ check: ValueCheck?, _ makeDefault: AttributeDefault?
    ) throws(ExternalStorageError) {
        guard let position = match.entities[number] else { return }
        let (oldTable, table) = (old.layout.entities[position].table, layout.entities[number].table)
        guard let earlier = old.layout.tables[oldTable].properties[source].attribute else { return }
        let isSame =
            earlier.type == attribute.type && attribute.allowedValues == nil && check == nil
        let conversion = ValueConversion(to: attribute, check)
        let hasDefault = attribute.defaultValue ?? .null != .null
        var (missing, lost) = (Losses<Row>(), Losses<Row>())
        let column = old.tables[oldTable].columns[source]
        let areBlobs =
            column.kind == .blob && layout.tables[table].columns[slot].kind == .blob && check == nil
        for object in moved[number] {
            if areBlobs, column.isValid(at: object.old) {
                // Its bytes stay in their file.
                let blob = column.element(Blob.self, at: object.old)
                transaction.write(blob, true, object.new, slot, table)
                continue
            }
            let value =
                strictness == .nothing
                ? old.datum(object.old, source, in: oldTable)
                : try old.readDatum(object.old, source, in: oldTable)
            if value == .null {
                if attribute.isOptional {
                    transaction.write(.null, object.new, slot, in: table)
                } else if let makeDefault {
                    giveDefault(makeDefault, object, slot, of: number)
                } else if !hasDefault {
                    missing.add(object.old)
                }
            } else if let value = isSame ? value : conversion(value) {
                transaction.write(value, object.new, slot, in: table)
            } else {
                if attribute.isOptional { transaction.write(.null, object.new, slot, in: table) }
                lost.add(object.old)
            }
        }
        if let first = missing.first { miss(attribute, number, missing.count, first) }
        if let first = lost.first {
            fail(
                .valuesLost(
                    entity: layout.entities[number].name, attribute: attribute.name,
                    from: earlier.type, to: attribute.type, count: lost.count,
                    example: old.datum(first, source, in: oldTable),
                    object: old.objectID(first, in: oldTable)))
        }
    }

    /// Gives an object of an entity a default: what is always the same is there, and what is another each time is made
    /// once.
    private mutating func giveDefault(
        _ makeDefault: AttributeDefault, _ object: Moved, _ slot: Slot, of number: Int
    ) {
        guard let value = known[number, slot, of: object.number] ?? makeDefault.next else { return }
        made[number, slot, of: object.number] = value
        transaction.write(value, object.new, slot, in: layout.entities[number].table)
    }

    private mutating func miss(
        _ attribute: AttributeDescription, _ number: Int, _ count: Int, _ first: Row
    ) {
        guard strictness == .all, let position = match.entities[number] else { return }
        fail(
            .valuesMissing(
                entity: layout.entities[number].name, attribute: attribute.name, count: count,
                object: old.objectID(first, in: old.layout.entities[position].table)))
    }

    // MARK: - Uniqueness

    private mutating func checkUniqueness(in graph: Graph) {
        for (table, layout) in zip(graph.layout.tables.tableNumbers, graph.layout.tables)
        where !layout.name.isEmpty {
            for index in 0..<layout.uniqueIndexCount {
                let duplicates = graph.tables[table].uniqueIndexes[index].duplicates
                guard let row = duplicates.first else { continue }
                let combination =
                    index < layout.uniqueSlots.count
                    ? nil : layout.combinations[index - layout.uniqueSlots.count]
                let slots =
                    combination?.columns.map(\.column) ?? [layout.uniqueSlots[index]]
                let entity =
                    combination?.kinds.map { layout.entities[$0.kind] }
                    ?? layout.entities.first { self.layout.entities[$0].slots.contains(slots[0]) }
                fail(
                    .notUnique(
                        entity: entity.map { self.layout.entities[$0].name } ?? layout.name,
                        properties: slots.map { layout.properties[$0].name },
                        count: duplicates.count,
                        example: slots.map { graph.describe(row, $0, in: table) },
                        object: graph.objectID(row, in: table)))
            }
        }
    }
}
