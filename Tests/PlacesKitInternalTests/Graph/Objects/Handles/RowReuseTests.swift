import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// The rows of deleted objects are used again, and never while anybody may mean the object that was there.
@Suite struct RowReuseTests {
    private typealias Job = QueueModel.Job
    private typealias Line = QueueModel.Line

    private let store: GraphStore

    init() throws { store = try QueueModel.store() }

    private func context() -> ManagedObjectContext { ManagedObjectContext(store, isolation: nil) }

    // MARK: - Memory

    @Test func `a queue takes rows for the jobs that wait, not for all that ever came`() throws {
        let context = context()
        let line = Line(context: context)
        for serial in 0..<5_000 {
            let job = Job(context: context)
            job.serial = serial
            job.code = "job \(serial)"
            line.jobs.append(job)
            if serial >= 100 { context.delete(line.jobs[0]) }
            try context.save()
        }
        #expect(line.jobs.map(\.serial) == Array(4_900..<5_000))
        #expect(store.rowCount(of: Job.self) < 200)
        #expect(context.brokenInvariants == [])
        #expect(try context.find(Job.self, \.code, "job 4900")?.serial == 4_900)
        #expect(try context.find(Job.self, \.code, "job 100") == nil)
    }

    @Test func `whoever keeps up keeps no rows: a view, live lists, undo and a stream`()
        async throws
    {
        let writer = context()
        let view = context()
        view.isUndoEnabled = true
        view.undoLimit = 3
        let jobs = try FetchedResultsController(FetchRequest<Job>(), in: view)
        let lines = try FetchedResultsController(FetchRequest<Line>(), in: view)
        var commits = store.commits(waiting: 4).makeAsyncIterator()
        for serial in 0..<1_000 {
            Job(context: writer).serial = serial
            let oldest = FetchRequest<Job>(sortBy: [SortDescriptor(\.serial)], limit: 1)
            if let job = try writer.first(oldest), serial >= 20 { writer.delete(job) }
            try writer.save(shownTo: view)
            _ = await commits.next()
        }
        #expect(jobs.objects.count == 20 && lines.objects.isEmpty)
        #expect(store.rowCount(of: Job.self) < 60)
        #expect(view.brokenInvariants == [])
    }

    @Test func `whoever always saves over others' commits keeps no rows`() throws {
        let (writer, other) = (context(), context())
        let line = Line(context: other)
        try other.save()
        func saveOver() throws {
            line.name = UUID().uuidString
            try other.save()
            try writer.save()
            #expect(writer.brokenInvariants == [] && other.brokenInvariants == [])
        }
        func insert() { Job(context: writer).text = "passing" }
        for _ in 0..<100 {
            insert()
            try saveOver()
            for job in try writer.fetch(Job.self) { writer.delete(job) }
            try saveOver()
        }
        #expect(store.rowCount(of: Job.self) < 20)
        #expect(try store.count(Job.self) == 0)
    }

    @Test func `a save over another's commit that is refused uses no row twice`() throws {
        let (writer, other) = (context(), context())
        Line(context: other).name = "taken"
        try other.save()
        let (first, second) = (Line(context: writer), Job(context: writer))
        first.name = "taken"
        for round in 1...3 {
            var snapshot: GraphSnapshot? = store.snapshot()
            for _ in 0..<10 { try QueueModel.come(andGo: other) }
            #expect(throws: ContextError.self) { try writer.save() }
            _ = Job(context: other)
            try other.save()
            // Only now can rows be cleared: the save that is refused is the first to do so.
            #expect(snapshot != nil)
            snapshot = nil
            #expect(throws: ContextError.self) { try writer.save() }
            #expect(writer.brokenInvariants == [] && other.brokenInvariants == [])
            #expect(try store.count(Job.self) == round)
        }
        first.name = "free"
        try writer.save()
        #expect(try store.count(Job.self) == 4 && second.text == "new")
        #expect(writer.brokenInvariants == [])
    }

    @Test func `a list that nobody keeps any more keeps no rows`() throws {
        let context = context()
        do {
            let jobs = try FetchedResultsController(FetchRequest<Job>(), in: context)
            try QueueModel.come(andGo: context)
            #expect(jobs.objects.isEmpty)
        }
        for _ in 0..<300 { try QueueModel.come(andGo: context) }
        #expect(store.rowCount(of: Job.self) < 60)
    }

