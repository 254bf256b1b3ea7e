/// All objects of a document that is being migrated, without their classes.
///
/// A stage of a ``MigrationPlan`` reads and changes them by the names in the document, or the names
/// that earlier stages gave.
///
/// - Values must fit the document's schema, until ``changeSchema(_:)`` changes that. After the last
///   stage PlacesKit takes over what the model has too, by names, as it does without stages.
/// - A delete removes links, but no other records: delete rules belong to the model.
public final class MigrationRecords {
    private(set) var transaction: Transaction
    private(set) var layout: GraphLayout
    private let stage: MigrationStage
    /// How often the schema changed.
    private(set) var epoch = 0
    /// The objects that this stage and those before it have made.
    private var inserted: Set<ObjectID>
    /// What was asked for first that is not there.
    private var failure: (any Error)?
    /// The slots of each entity's properties by their names.
    private var slots: [[String: Slot]] = []

    init(_ graph: Graph, inserted: Set<ObjectID>, _ stage: MigrationStage) {
        (self.stage, self.inserted) = (stage, inserted)
        layout = graph.layout
        transaction = Transaction(graph, rows: RowAllocator(after: graph))
        slots = Self.slots(of: layout)
    }

    private static func slots(of layout: GraphLayout) -> [[String: Slot]] {
        layout.entities.map { entity in
            Dictionary(
                entity.slots.map { (layout.tables[entity.table].properties[$0].name, $0) }
            ) { first, _ in first }
        }
    }

    /// Runs the stage on a graph, and adds the objects that it makes to those of the stages before it.
    ///
    /// - Throws: `MigrationError`, or `ExternalStorageError` where bytes that it needs cannot be read.
    static func run(
        _ stage: MigrationStage, on graph: Graph, inserted: inout Set<ObjectID>
    ) throws -> Graph {
        let records = MigrationRecords(graph, inserted: inserted, stage)
        do {
            try stage.body(records)
        } catch let error as MigrationError {
            throw error
        } catch let error as ExternalStorageError {
            throw error
        } catch {
            throw records.error("\(error)")
        }
        if let failure = records.failure { throw failure }
        inserted = records.inserted
        return records.transaction.freeze()
    }

    // MARK: - Schema

    /// The current schema of the records.
    public var schema: Schema { layout.schema }

    /// Changes the schema of the records: entities, properties and types of attributes.
    ///
    /// If an attribute is derived from something that the change removes or gives another type, it keeps
    /// its values, and you may write it.
    ///
    /// Afterwards records from before are invalid: ask for them again.
    ///
    /// - Throws: `SchemaError` if the entities do not fit together, `MigrationError` if values
    ///   would be lost, `ExternalStorageError` if bytes that have to be moved cannot be read, or
    ///   what `change` throws.
    public func changeSchema(_ change: (inout MigrationSchema) throws -> Void) throws {
        var changed = MigrationSchema(layout.schema)
        try change(&changed)
        let edited = try changed.edited()
        let newLayout = GraphLayout(schema: try changed.restoringNames(of: edited))
        let match = MigrationMatch(from: layout, to: newLayout, edited: edited)
        let (graph, _, errors) = try GraphMigration.migrate(
            transaction.freeze(), to: newLayout, matching: match, .losses)
        if let error = errors.first { throw error }
        inserted = Set(
            inserted.compactMap { id in
                layout.entityNumber(of: id).flatMap { match.successors[$0] }.map {
                    ObjectID(entity: newLayout.schema.entities[$0].name, number: id.number)
                }
            })
        layout = graph.layout
        transaction = Transaction(graph, rows: RowAllocator(after: graph))
        slots = Self.slots(of: layout)
        epoch += 1
    }

    // MARK: - Records

    /// Lists the records of an entity and its subentities, in the order of their numbers.
    ///
    /// - Throws: `MigrationError` if there is no such entity.
    public func records(of entity: String) throws(MigrationError) -> [MigrationRecord] {
        guard let entityLayout = layout.entity(named: entity) else { throw unknown(entity) }
        let (graph, table) = (transaction.graph, entityLayout.table)
        // An object may have the row of one that was deleted before it was made.
        return graph.rows(in: table).rows.filter { graph.isObject($0, of: entityLayout) }
            .map { (number: graph.number(of: $0, in: table), row: $0) }
            .sorted { $0.number < $1.number }
            .map { MigrationRecord(records: self, table: table, row: $0.row, epoch: epoch) }
    }

    /// The record of an object, or `nil` if there is none.
    public func record(_ id: ObjectID) -> MigrationRecord? {
        guard let entity = layout.entity(of: id),
            let row = transaction.graph.row(of: id, in: entity.table),
            transaction.contains(row, in: entity.table)
        else { return nil }
        return MigrationRecord(records: self, table: entity.table, row: row, epoch: epoch)
    }

    /// Adds a record without values.
    ///
    /// It may be of an abstract entity until the last stage is done: what a stage leaves of one that is abstract in the model
    /// fails the migration.
    ///
    /// - Throws: `MigrationError` if there is no such entity.
    public func insert(_ entity: String) throws(MigrationError) -> MigrationRecord {
        guard let entityLayout = layout.entity(named: entity) else { throw unknown(entity) }
        let row = transaction.insert(into: entityLayout.table, kind: entityLayout.kind)
        // The record's own identifier would be asked of the whole graph, and indexes made for each insert.
        let number = transaction.number(of: row, in: entityLayout.table)
        inserted.insert(ObjectID(entity: entityLayout.name, number: number))
        return MigrationRecord(records: self, table: entityLayout.table, row: row, epoch: epoch)
    }

    private func unknown(_ entity: String) -> MigrationError {
        let names = layout.schema.entities.map(\.name).joined(separator: ", ")
        return error("There is no entity \(entity), but \(names).")
    }

    // MARK: - Mistakes

    private func error(_ problem: String) -> MigrationError {
        .invalidStage(from: stage.from, to: stage.to, problem: problem)
    }

    /// Remembers a mistake, for which the migration fails when the stage is done.
    func fail(_ problem: String) { failure = failure ?? error(problem) }

    /// Remembers why a value could not be read, for which the migration fails when the stage is done.
    func fail(_ error: ExternalStorageError) { failure = failure ?? error }

    /// The slot of a property of a record; `nil`, which is a mistake, where there is none.
    func slot(named name: String, of row: Row, in table: TableNumber) -> Slot? {
        let number = layout.tables[table].entities[Int(transaction.kind(row, in: table))]
        if let slot = slots[number][name] { return slot }
        let names = slots[number].keys.sorted().joined(separator: ", ")
        fail("\(layout.entities[number].name) has no property \(name), but \(names).")
        return nil
    }
}

@available(*, unavailable)
extension MigrationRecords: Sendable {}
