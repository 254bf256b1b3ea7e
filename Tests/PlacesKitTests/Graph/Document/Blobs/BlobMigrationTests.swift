import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Documents whose bytes with external storage are needed elsewhere by a migration.
@Suite struct BlobMigrationTests {
    enum Old {
        final class Photo: ManagedObject {
            @Attribute var name = ""
            @Attribute(.externalStorage) var thumbnail: Data?
        }
    }
    enum Inline {
        final class Photo: ManagedObject {
            @Attribute var name = ""
            @Attribute var thumbnail: Data?
        }
    }
    enum Rated {
        final class Photo: ManagedObject {
            @Attribute var name = ""
            @Attribute var rating = 0
            @Attribute(.externalStorage) var thumbnail: Data?
        }
    }
    enum Text {
        final class Photo: ManagedObject {
            @Attribute var name = ""
            @Attribute var thumbnail = "none"
        }
    }

    private static let bytes = Data("tram".utf8)
    private static let path = FilePath("/Photos/blobs/1")
    private let files = CrashingFiles()

    private func open(
        _ type: ManagedObject.Type, _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        try await ImageModel.open(files, types: [type], change)
    }

    /// Makes a document with one photo whose file is missing for now.
    private func make() async throws {
        let document = try await open(Old.Photo.self)
        let photo = Old.Photo(context: document.viewContext)
        (photo.name, photo.thumbnail) = ("Tram 28", Self.bytes)
        try await document.close()
        try files.remove(Self.path)
    }

    /// What opening the document is refused with.
    private func refusal(
        of type: ManagedObject.Type, _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ExternalStorageError? {
        let names = try files.list(FilePath("/Photos")).sorted()
        let error = await #expect(throws: DocumentError.self) {
            _ = try await open(type, change)
        }
        #expect(try files.list(FilePath("/Photos")).sorted() == names)
        guard case .externalStorage(let error)? = error else {
            Issue.record("\(String(describing: error))")
            return nil
        }
        return error
    }

    @Test(arguments: [Inline.Photo.self, Text.Photo.self] as [ManagedObject.Type])
    func `bytes that cannot be read are not migrated as if there were none`(
        type: ManagedObject.Type
    ) async throws {
        try await make()
        let missing = ExternalStorageError.missing(file: "/Photos/blobs/1")
        #expect(try await refusal(of: type) == missing)
        #expect(try await refusal(of: type) { $0.isReadOnly = true } == missing)
        try files.replaceFile(at: Self.path, with: [1, 2, 3, 4])
        guard case .damaged? = try await refusal(of: type)
        else { throw Unexpected("bytes that do not fit their checksum were migrated") }
        // Back from a backup they are.
        try files.replaceFile(at: Self.path, with: Array(Self.bytes))
        for _ in 0..<2 {
            let document = try await open(type)
            let context = document.viewContext
            if type == Text.Photo.self {
                #expect(try context.fetch(Text.Photo.self).map(\.thumbnail) == ["tram"])
            } else {
                #expect(try context.fetch(Inline.Photo.self).map(\.thumbnail) == [Self.bytes])
            }
            try await document.close()
        }
    }

    private func plan(
        _ body: @escaping @Sendable (MigrationRecords) throws -> Void
    ) -> (inout ManagedDocument.Options) -> Void {
        {
            $0.migration = MigrationPlan(
                version: 2, stages: [MigrationStage(from: 1, to: 2, body)])
        }
    }

    @Test func `a stage that needs bytes which cannot be read fails`() async throws {
        try await make()
        let missing = ExternalStorageError.missing(file: "/Photos/blobs/1")
        let reading = plan { records in
            for photo in try records.records(of: "Photo") where photo["thumbnail"] == .null {
                photo["name"] = .string("no picture")
            }
        }
        #expect(try await refusal(of: Old.Photo.self, reading) == missing)
        let changing = plan { records in
            try records.changeSchema { schema in
                schema.entities[0].properties = schema.entities[0].properties.map {
                    guard case .attribute(var attribute) = $0 else { return $0 }
                    attribute.usesExternalStorage = false
                    return .attribute(attribute)
                }
            }
        }
        #expect(try await refusal(of: Old.Photo.self, changing) == missing)
    }

    @Test func `a stage can take bytes away that cannot be read`() async throws {
        try await make()
        let document = try await open(
            Inline.Photo.self,
            plan { records in
                for photo in try records.records(of: "Photo") { photo["thumbnail"] = .null }
            })
        let photo = try #require(try document.viewContext.fetch(Inline.Photo.self).first)
        #expect(photo.name == "Tram 28" && photo.thumbnail == nil)
        try await document.close()
    }

    @Test func `what a newer document has besides is left out, whether it can be read or not`()
        async throws
    {
        let document = try await open(Old.Photo.self) { $0.migration = MigrationPlan(version: 2) }
        Old.Photo(context: document.viewContext).thumbnail = Self.bytes
        try await document.close()
        try files.remove(Self.path)
        let older = try await open(Inline.Photo.self) { $0.opensNewerReadOnly = true }
        let photo = try #require(try older.viewContext.fetch(Inline.Photo.self).first)
        #expect(photo.thumbnail == nil)
        try await older.close()
    }

    @Test func `whoever follows with another model leaves bytes in their files`() async throws {
        let writer = try await open(Old.Photo.self)
        let photo = Old.Photo(context: writer.viewContext)
        (photo.name, photo.thumbnail) = ("Tram 28", Self.bytes)
        try await writer.save()
        let reader = try await open(Rated.Photo.self) { $0.isReadOnly = true }
        let shown = try #require(try reader.viewContext.fetch(Rated.Photo.self).first)
        // Bytes that cannot be read for a while do not become none.
        let content = try files.read(Self.path)
        try files.remove(Self.path)
        photo.name = "Tram 15"
        try await writer.save()
        try await reader.refresh()
        #expect(shown.name == "Tram 15")
        try files.replaceFile(at: Self.path, with: content)
        #expect(shown.thumbnail == Self.bytes)
        try await writer.close()
    }
}