    @Test func `what was inserted and rolled back takes no rows for ever`() throws {
        let context = context()
        for _ in 0..<300 {
            for _ in 0..<10 { _ = Job(context: context) }
            if Bool.random() { context.processPendingChanges() }
            context.rollback()
            // Rows are given out again when a commit has cleared them.
            Line(context: context).name = UUID().uuidString
            try context.save()
        }
        #expect(store.rowCount(of: Job.self) < 60)
        for _ in 0..<60 { _ = Job(context: context) }
        try context.save()
        #expect(store.rowCount(of: Job.self) < 120)
        #expect(try context.fetch(Job.self).allSatisfy { $0.serial == 7 && $0.text == "new" })
        #expect(context.brokenInvariants == [])
    }

    @Test func `what came and went before any save takes no rows for ever`() throws {
        let context = context()
        for _ in 0..<300 {
            let job = Job(context: context)
            context.processPendingChanges()
            context.delete(job)
            Line(context: context).name = UUID().uuidString
            try context.save()
        }
        _ = Job(context: context)
        try context.save()
        #expect(store.rowCount(of: Job.self) < 20)
    }

    @Test func `what was inserted and undone keeps no values after a save of nothing`() throws {
        let context = context()
        context.isUndoEnabled = true
        func insert() {
            Job(context: context).text = "undone"
            context.processPendingChanges()
        }
        func saveNothing() throws {
            try context.save()
            for graph in [context.transaction.graph, context.transaction.base, store.head.graph] {
                #expect(!store.texts(in: graph).contains("undone"))
            }
            #expect(context.brokenInvariants == [])
        }
        for _ in 0..<5 {
            insert()
            context.undo()
            try saveNothing()
            context.redo()
            #expect(try context.fetch(Job.self).map(\.text) == ["undone"])
            context.undo()
            try saveNothing()
        }
        context.redo()
        let identity = try context.fetch(Job.self).map(\.objectID)
        try context.save()
        try store.churn()
        context.refreshAllObjects()
        #expect(try context.fetch(Job.self).map(\.objectID) == identity)
        #expect(try context.fetch(Job.self).map(\.text) == ["undone"])
        #expect(context.brokenInvariants == [])
    }

