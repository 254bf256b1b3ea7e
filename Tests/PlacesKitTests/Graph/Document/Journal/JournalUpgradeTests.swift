import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Documents that were written before there were journals, or by an earlier version of a model.
@Suite struct JournalUpgradeTests {
    enum Old {
        final class Photo: ManagedObject {
            @Attribute var name = ""
            @Attribute var caption = ""
            @Relationship(inverse: \Album.photos) var album: Album?
        }
        final class Album: ManagedObject {
            @Attribute var title = ""
            @Relationship var photos: OrderedObjectSet<Photo>
        }
    }
    enum New {
        final class Photo: ManagedObject {
            @Attribute(.originalName("caption")) var name = ""
            @Attribute(.originalName("name")) var caption = ""
            @Relationship(originalName: "album", inverse: \Album.members) var container: Album?
        }
        final class Album: ManagedObject {
            @Attribute(.originalName("title")) var label = ""
            @Relationship(originalName: "photos") var members: OrderedObjectSet<Photo>
        }
    }

    private static let url = URL(filePath: "/Photos", directoryHint: .notDirectory)
    private let files = CrashingFiles()

    private func open(_ types: [ManagedObject.Type]) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: Self.url, model: types, options: .savedByHand(), files: files)
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try files.read(FilePath("/Photos/\(name)")), as: UTF8.self)
    }

    @Test func `a journal is read under the names that it was written with`() async throws {
        let old = try await open([Old.Photo.self, Old.Album.self])
        try await old.save()
        let album = Old.Album(context: old.viewContext)
        album.title = "Paris"
        for number in 0..<4 {
            let photo = Old.Photo(context: old.viewContext)
            (photo.name, photo.caption) = ("n\(number)", "c\(number)")
            album.photos.insert(photo, at: 0)
            try await old.save()
        }
        try await old.close()

        let types: [ManagedObject.Type] = [New.Photo.self, New.Album.self]
        let steps = files.stepCount
        let renamed = try await open(types)
        #expect(!files.steps[steps...].contains { $0.hasPrefix("write") })
        let members = try #require(try renamed.viewContext.fetch(New.Album.self).first).members
        #expect(members.map(\.name) == ["c3", "c2", "c1", "c0"])
        #expect(members.map(\.caption) == ["n3", "n2", "n1", "n0"])
        #expect(renamed.store.commitNumber == 4)
        members[0].name = "other"
        try await renamed.save()
        // The journal with the old names is not gone on with.
        #expect(try text("manifest.json").contains("snapshot-2.json"))
        members.move(from: 0, to: 3)
        try await renamed.close()
        #expect(try text("journal-2.jsonl").contains(#""move":{"Album.members":[[0,3,0]]}"#))
        let again = try await open(types)
        let found = try #require(try again.viewContext.fetch(New.Album.self).first).members
        #expect(found.map(\.name) == ["c2", "c1", "c0", "other"])
        #expect(again.store.commitNumber == 6)
    }

    @Test func `a document without a journal opens, and gets one with the first change`()
        async throws
    {
        let types: [ManagedObject.Type] = [Old.Photo.self, Old.Album.self]
        let first = try await open(types)
        Old.Photo(context: first.viewContext).name = "a"
        try await first.close()
        // What an earlier version of the library had written.
        try files.remove(FilePath("/Photos/journal-1.jsonl"))
        let manifest = #"{"placeskit":1,"generation":1,"snapshot":"snapshot-1.json"}"# + "\n"
        try files.replaceFile(at: FilePath("/Photos/manifest.json"), with: Array(manifest.utf8))

        let steps = files.stepCount
        let second = try await open(types)
        #expect(try second.viewContext.fetch(Old.Photo.self).map(\.name) == ["a"])
        #expect(second.recovery.isEmpty)
        try await second.close()
        #expect(files.steps[steps...].allSatisfy { $0.hasPrefix("synchronize") })
        let third = try await open(types)
        Old.Photo(context: third.viewContext).name = "b"
        try await third.save()
        Old.Photo(context: third.viewContext).name = "c"
        try await third.close()
        #expect(
            try files.list(FilePath("/Photos")).filter { $0 != "snapshot-1.json" }
                == ["journal-2.jsonl", "manifest.json", "snapshot-2.json"])
        let fourth = try await open(types)
        #expect(try fourth.viewContext.fetch(Old.Photo.self).map(\.name) == ["a", "b", "c"])
    }

    @Test func `without the journal that the manifest names nothing is opened`() async throws {
        let types: [ManagedObject.Type] = [Old.Photo.self, Old.Album.self]
        try await open(types).close()
        try files.remove(FilePath("/Photos/journal-1.jsonl"))
        let error = await #expect(throws: DocumentError.self) { try await open(types) }
        guard case .incomplete("/Photos/journal-1.jsonl")? = error else { throw Unexpected(error) }
    }
}
