import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What waits for a shared log.
@Suite struct OutboxTests {
    @Test func `however long the log is away, only the last commits hold graphs`() async throws {
        let log = MemorySharedLog()
        let connection = log.connection()
        let document = try await ManagedDocument.open(
            at: URL(filePath: "/Queue", directoryHint: .notDirectory), model: QueueModel.types,
            options: .exchangedByHand { $0.unsharedChangesLimit = 3 }, sharing: connection,
            files: CrashingFiles())
        for number in 0..<20 {
            let job = QueueModel.Job(context: document.viewContext)
            job.code = "job \(number)"
            try document.viewContext.save()
        }
        let waiting = try #require(document.writer.outbox).content.commits
        #expect(
            waiting.map { $0.changes != nil }
                == Array(repeating: false, count: 8) + Array(repeating: true, count: 12))
        // Nothing of it is in a file, so the log gets nothing yet.
        #expect(document.writer.outbox?.batch() == [])
        try await document.sharing?.synchronize()
        #expect(try await connection.commits(after: 0).count == 20)
    }

    @Test func `what is dismissed while the file is written is written then`() async throws {
        let document = try await ManagedDocument.open(
            at: URL(filePath: "/Queue", directoryHint: .notDirectory), model: QueueModel.types,
            options: .exchangedByHand(), sharing: MemorySharedLog().connection(),
            files: CrashingFiles())
        QueueModel.Job(context: document.viewContext).code = "job"
        try document.viewContext.save()
        let outbox = try #require(document.writer.outbox)
        let commit = try #require(outbox.content.commits.first)
        var refused = RefusedCommits([])
        refused.add([Rebase.Refusal(commit: commit, reason: "Others.", mayBeShared: false)]) {
            try? ChangeRecord(line: Array(outbox.line(of: $0, 1, synced: 0).line))
        }
        let first = try #require(refused.unwritten)
        #expect(first.conflicts.map(\.isDismissed) == [false])
        refused.dismiss(commit.id)
        refused.noteWritten(first.changeCount)
        let second = try #require(refused.unwritten)
        #expect(second.conflicts.map(\.isDismissed) == [true])
        refused.noteWritten(second.changeCount)
        #expect(refused.unwritten == nil)
    }

    @Test
    func `a file of commits that are no more keeps what they referred to as long as it is there`()
        async throws
    {
        try await withTwoMembers(.error) { first, second, _ in
            let trip = SharingModel.Trip(context: try first.context)
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            try second.context.refreshAllObjects()
            let seen = try #require(
                try second.context.fetch(FetchRequest<SharingModel.Trip>()).first)
            seen.title = "refused"
            try await second.opened.save(durability: .disk)
            let (outbox, directory) = (
                try #require(second.opened.writer.outbox), try second.opened.writer.directory
            )
            let durable = outbox.confirmedNumber
            #expect(outbox.tidy(in: directory, durable: durable, isClosing: false))
            trip.title = "first"
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            #expect(outbox.waitingCount == 0)
            // Who opened the document now would read the file.
            #expect(!outbox.tidy(in: directory, durable: durable, isClosing: false))
            #expect(outbox.tidy(in: directory, durable: durable + 1, isClosing: false))
        }
    }
}