    @Test func `what was undone in a hierarchy keeps no values, and its class`() throws {
        let context = try AnimalModel.context()
        context.isUndoEnabled = true
        context.keptObjectLimit = 0
        let (row, table) = try {
            let puppy = AnimalModel.Puppy(weeks: 3, in: context)
            (puppy.name, puppy.trick) = ("undone", "undone")
            context.processPendingChanges()
            return (puppy.row, try #require(puppy.table).number)
        }()
        let kind = context.transaction.kind(row, in: table)
        context.undo()
        try context.save()
        let graph = context.transaction.graph
        for slot in graph.layout.tables[table].properties.slots
        where graph.layout.tables[table].properties[slot].attribute != nil {
            #expect(graph.datum(row, slot, in: table) != .string("undone"))
        }
        #expect(graph.kind(row, in: table) == kind && context.brokenInvariants == [])
        context.redo()
        let puppies = try context.fetch(AnimalModel.Puppy.self)
        #expect(puppies.map(\.name) == ["undone"] && puppies.map(\.weeks) == [3])
        #expect(context.brokenInvariants == [])
    }

    @Test func `the handle of an undone insert reads as before after a save of nothing`() throws {
        let context = context()
        context.isUndoEnabled = true
        let job = Job(context: context)
        (job.text, job.serial) = ("held", 3)
        context.undo()
        for _ in 0..<3 {
            try context.save()
            #expect(job.isDeleted && job.text == "held" && job.serial == 3)
            context.redo()
            #expect(try context.fetch(Job.self).map(\.serial) == [3])
            #expect(!job.isDeleted && job.text == "held")
            context.undo()
        }
        try context.save()
        try store.churn()
        context.redo()
        try context.save()
        #expect(try store.snapshot().context().fetch(Job.self).map(\.text) == ["held"])
        #expect(context.brokenInvariants == [])
    }

    @Test func `a child that still shows what its parent undid keeps it`() throws {
        let parent = context()
        parent.isUndoEnabled = true
        let row = {
            let job = Job(context: parent)
            job.text = "shown"
            return job.row
        }()
        parent.processPendingChanges()
        do {
            let child = ManagedObjectContext(parent: parent, isolation: nil)
            let job = try #require(try child.fetch(Job.self).first)
            parent.undo()
            try parent.save()
            #expect(try !store.churn().contains(row))
            #expect(job.text == "shown")
            child.refreshAllObjects()
            #expect(try !store.churn().contains(row))
            #expect(job.isDeleted && job.text == "shown")
        }
        try parent.save()
        #expect(!store.texts(in: parent.transaction.graph).contains("shown"))
        #expect(parent.brokenInvariants == [])
    }

    @Test func `the rows of a context that goes unsaved are used again`() throws {
        for _ in 0..<100 {
            let context = context()
            for _ in 0..<10 { _ = Job(context: context) }
        }
        try store.churn()
        let context = context()
        for _ in 0..<500 { _ = Job(context: context) }
        try context.save()
        #expect(store.rowCount(of: Job.self) < 1_100)
        #expect(try context.count(FetchRequest<Job>()) == 500)
    }

    @Test func `rows of children that go unsaved are used again before the parent saves`() throws {
        let parent = context()
        Line(context: parent).name = "pending"
        for _ in 0..<30 {
            do {
                let child = ManagedObjectContext(parent: parent, isolation: nil)
                for _ in 0..<10 { _ = Job(context: child) }
            }
            #expect(parent.transaction.suppliedRows.fresh.joined().count == 1)
            try store.churn(2)
            parent.refreshAllObjects()
        }
        #expect(store.rowCount(of: Job.self) < 100)
        try parent.save()
        #expect(parent.brokenInvariants == [])
    }

    @Test func `a snapshot of a child that goes unsaved keeps its row`() throws {
        let parent = context()
        Line(context: parent).name = "pending"
        func leave() -> (row: Row, snapshot: GraphSnapshot?) {
            let child = ManagedObjectContext(parent: parent, isolation: nil)
            let job = Job(context: child)
            job.text = "unsaved"
            return (job.row, child.snapshot())
        }
        var left = leave()
        for _ in 0..<3 {
            #expect(try !store.churn().contains(left.row))
            parent.refreshAllObjects()
        }
        #expect(try left.snapshot?.context().fetch(Job.self).map(\.text) == ["unsaved"])
        left.snapshot = nil
        try store.churn()
        parent.refreshAllObjects()
        #expect(try store.churn(1_000).contains(left.row))
    }

    @Test func `values are released when nobody can read them any more`() throws {
        let context = context()
        var held: GraphSnapshot?
        do {
            let job = Job(context: context)
            job.text = String(repeating: "x", count: 100)
            try context.save()
            held = store.snapshot()
            context.delete(job)
            try context.save()
        }
        try store.churn()
        #expect(held != nil && store.texts.contains { $0.count == 100 })
        held = nil
        try store.churn()
        context.rollback()
        try store.churn()
        #expect(!store.texts.contains { $0.count == 100 })
    }

    @Test func `a long time that one snapshot saw ends without a deep stack`() throws {
        let context = context()
        var snapshot: GraphSnapshot? = store.snapshot()
        let line = Line(context: context)
        try context.save()
        for serial in 0..<30_000 {
            if let last = line.latest { context.delete(last) }
            let job = Job(context: context)
            job.serial = serial
            line.latest = job
            try context.save()
        }
        #expect(snapshot != nil && store.rowCount(of: Job.self) >= 30_000)
        snapshot = nil
        try store.churn()
        let rows = store.rowCount(of: Job.self)
        try store.churn(500)
        #expect(store.rowCount(of: Job.self) == rows)
    }

    @Test func `many handles of objects that are gone read as before, whatever others wrote`()
        throws
    {
        let (context, other) = (context(), context())
        let line = Line(context: other)
        for serial in 0..<200 { Job(context: other).serial = serial }
        try other.save(shownTo: context)
        var jobs = try context.fetch(FetchRequest<Job>(sortBy: [SortDescriptor(\.serial)])).map {
            $0
        }
        for job in jobs {
            job.text = "mine \(job.serial)"
            context.delete(job)
        }
        for job in try other.fetch(Job.self) { job.text = "theirs" }
        try other.save()
        for job in try other.fetch(Job.self) { other.delete(job) }
        try other.save()
        func expectLastValues() {
            for (serial, job) in jobs.enumerated() {
                #expect(job.isDeleted && job.serial == serial && job.text == "mine \(serial)")
            }
            #expect(context.brokenInvariants == [])
        }
        context.refreshAllObjects()
        expectLastValues()
        line.name = "changed"
        try other.save(shownTo: context)
        expectLastValues()
        context.rollback()
        expectLastValues()
        Job(context: context).text = "new one"
        line.name = "changed again"
        try other.save()
        try context.save()
        expectLastValues()
        jobs = []
        #expect(context.state.heldRows.isEmpty)
    }

    // MARK: - New objects

    @Test func `an object in a row that was used before has its defaults and a number of its own`()
        throws
    {
        let context = context()
        var identities: Set<ObjectID> = []
        var rows: Set<Row> = []
        for _ in 0..<50 {
            let line = Line(context: context)
            line.name = UUID().uuidString
            rows.insert(
                try QueueModel.come(andGo: context) { job in
                    #expect(identities.insert(job.objectID).inserted)
                    line.jobs.append(job)
                    line.watched.insert(job)
                    line.latest = job
                    try context.save()
                })
            let job = Job(context: context)
            #expect(job.serial == 7 && job.text == "new" && job.code == nil)
            #expect(job.line == nil && job.watchers.isEmpty)
            #expect(identities.insert(job.objectID).inserted)
            #expect(context.object(with: job.objectID) === job)
            rows.insert(job.row)
            context.delete(job)
            context.delete(line)
            try context.save()
        }
        #expect(rows.count < 12)
        for identity in identities { #expect(context.object(with: identity) == nil) }
        #expect(context.brokenInvariants == [])
    }

    @Test func `no identity ever means two objects, across reopening too`() async throws {
        try await withTemporaryDirectory { url in
            var generator = SeededGenerator(seed: 16)
            var seen: [ObjectID: Int] = [:]
            var alive: [ObjectID: Int] = [:]
            var serial = 0
            for round in 0..<6 {
                let document = try await ManagedDocument.open(at: url, model: QueueModel.types)
                let context = ManagedObjectContext(document.store, isolation: nil)
                let found = try context.fetch(Job.self)
                #expect(
                    Dictionary(uniqueKeysWithValues: found.map { ($0.objectID, $0.serial) })
                        == alive)
                for step in 0..<120 {
                    // What was never saved may have had the number of a later object.
                    for _ in 0..<Int.random(in: 0...6, using: &generator) {
                        guard
                            let id = alive.keys.sorted(by: { $0.number < $1.number }).randomElement(
                                using: &generator)
                        else { break }
                        context.delete(try context.existingObject(with: id))
                        alive[id] = nil
                    }
                    for _ in 0..<Int.random(in: 0...6, using: &generator) {
                        serial += 1
                        let job = Job(context: context)
                        job.serial = serial
                        #expect(seen.updateValue(serial, forKey: job.objectID) == nil)
                        alive[job.objectID] = serial
                    }
                    try context.save()
                    // What is not written yet, and what the view shows, keeps its rows.
                    document.viewContext.refreshAllObjects()
                    if step.isMultiple(of: 10) { try await document.flush() }
                }
                for (id, serial) in seen {
                    #expect(
                        (context.object(with: id) as? Job)?.serial == alive[id].map { _ in serial })
                }
                if round.isMultiple(of: 2) { try await document.save() }
                try await document.close()
            }
            #expect(seen.keys.contains { $0.number > Int32.max })
        }
    }

