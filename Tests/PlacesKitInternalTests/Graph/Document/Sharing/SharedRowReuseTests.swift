import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// The rows of deleted objects are used again in a document that several processes write, and never while one of them may
/// mean the object that was there.
@Suite struct SharedRowReuseTests {
    private typealias Job = QueueModel.Job

    /// Some who share a document.
    private final class Group {
        let connections: [MemorySharedLog.Connection]
        private(set) var documents: [ManagedDocument] = []

        init(_ count: Int, log: MemorySharedLog = MemorySharedLog()) {
            connections = (0..<count).map { _ in log.connection() }
        }

        nonisolated(nonsending) func open(
            policy: MergePolicy = .mergeByPropertyObjectTrump, unsharedChangesLimit: Int = 256
        ) async throws {
            var options = ManagedDocument.Options.exchangedByHand()
            (options.rowsClearedAtOnce, options.sharedMergePolicy) = (1, policy)
            options.unsharedChangesLimit = unsharedChangesLimit
            for connection in connections {
                documents.append(
                    try await ManagedDocument.open(
                        at: URL(filePath: "/Queue", directoryHint: .notDirectory),
                        model: QueueModel.types, options: options, sharing: connection,
                        files: CrashingFiles()))
            }
        }

        /// Lets all have what any has.
        nonisolated(nonsending) func synchronize() async throws {
            for document in documents + documents {
                try await document.sharing?.synchronize()
                document.viewContext.refreshAllObjects()
            }
        }

        /// What is different, or wrong.
        func check() throws {
            let content = try documents[0].store.content()
            for document in documents {
                #expect(try document.store.content() == content)
                #expect(document.viewContext.brokenInvariants == [])
                #expect(
                    document.writer.outbox?.confirmed.graph.brokenInvariants(
                        allowingDeniedDeletes: false) == [])
            }
        }
    }

    private func insert(_ code: String, in document: ManagedDocument) -> Job {
        let job = Job(context: document.viewContext)
        job.code = code
        job.text = "text of \(code)"
        return job
    }

    @Test(arguments: [1, 256])
    func `a queue that several fill and empty takes rows for the jobs that wait`(
        unsharedChangesLimit: Int
    ) async throws {
        let group = Group(3)
        try await group.open(unsharedChangesLimit: unsharedChangesLimit)
        for turn in 0..<120 {
            // The third one only looks on.
            for (number, document) in group.documents.prefix(2).enumerated() {
                let context = document.viewContext
                let oldest = FetchRequest<Job>(sortBy: [SortDescriptor(\.serial)], limit: 3)
                for job in try context.fetch(oldest) where job.serial < turn - 5 {
                    context.delete(job)
                }
                for index in 0..<2 {
                    insert("\(turn)/\(number)/\(index)", in: document).serial = turn
                }
                try await document.save(durability: .disk)
                if turn.isMultiple(of: 3) == (number == 0) { try await group.synchronize() }
            }
        }
        try await group.synchronize()
        try group.check()
        for document in group.documents {
            let count = try document.viewContext.count(FetchRequest<Job>())
            #expect(count < 40)
            #expect(document.store.rowCount(of: Job.self) < 120, "of \(count) jobs")
            try await document.close()
        }
    }

    @Test(arguments: [false, true], [1, 256])
    func `what one deletes is another's nowhere, as long as the log has it`(
        isKept: Bool, unsharedChangesLimit: Int
    ) async throws {
        let group = Group(2)
        try await group.open(
            policy: isKept ? .mergeByPropertyStoreTrump : .overwrite,
            unsharedChangesLimit: unsharedChangesLimit)
        let (first, second) = (group.documents[0], group.documents[1])
        let jobs = (0..<20).map { insert("old \($0)", in: first) }
        let ids = jobs.map(\.objectID)
        try await first.save(durability: .shared)
        try await group.synchronize()

        for job in jobs { first.viewContext.delete(job) }
        try first.viewContext.save()
        for round in 0..<5 {
            for index in 0..<10 { _ = insert("new \(round)/\(index)", in: first) }
            try await first.save(durability: .disk)
        }
        for (number, job) in try second.viewContext.fetch(FetchRequest<Job>()).enumerated() {
            job.text = "still wanted \(number)"
        }
        try await second.save(durability: .shared)
        try await group.synchronize()
        try group.check()
        let found = try first.viewContext.fetch(FetchRequest<Job>())
        #expect(found.count == (isKept ? 70 : 50))
        #expect(found.filter { ids.contains($0.objectID) }.count == (isKept ? 20 : 0))
        for job in found where !ids.contains(job.objectID) {
            #expect(job.text == "text of \(job.code ?? "")")
        }
        for document in group.documents { try await document.close() }
    }

    @Test func `an object that comes back where its row is another's by now is the same to all`()
        async throws
    {
        let group = Group(2)
        try await group.open()
        let (first, second) = (group.documents[0], group.documents[1])
        first.viewContext.isUndoEnabled = true
        var ids: [ObjectID] = []
        for index in 0..<8 { ids.append(insert("\(index)", in: first).objectID) }
        try await first.save(durability: .shared)
        try await group.synchronize()
        for job in try first.viewContext.fetch(FetchRequest<Job>()) {
            first.viewContext.delete(job)
        }
        try await first.save(durability: .shared)
        try await group.synchronize()
        // Nobody knows them any more here.
        for round in 0..<4 {
            for index in 0..<4 { _ = insert("other \(round)/\(index)", in: second) }
            try await second.save(durability: .shared)
        }
        let rows = second.store.rowCount(of: Job.self)
        #expect(rows < 24)
        first.viewContext.undo()
        try await first.save(durability: .shared)
        try await group.synchronize()
        try group.check()
        let found = try second.viewContext.fetch(FetchRequest<Job>())
        #expect(found.count == 24)
        #expect(Set(found.map(\.objectID)).isSuperset(of: ids))
        for job in found { #expect(job.text == "text of \(job.code ?? "")") }
        for document in group.documents { try await document.close() }
    }
}
