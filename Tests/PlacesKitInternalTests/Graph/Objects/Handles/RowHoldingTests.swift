import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Rows stay with deleted objects while somebody holds these, and objects come back into them.
@Suite struct RowHoldingTests {
    private typealias Job = QueueModel.Job
    private typealias Line = QueueModel.Line

    private let store: GraphStore

    init() throws { store = try QueueModel.store() }

    private func context() -> ManagedObjectContext { ManagedObjectContext(store, isolation: nil) }

    // MARK: - Those who hold

    @Test func `a handle of a deleted object keeps its values, its identity and its row`() throws {
        let (context, reader) = (context(), context())
        var kept: Job?
        var read: Job?
        let row = try QueueModel.come(andGo: context) { job in
            kept = job
            reader.refreshAllObjects()
            read = try reader.existingObject(Job.self, with: job.objectID)
        }
        let identity = kept?.objectID
        reader.refreshAllObjects()
        #expect(try !store.churn().contains(row))
        context.rollback()
        reader.refreshAllObjects()
        #expect(try !store.churn().contains(row))
        for job in [kept, read] {
            #expect(job?.isDeleted == true && job?.text == "what it was")
            #expect(job?.objectID == identity && job?.row == row)
        }
        kept = nil
        #expect(try !store.churn().contains(row))
        read = nil
        #expect(try store.churn().contains(row))
    }

    @Test func `a handle of what was rolled back keeps its identity, and hides nobody's row`()
        throws
    {
        let context = context()
        let row = try QueueModel.come(andGo: context)
        context.rollback()
        try store.churn()
        context.rollback()
        _ = Line(context: context)
        try context.save()
        var lost: Job? = Job(context: context)
        while let job = lost, job.row != row { lost = Job(context: context) }
        let identity = lost?.objectID
        context.rollback()
        #expect(try !store.churn().contains(row))
        context.refreshAllObjects()
        #expect(lost?.objectID == identity && lost?.isDeleted == true)
        #expect(lost?.text == "new")
        lost = nil
        context.rollback()
        try store.churn()
        context.rollback()
        #expect(try store.churn(1_000).contains(row))
    }

    @Test(arguments: 0..<7)
    func `who shows an object that others deleted keeps its row`(kind: Int) throws {
        let context = context()
        let reader = self.context()
        store.historyLimit = kind == 6 ? 1_000 : 0
        var holder: AnyObject?
        var value: Any?
        let row = try QueueModel.come(andGo: context) { job in
            reader.refreshAllObjects()
            switch kind {
            case 0: holder = self.context()
            case 1: value = store.snapshot()
            case 2: value = try reader.fetch(Job.self)
            case 3:
                let controller = try FetchedResultsController(FetchRequest<Job>(), in: reader)
                controller.isPaused = true
                holder = controller
            case 4: holder = ManagedObjectContext(parent: reader, isolation: nil)
            case 5: value = store.commits(waiting: 1)
            default: break
            }
        }
        context.rollback()
        reader.refreshAllObjects()
        try store.churn()
        reader.refreshAllObjects()
        #expect(try !store.churn().contains(row))
        if let results = value as? FetchedResults<Job> {
            #expect(results.map(\.text) == ["what it was"])
        }
        if let fork = holder as? ManagedObjectContext {
            #expect(try fork.fetch(Job.self).map(\.text) == ["what it was"])
        }
        (holder, value) = (nil, nil)
        store.historyLimit = 0
        reader.refreshAllObjects()
        #expect(try store.churn(1_000).contains(row))
    }

    // MARK: - Objects that come back