    // MARK: - Many at a time

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }

    @Test
    func `several tasks that write and others that read meet no object in the row of another`()
        async throws
    {
        let store = try QueueModel.store(clearing: 8)
        let done = Flag()
        try await withThrowingTaskGroup { group in
            for writer in 0..<3 {
                group.addTask {
                    for round in 0..<300 {
                        try await store.transaction { context in
                            let mine = try context.fetch(
                                FetchRequest<QueueModel.Job>(
                                    predicate: #Predicate { $0.serial == writer }))
                            for job in mine where job.text == "\(writer)" { context.delete(job) }
                            guard mine.count < 20 else { return }
                            for _ in 0...(round % 5) {
                                let job = QueueModel.Job(context: context)
                                job.serial = writer
                                job.text = "\(writer)"
                            }
                        }
                    }
                }
            }
            group.addTask {
                var kept: [(GraphSnapshot, [ObjectID])] = []
                while !done.isSet {
                    let snapshot = store.snapshot()
                    let jobs = try snapshot.context().fetch(QueueModel.Job.self)
                    for job in jobs { #expect(job.text == "\(job.serial)") }
                    kept.append((snapshot, jobs.map(\.objectID)))
                    if kept.count > 5 {
                        let (snapshot, identities) = kept.removeFirst()
                        #expect(
                            try snapshot.context().fetch(QueueModel.Job.self).map(\.objectID)
                                == identities)
                    }
                    await Task.yield()
                }
            }
            for _ in 0..<3 { try await group.next() }
            done.set()
            try await group.waitForAll()
        }
        #expect(store.snapshot().brokenInvariants == [])
        #expect(ManagedObjectContext(store, isolation: nil).brokenInvariants == [])
    }
}

extension GraphStore {
    /// The texts in the memory of all jobs there are, and were.
    fileprivate var texts: [String] { texts(in: head.graph) }

    /// The same for another graph.
    fileprivate func texts(in graph: Graph) -> [String] {
        guard let table = model.number(of: QueueModel.Job.self),
            let slot = graph.layout.tables[table].properties.firstIndex(where: { $0.name == "text" }
            )
        else { return [] }
        return graph.tables[table].rows.map {
            graph.tables[table].columns[slot].element(String.self, at: $0)
        }
    }
}
