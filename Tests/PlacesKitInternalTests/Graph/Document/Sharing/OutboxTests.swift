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
        var options = ManagedDocument.Options.doingNothingByItself
        options.unsharedChangesLimit = 3
        let document = try await ManagedDocument.open(
            at: URL(filePath: "/Queue", directoryHint: .notDirectory), model: QueueModel.types,
            options: options, sharing: connection, files: CrashingFiles())
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
}