    @Test func `undo brings an object back into its row, however many came meanwhile`() throws {
        let context = context()
        let line = Line(context: context)
        try context.save()
        context.isUndoEnabled = true
        var identity: ObjectID?
        let row = try QueueModel.come(andGo: context) { job in
            identity = job.objectID
            line.jobs.append(job)
            line.watched.insert(job)
            try context.save()
        }
        for _ in 0..<3 {
            try store.churn()
            context.refreshAllObjects()
            context.undo()
            let job = try #require(line.jobs.first)
            #expect(job.objectID == identity && job.row == row && job.text == "what it was")
            #expect(Array(line.watched) == [job])
            try context.save()
            #expect(try !store.churn().contains(row))
            context.redo()
            #expect(line.jobs.isEmpty)
            try context.save()
            #expect(try !store.churn().contains(row))
        }
        context.undo()
        // What was brought back is not given away when nobody can delete it again by redo.
        context.isUndoEnabled = false
        #expect(try !store.churn().contains(row))
        try context.save()
        for _ in 0..<3 { #expect(try !store.churn().contains(row)) }
        context.refreshAllObjects()
        #expect(try context.find(Job.self, \.code, "gone")?.objectID == identity)
        #expect(context.brokenInvariants == [])
        context.delete(try #require(line.jobs.first))
        try context.save()
        try store.churn()
        context.refreshAllObjects()
        #expect(try store.churn().contains(row))
    }

    @Test
    func
        `undo of an insert into a used row parts the object from what its delete would take along`()
        throws
    {
        let context = context()
        let job = Job(context: context)
        func comeAndGo() throws -> Row {
            let line = Line(context: context)
            try context.save()
            context.delete(line)
            try context.save()
            return line.row
        }
        let row = try comeAndGo()
        try store.churn()
        context.refreshAllObjects()
        context.isUndoEnabled = true
        let other = Line(context: context)
        other.owned.insert(job)
        #expect(other.row == row)
        context.undo()
        #expect(other.isDeleted && !job.isDeleted && job.owners.isEmpty)
        context.redo()
        #expect(Array(job.owners) == [other])
        context.undo()
        try context.save()
        #expect(try context.fetch(Job.self).map(\.objectID) == [job.objectID])
    }

    @Test
    func `undo of a delete in a row that had been used before finds its object after a merge`()
        throws
    {
        let context = context()
        for _ in 0..<3 { _ = try QueueModel.come(andGo: context) }
        context.isUndoEnabled = true
        let job = Job(context: context)
        job.text = "never saved"
        let identity = job.objectID
        #expect(identity.number > Int32.max)
        context.processPendingChanges()
        context.delete(job)
        context.processPendingChanges()
        try store.churn()
        context.refreshAllObjects()
        context.undo()
        let found = try #require(context.object(with: identity) as? Job)
        #expect(found === job && found.text == "never saved")
        try context.save()
        try store.churn()
        context.refreshAllObjects()
        #expect(try context.fetch(Job.self).map(\.objectID) == [identity])
        #expect(context.brokenInvariants == [])
    }

    @Test(arguments: [true, false])
    func `an object that one saves over the delete of another stays, and so does its row`(
        isSavedAtOnce: Bool
    ) throws {
        let (context, other) = (context(), context())
        other.mergePolicy = .overwrite
        var identity: ObjectID?
        let row = try QueueModel.come(andGo: context) { job in
            identity = job.objectID
            other.refreshAllObjects()
            (try other.existingObject(Job.self, with: job.objectID)).text = "kept"
        }
        if !isSavedAtOnce {
            other.refreshAllObjects()
            #expect(try !store.churn().contains(row))
            other.refreshAllObjects()
        }
        try other.save()
        for _ in 0..<3 {
            #expect(try !store.churn().contains(row))
            context.refreshAllObjects()
            other.refreshAllObjects()
        }
        #expect(try context.fetch(Job.self).map(\.text) == ["kept"])
        #expect(try context.fetch(Job.self).map(\.objectID) == [identity])
        #expect(context.brokenInvariants == [] && other.brokenInvariants == [])
        context.delete(try #require(try context.fetch(Job.self).first))
        try context.save(shownTo: other)
        try store.churn()
        context.refreshAllObjects()
        other.refreshAllObjects()
        #expect(try store.churn().contains(row))
    }

    @Test func `two that bring one object back do not give its row away`() throws {
        let (context, first, second) = (context(), context(), context())
        let row = try QueueModel.come(andGo: context) { job in
            for other in [first, second] {
                other.mergePolicy = .overwrite
                other.refreshAllObjects()
                (try other.existingObject(Job.self, with: job.objectID)).serial += 10
            }
        }
        for other in [first, second] { other.refreshAllObjects() }
        try first.save()
        second.rollback()
        for _ in 0..<3 {
            #expect(try !store.churn().contains(row))
            for other in [context, first, second] { other.refreshAllObjects() }
        }
        #expect(try second.fetch(Job.self).map(\.serial) == [11])
        #expect(second.brokenInvariants == [])
    }

    @Test func `what a child inserts and saves has its row until the parent gives it up`() throws {
        let parent = context()
        for _ in 0..<200 {
            let child = ManagedObjectContext(parent: parent, isolation: nil)
            let (job, gone) = (Job(context: child), Job(context: child))
            job.text = "child's"
            try child.save()
            child.delete(gone)
            _ = Job(context: child)
            try child.save()
            #expect(parent.brokenInvariants == [])
            if Bool.random() {
                parent.rollback()
            } else {
                try parent.save()
                for job in try parent.fetch(Job.self) { parent.delete(job) }
            }
            try parent.save()
            try store.churn(2)
        }
        parent.rollback()
        #expect(try parent.fetch(Job.self).isEmpty)
        #expect(store.rowCount(of: Job.self) < 100)
        #expect(parent.brokenInvariants == [])
    }

    @Test func `what a policy drops of a child's new objects keeps its identity`() throws {
        let writer = context()
        let row = try QueueModel.come(andGo: writer)
        writer.rollback()
        let parent = context()
        // This clears the row, which the parent has not seen.
        _ = Line(context: writer)
        try writer.save()
        let child = ManagedObjectContext(parent: parent, isolation: nil)
        child.mergePolicy = .mergeByPropertyStoreTrump
        let lost = Job(context: child)
        try #require(lost.row == row)
        lost.code = "code"
        let identity = lost.objectID
        let kept = Job(context: parent)
        kept.code = "code"
        try child.save()
        #expect(lost.isDeleted && lost.objectID == identity && lost.text == "new")
        try parent.save(shownTo: child)
        #expect(lost.isDeleted && lost.objectID == identity && lost.text == "new")
        #expect(try !store.churn().contains(row))
        #expect(try child.find(Job.self, \.code, "code")?.objectID == kept.objectID)
        #expect(parent.brokenInvariants == [] && child.brokenInvariants == [])
    }

    @Test func `reverting a document brings deleted objects back into their rows`() async throws {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(
                at: url, model: QueueModel.types, options: .savedByHand())
            let context = ManagedObjectContext(document.store, isolation: nil)
            for serial in 0..<200 { Job(context: context).serial = serial }
            try context.save()
            try await document.save()
            for job in try context.fetch(Job.self) { context.delete(job) }
            try context.save()
            for serial in 0..<100 { Job(context: context).serial = 1_000 + serial }
            try context.save()
            context.rollback()
            document.revert()
            try document.store.churn(300)
            context.refreshAllObjects()
            #expect(try context.fetch(Job.self).map(\.serial).sorted() == Array(0..<200))
            #expect(context.brokenInvariants == [])
            try await document.close()
        }
    }
}
