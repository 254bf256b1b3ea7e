/// The unsaved changes of a context as a save would make them: with new objects that have become those whose unique
/// values they have.
struct FoldedChanges {
    private let context: ManagedObjectContext
    /// Shows the changes: what folding changes is asked there, as a save asks when it has folded.
    private let folded: ManagedObjectContext
    private let changes: ChangeSet
    /// What folding does to the changes.
    private let folds: ChangeSet
    private let rows: FoldedRows?

    /// Folds changes that a context shows, in a context of their own.
    init(_ changes: ChangeSet, in context: ManagedObjectContext) {
        self.context = context
        let store = context.store
        folded = ManagedObjectContext(
            GraphStore(
                model: store.model, graph: changes.after, isReadOnly: true, now: store.now))
        rows = folded.transaction.foldDuplicates(
            newSince: changes.before, taking: context.mergePolicy.folded, isNoted: true)
        folds = folded.allChanges()
        self.changes = changes.merging(folds)
    }

    /// The rules that the changes break.
    var failures: [ValidationFailure] {
        context.failures(
            of: changes,
            denied: context.transaction.deniedDeletes(in: changes.after)
                + folded.transaction.deniedDeletes(in: changes.after),
            refusals: refusals)
    }

    private func refusals(
        of rows: ContiguousArray<Row>, in table: ObjectTable
    ) -> [ValidationFailure] {
        let changed = Set(folds.tables[table.number].updated.lazy.map(\.row))
        return context.refusals(of: rows.filter { !changed.contains($0) }, in: table)
            + folded.refusals(
                of: rows.filter(changed.contains), in: folded.state.tables[table.entityNumber])
    }

    /// Why a save would refuse an object, or the object that it becomes.
    func failures(of object: ManagedObject, in table: ObjectTable) -> [ValidationFailure] {
        let row = rows?.heir(of: object.row, in: table.number) ?? object.row
        guard changes.after.contains(row, in: table.number) else { return [] }
        let failures = ChangeValidator.failures(
            of: row, in: table, of: changes.after, since: changes.before,
            model: context.store.model)
        guard folds.change(of: row, in: table.number) != nil else {
            return failures + context.refusals(of: object)
        }
        guard context.hooks.pointee.asking != .validate else { return failures }
        let heir = folded.state.tables[table.entityNumber].object(row)
        return failures + folded.refusals(of: heir)
    }
}
