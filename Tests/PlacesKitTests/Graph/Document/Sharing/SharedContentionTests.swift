import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// A member with many commits that wait, while it goes on saving or others do.
@Suite(.serialized) struct SharedContentionTests {
    private final class Note: ManagedObject {
        @Attribute var text = ""

        /// Hears of each note that is checked.
        static let onValidate = Mutex<(@Sendable (String) throws -> Void)?>(nil)

        override func validate() throws { try Self.onValidate.withLock(\.self)?(text) }
    }

    /// A way to a log by which somebody else is first whenever many commits are added at once.
    private final class BusyLog: LogRelay {
        let log: any SharedLog
        private let limit: Int
        private let save: @Sendable () async throws -> Void
        /// How often somebody was.
        let count = Counter()

        init(
            _ log: any SharedLog, beyond limit: Int,
            _ save: @escaping @Sendable () async throws -> Void
        ) {
            (self.log, self.limit, self.save) = (log, limit, save)
        }

        func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
            if commits.count > limit, count.value < 100 {
                count.count()
                try await save()
            }
            return try await log.append(commits, after: number)
        }
    }

    private nonisolated(nonsending) func open(
        _ url: URL, _ log: any SharedLog
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: [Note.self], options: .exchangedByHand(), sharing: log)
    }

    private static func add(_ text: String, to store: GraphStore) throws {
        let context = ManagedObjectContext(store)
        Note(context: context).text = text
        try context.save()
    }

    private func texts(in document: ManagedDocument) throws -> [String] {
        try ManagedObjectContext(document.store).fetch(FetchRequest<Note>()).map(\.text).sorted()
    }

    @Test func `what waits is made again once, however often this process saves meanwhile`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let first = try await open(directory.appending(path: "first"), log.connection())
            let second = try await open(directory.appending(path: "second"), log.connection())
            for _ in 0..<3 { try Self.add("waiting", to: second.store) }
            try Self.add("first", to: first.store)
            try await first.save(durability: .shared)
            let (store, saved) = (second.store, Counter())
            Note.onValidate.withLock {
                $0 = { text in
                    guard text == "waiting", saved.value < 100 else { return }
                    saved.count()
                    try Self.add("later", to: store)
                }
            }
            defer { Note.onValidate.withLock { $0 = nil } }
            try await second.sharing?.synchronize()
            #expect(saved.value == 3)
            try await second.sharing?.synchronize()
            try await first.sharing?.synchronize()
            let later = Array(repeating: "later", count: saved.value)
            #expect(try texts(in: first) == ["first"] + later + ["waiting", "waiting", "waiting"])
            try await first.close()
            try await second.close()
        }
    }

    @Test(arguments: [1, 2, 5])
    func `what waits gets to the log in portions where others are first, in its order`(
        limit: Int
    ) async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let first = try await open(directory.appending(path: "first"), log.connection())
            let (store, sharing) = (first.store, try #require(first.sharing))
            let busy = BusyLog(log.connection(), beyond: limit) {
                try Self.add("other", to: store)
                try await sharing.synchronize()
            }
            let second = try await open(directory.appending(path: "second"), busy)
            for number in 0..<20 { try Self.add("waiting \(number)", to: second.store) }
            try await second.sharing?.synchronize()
            #expect(busy.count.value < 100)
            #expect(second.sharing?.state == .upToDate)
            #expect(log.commits.count == 20 + busy.count.value)
            // Each is there once, and those of one member are in their order.
            let ids = log.commits.map { $0.id.description.split(separator: "/") }
            for commits in Dictionary(grouping: ids, by: { $0[0] }).values {
                #expect(commits.compactMap { Int($0[1]) } == Array(1...commits.count))
            }
            try await first.sharing?.synchronize()
            #expect(try first.store.content() == second.store.content())
            try await first.close()
            try await second.close()
        }
    }
}
