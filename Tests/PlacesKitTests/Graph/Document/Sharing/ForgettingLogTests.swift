import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// A log that forgets commits while somebody reads them.
@Suite struct ForgettingLogTests {
    private final class Picture: ManagedObject {
        @Attribute var name = ""
        @Attribute(.externalStorage) var bytes: Data?
    }

    private static let url = URL(filePath: "/Pictures", directoryHint: .notDirectory)

    /// A way to a log on which something happens after the first commits were read, and before they are there.
    private final class SlowLog: SharedLog {
        private let log: any SharedLog
        private let onCommits: Mutex<(@Sendable () async throws -> Void)?>

        init(_ log: any SharedLog, onCommits: @escaping @Sendable () async throws -> Void) {
            self.log = log
            self.onCommits = Mutex(onCommits)
        }

        func claimRange() async throws -> Int { try await log.claimRange() }

        func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
            try await log.append(commits, after: number)
        }

        func commits(after number: Int) async throws -> [SharedCommit] {
            let commits = try await log.commits(after: number)
            if !commits.isEmpty { try await onCommits.withLock { $0.take() }?() }
            return commits
        }

        func arrivals() -> AsyncStream<Int?> { log.arrivals() }

        func base(after number: Int) async throws -> SharedBase? {
            try await log.base(after: number)
        }

        func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {
            try await log.keep(base, forgettingAfter: age)
        }
    }

    private static nonisolated(nonsending) func open(
        _ files: CrashingFiles, _ log: any SharedLog
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: [Picture.self],
            options: .exchangedByHand { $0.sharedCommitAge = .zero }, sharing: log, files: files)
    }

    @Test func `who reads commits goes on with a base that somebody keeps meanwhile`()
        async throws
    {
        let (log, theirs) = (MemorySharedLog(), CrashingFiles())
        let other = try await Self.open(theirs, log.connection())
        let slow = SlowLog(log.connection()) {
            let other = try await Self.open(theirs.afterProcessDeath(), log.connection())
            try await other.compact()
            log.advance(by: .seconds(1))
            try await other.sharing?.synchronize()
            #expect(log.commits.map(\.number) == [3])
        }
        let document = try await Self.open(CrashingFiles(), slow)
        let picture = Picture(context: other.viewContext)
        picture.bytes = Data(repeating: 7, count: 1_000)
        try await other.save(durability: .shared)
        picture.bytes = nil
        try await other.save(durability: .shared)
        picture.name = "no bytes"
        try await other.save(durability: .shared)
        try await document.sharing?.synchronize()
        #expect(log.bytes.isEmpty)
        #expect(document.sharing?.state == .upToDate)
        let found = try ManagedObjectContext(document.store).fetch(FetchRequest<Picture>())
        #expect(found.map(\.name) == ["no bytes"])
    }
}
