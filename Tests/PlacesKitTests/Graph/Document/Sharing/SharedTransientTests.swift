import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Transient values of a document that is shared: no log and no file has them, and nobody but their process.
///
/// One test after the other: each has many files open.
@Suite(.serialized) struct SharedTransientTests {
    private final class Note: ManagedObject {
        @Attribute(.unique) var name = ""
        @Attribute var text = ""
        @Attribute(.transient) var isOpen = false
    }

    private struct Member {
        let document: ManagedDocument
        let connection: MemorySharedLog.Connection

        /// Saves a new note, on the machine alone where nothing else is said.
        @discardableResult nonisolated(nonsending) func save(
            _ name: String, isOpen: Bool = false,
            durability: ManagedDocument.Durability = .system
        ) async throws -> Note {
            let note = Note(context: document.viewContext)
            (note.name, note.isOpen) = (name, isOpen)
            try await document.save(durability: durability)
            return note
        }

        nonisolated(nonsending) func synchronize() async throws {
            try await #require(document.sharing).synchronize()
        }

        /// The names of all notes, and of those that are open.
        func names() throws -> (all: [String], open: [String]) {
            let notes = try document.store.snapshot().context().fetch(FetchRequest<Note>())
            return (notes.map(\.name).sorted(), notes.filter(\.isOpen).map(\.name).sorted())
        }
    }

    /// Runs a test with two members of a log, each of which keeps what so many of its waiting commits changed.
    private nonisolated(nonsending) func withMembers(
        keeping limit: Int,
        _ body: nonisolated(nonsending) (Member, Member, MemorySharedLog) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            var members: [Member] = []
            for name in ["first", "second"] {
                let connection = log.connection()
                members.append(
                    Member(
                        document: try await ManagedDocument.open(
                            at: directory.appending(path: name), model: [Note.self],
                            options: .exchangedByHand {
                                $0.sharedCommitAge = .seconds(10)
                                $0.unsharedChangesLimit = limit
                            }, sharing: connection), connection: connection))
            }
            try await body(members[0], members[1], log)
            for member in members { try await member.document.close() }
        }
    }

    @Test(arguments: [0, 2, 256])
    func `transient values stay when others committed first, however many saves wait`(
        limit: Int
    ) async throws {
        try await withMembers(keeping: limit) { first, second, log in
            let note = try await first.save("a")
            try await first.synchronize()
            note.isOpen = true
            try await first.document.save(durability: .system)
            for name in ["b", "c", "d"] { try await first.save(name, isOpen: true) }
            note.text = "changed"
            try await first.document.save(durability: .system)
            for name in ["x", "y"] {
                try await second.save(name)
                try await second.synchronize()
                try await first.synchronize()
                let (all, open) = try first.names()
                #expect(all.contains(name) && open == ["a", "b", "c", "d"])
            }
            try await second.synchronize()
            #expect(try second.names() == (["a", "b", "c", "d", "x", "y"], []))
        }
    }

    @Test(arguments: [0, 256], [false, true])
    func `transient values stay when the document begins on a base`(
        limit: Int, isWaiting: Bool
    ) async throws {
        try await withMembers(keeping: limit) { first, second, log in
            try await first.save("a", isOpen: true)
            try await first.synchronize()
            try await second.synchronize()
            first.connection.cut()
            if isWaiting {
                for name in ["b", "c"] { try await first.save(name, isOpen: true) }
            }
            for name in ["x", "y"] { try await second.save(name, durability: .shared) }
            log.advance(by: .seconds(11))
            try await second.document.compact()
            try await second.synchronize()
            #expect(log.commits.count == 1)
            first.connection.heal()
            let own = isWaiting ? ["a", "b", "c"] : ["a"]
            try await first.synchronize()
            #expect(try first.names() == ((own + ["x", "y"]).sorted(), own))
            try await second.save("z", durability: .shared)
            try await first.synchronize()
            #expect(try first.names() == ((own + ["x", "y", "z"]).sorted(), own))
        }
    }
}
