import PlacesKit

@testable import PlacesGraph

/// A queue: jobs come at one end of a line, and go at the other.
enum QueueModel {
    final class Line: ManagedObject {
        @Attribute(.unique) var name = "line"
        @Relationship(inverse: \Job.line) var jobs: OrderedObjectSet<Job>
        @Relationship(inverse: \Job.watchers) var watched: ObjectSet<Job>
        @Relationship(deleteRule: .cascade, inverse: \Job.owners) var owned: ObjectSet<Job>
        @Relationship(deleteRule: .nullify) var latest: Job?
    }
    final class Job: ManagedObject {
        @Attribute var serial = 7
        @Attribute(.unique) var code: String?
        @Attribute(.indexed) var text = "new"
        @Relationship var line: Line?
        @Relationship var watchers: ObjectSet<Line>
        @Relationship var owners: ObjectSet<Line>
    }

    static let types: [ManagedObject.Type] = [Line.self, Job.self]

    /// A store that clears the rows of objects that are gone as soon as there are some of them.
    static func store(clearing batch: Int = 1) throws -> GraphStore {
        let model = try ObjectModel(types)
        return GraphStore(model: model, graph: Graph(layout: model.layout), clearing: batch)
    }

    /// Inserts a job and deletes it in the next save.
    ///
    /// - Returns: Its row.
    @discardableResult
    static func come(
        andGo context: ManagedObjectContext, meanwhile: (Job) throws -> Void = { _ in }
    ) throws -> Row {
        let job = Job(context: context)
        job.serial = 1
        job.code = "gone"
        job.text = "what it was"
        try context.save()
        let row = job.row
        try meanwhile(job)
        context.delete(job)
        try context.save()
        return row
    }
}

extension GraphStore {
    /// How many rows there ever were for objects of a class.
    func rowCount(of type: ManagedObject.Type) -> Int {
        model.number(of: type).map { head.graph.tables[$0].upperBound } ?? 0
    }

    /// Inserts jobs in all rows that can be used again, and some, and deletes them, some times over.
    ///
    /// - Returns: The rows that were used.
    @discardableResult
    func churn(_ count: Int = 40) throws -> Set<Row> {
        var rows: Set<Row> = []
        for _ in 0..<3 {
            let context = ManagedObjectContext(self, isolation: nil)
            for serial in 0..<count {
                let job = QueueModel.Job(context: context)
                job.serial = -serial
                job.text = "passing"
                rows.insert(job.row)
            }
            try context.save()
            for job in try context.fetch(QueueModel.Job.self) where job.text == "passing" {
                context.delete(job)
            }
            try context.save()
        }
        return rows
    }
}
