import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Makes a document with some classes, then opens it with others.
enum MigrationWorld {
    /// Makes a document, and closes it.
    nonisolated(nonsending) static func make(
        _ url: URL, _ types: [ManagedObject.Type], version: Int = 1,
        files: any FileSystem = DiskFileSystem(), _ fill: (ManagedObjectContext) throws -> Void
    ) async throws {
        let document = try await ManagedDocument.open(
            at: url, model: types, options: .savedByHand { $0.migration.version = version },
            files: files)
        try fill(document.viewContext)
        try await document.close()
    }

    /// Makes one in a directory that a test has for itself.
    nonisolated(nonsending) static func with(
        _ types: [ManagedObject.Type], _ fill: (ManagedObjectContext) throws -> Void,
        _ body: nonisolated(nonsending) (URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { url in
            try await make(url, types, fill)
            try await body(url)
        }
    }

    /// Opens a document of other classes, twice: the second time there is nothing to migrate.
    nonisolated(nonsending) static func migrate(
        _ url: URL, to types: [ManagedObject.Type], plan: MigrationPlan = MigrationPlan(),
        _ check: (ManagedObjectContext) throws -> Void
    ) async throws {
        let options = ManagedDocument.Options.savedByHand { $0.migration = plan }
        var contents: [String: Data] = [:]
        for _ in 0..<2 {
            let document = try await ManagedDocument.open(
                at: url, model: types, options: options)
            try document.viewContext.checkIntegrity()
            try check(document.viewContext)
            try await document.close()
            if !contents.isEmpty { #expect(try DocumentFolder(url: url).contents == contents) }
            contents = try DocumentFolder(url: url).contents
        }
        let report = try await ManagedDocument.verify(at: url)
        #expect(report.isSound, "\(report)")
    }

    /// What opening a document with other classes is refused with; it stays as it was.
    nonisolated(nonsending) static func refusal(
        _ url: URL, of types: [ManagedObject.Type], plan: MigrationPlan = MigrationPlan()
    ) async throws -> [MigrationError] {
        let contents = try DocumentFolder(url: url).contents
        let error = await #expect(throws: DocumentError.self) {
            try await ManagedDocument.open(
                at: url, model: types, options: .savedByHand { $0.migration = plan })
        }
        #expect(try DocumentFolder(url: url).contents == contents)
        guard case .migration(url.path(percentEncoded: false), let errors)? = error else {
            Issue.record("\(error as Any)")
            return []
        }
        return errors
    }
}
