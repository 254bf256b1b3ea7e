import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Who is told of commits, and in which order.
@Suite struct CommitListenerTests {
    /// What listeners heard, in order.
    private final class Heard: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock(\.self) }

        func listener(_ name: String) -> CommitListener {
            CommitListener { [self] commit in
                lines.withLock { $0.append("\(name) \(commit.committed.number)") }
                return nil
            } whenRemoved: { [self] in
                lines.withLock { $0.append("\(name) ends") }
            }
        }
    }

    private let heard = Heard()

    private func commit(_ store: GraphStore) throws {
        let context = ManagedObjectContext(store)
        _ = Town(context: context)
        try context.save()
    }

    @Test func `each commit is told to all, in the order in which they came`() throws {
        let store = try TownModel.store()
        let first = store.addListener(heard.listener("a"))
        _ = store.addListener(heard.listener("b"))
        try commit(store)
        store.removeListener(first)
        _ = store.addListener(heard.listener("c"))
        try commit(store)
        #expect(heard.all == ["a 1", "b 1", "a ends", "b 2", "c 2"])
    }

    @Test func `listeners end with the store, once`() throws {
        do {
            let store = try TownModel.store()
            let token = store.addListener(heard.listener("a"))
            _ = store.addListener(heard.listener("b"))
            store.removeListener(token)
            store.removeListener(token)
            try commit(store)
        }
        #expect(heard.all == ["a ends", "b 1", "b ends"])
    }

    @Test func `a context does not hear of its own commits`() throws {
        let store = try TownModel.store()
        var listeners = CommitListeners()
        let own = listeners.add(heard.listener("own"))
        _ = listeners.add(heard.listener("other"))
        let head = store.head
        let nothing = ChangeSet(before: head.graph, after: head.graph, tables: [])
        _ = listeners.tell(CommittedChanges(committed: head, changes: nothing), exceptFor: own)
        #expect(heard.all == ["other 0"])
    }

    @MainActor
    @Test func `whoever hears of a commit finds it in the document's log`() async throws {
        try await withTemporaryDirectory { folder in
            let document = try await ManagedDocument.open(
                at: folder.appending(path: "d"), model: TownModel.types,
                options: .savedByHand())
            let log = document.writer.log
            let latest = Mutex(0)
            _ = document.store.addListener(
                CommitListener { _ in
                    latest.withLock { $0 = log.latest }
                    return nil
                })
            try commit(document.store)
            #expect(latest.withLock(\.self) == 1)
            try await document.close()
        }
    }
}
