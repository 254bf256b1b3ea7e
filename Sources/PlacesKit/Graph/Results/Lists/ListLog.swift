extension FetchedResultsController {
    /// What was asked and how much was found, for a log.
    var summary: String {
        let query = tracker.query.compiled
        let condition = query.condition.text(in: query.table, of: tracker.graph.layout)
        return "\(snapshot.identifiers.count) of \(Object.entityName) where \(condition)"
    }
}

extension ResultsDifference {
    /// How much happened, for a log: `1 inserted, 2 moved`.
    var summary: String {
        let counts = [
            (itemInserts.count, "inserted"), (itemDeletes.count, "deleted"),
            (itemMoves.count, "moved"),
            (itemUpdates.count, "updated"), (sectionInserts.count, "sections inserted"),
            (sectionDeletes.count, "sections deleted"), (sectionMoves.count, "sections moved"),
            (sectionRenames.count, "sections renamed"),
        ]
        return counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
    }
}
