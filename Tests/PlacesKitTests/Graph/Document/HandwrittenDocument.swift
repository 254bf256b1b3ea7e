import Foundation
import PlacesKit
import PlacesKitTesting

/// A document in memory whose snapshot is read as text, or written by hand.
struct HandwrittenDocument {
    private static let url = URL(filePath: "/Document", directoryHint: .notDirectory)

    private let model: [ManagedObject.Type]
    private let files = CrashingFiles()

    init(of model: [ManagedObject.Type]) { self.model = model }

    /// A document whose snapshot has a text.
    init(of model: [ManagedObject.Type], _ text: String) throws {
        self.model = model
        try files.makeDirectory(at: FilePath(Self.url))
        try write(Array(text.utf8), to: "snapshot-1.json")
        try write(
            Array(#"{"placeskit":1,"generation":1,"snapshot":"snapshot-1.json"}"#.utf8),
            to: "manifest.json")
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try files.replaceFile(at: FilePath(Self.url).appending(name), with: bytes)
    }

    /// Opens the document; nothing is saved by itself.
    nonisolated(nonsending) func open() async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: Self.url, model: model, options: .savedByHand(), files: files)
    }

    /// The text of the latest snapshot.
    var text: String {
        get throws {
            let folder = FilePath(Self.url)
            let names = try files.list(folder).filter { $0.hasPrefix("snapshot-") }
            let latest = names.max { $0.localizedStandardCompare($1) == .orderedAscending }
            return String(
                decoding: try files.read(folder.appending(latest ?? "no snapshot")), as: UTF8.self)
        }
    }

    /// Saves a document as a new snapshot; returns its text.
    nonisolated(nonsending) func text(of document: ManagedDocument) async throws -> String {
        try await document.save()
        try await document.compact()
        return try text
    }

    /// The text of a document with what `fill` makes.
    nonisolated(nonsending) static func text(
        of model: [ManagedObject.Type], _ fill: (ManagedObjectContext) throws -> Void
    ) async throws -> String {
        let written = HandwrittenDocument(of: model)
        let document = try await written.open()
        try fill(document.viewContext)
        let text = try await written.text(of: document)
        try await document.close()
        return text
    }

    /// What is wrong with the snapshot; `nil` where the document opens.
    nonisolated(nonsending) func damage() async throws -> JSONError? {
        do {
            try await open().close()
            return nil
        } catch DocumentError.damaged(_, let error) {
            return error
        }
    }
}
