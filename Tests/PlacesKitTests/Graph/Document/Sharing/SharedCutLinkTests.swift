import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Deletes of objects that had let go of others, made again on top of what other members committed.
@Suite struct SharedCutLinkTests {
    final class Note: ManagedObject {
        @Relationship(deleteRule: .cascade) var picture: Picture?
        @Relationship(deleteRule: .deny) var author: Author?
    }

    final class Picture: ManagedObject { @Attribute var name = "" }
    final class Author: ManagedObject { @Attribute var name = "" }

    private nonisolated(nonsending) func open(
        _ url: URL, _ log: any SharedLog
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: [Note.self, Picture.self, Author.self],
            options: .exchangedByHand(), sharing: log)
    }

    @Test(arguments: [false, true])
    func `a delete that comes after others' commits leaves what was cut before it`(
        isOpenedAgain: Bool
    ) async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let connection = log.connection()
            let url = directory.appending(path: "first")
            var first = try await open(url, connection)
            let note = Note(context: first.viewContext)
            note.picture = Picture(context: first.viewContext)
            note.author = Author(context: first.viewContext)
            try await first.save(durability: .shared)
            let second = try await open(directory.appending(path: "second"), log.connection())

            connection.cut()
            (note.picture, note.author) = (nil, nil)
            first.viewContext.delete(note)
            try await first.save()
            if isOpenedAgain {
                try await first.close()
                first = try await open(url, connection)
            }
            Picture(context: second.viewContext).name = "another"
            try await second.save(durability: .shared)
            connection.heal()
            for document in [first, second] {
                try await document.sharing?.synchronize()
                let snapshot = document.store.snapshot()
                #expect(try snapshot.count(Note.self) == 0 && snapshot.count(Author.self) == 1)
                #expect(try snapshot.count(Picture.self) == 2)
            }
            for document in [first, second] { try await document.close() }
        }
    }
}
