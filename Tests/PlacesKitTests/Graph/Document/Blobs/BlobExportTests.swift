import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// Exports of bytes with external storage, whatever way leads to them.
@Suite struct BlobExportTests {
    final class Box: ManagedObject {
        @Attribute(.externalStorage) var cover: Data?
        @Relationship var slides: OrderedObjectSet<Slide>
    }

    final class Slide: ManagedObject {
        @Attribute(.externalStorage) var picture: Data?
        @Relationship(inverse: \Box.slides) var box: Box?
    }

    private let files = CrashingFiles()

    /// Exports what key paths lead to from the objects of a class, as text.
    private func text<Object: ManagedObject>(
        of type: Object.Type, _ keyPaths: [String], _ document: ManagedDocument,
        as format: ExchangeFormat
    ) async throws -> String {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "file")
            do {
                try await document.store.export(
                    FetchRequest<Object>(), to: url, as: format, keyPaths: keyPaths)
            } catch {
                #expect(!FileManager.default.fileExists(atPath: url.path(percentEncoded: false)))
                throw error
            }
            return try String(contentsOf: url, encoding: .utf8)
        }
    }

    @Test(arguments: ExchangeFormat.allCases)
    func `bytes that cannot be read are no nothing, whatever key path leads to them`(
        format: ExchangeFormat
    ) async throws {
        let told = Mutex(0)
        let url = URL(filePath: "/Boxes", directoryHint: .notDirectory)
        let document = try await ImageModel.open(files, at: url, types: [Box.self, Slide.self]) {
            $0.onUnreadableData = { _ in told.withLock { $0 += 1 } }
        }
        let box = Box(context: document.viewContext)
        box.cover = ImageModel.bytes(50, 1)
        for number in 2...3 {
            let slide = Slide(context: document.viewContext)
            slide.picture = ImageModel.bytes(50, UInt64(number))
            box.slides.append(slide)
        }
        try await document.save()
        let paths = (
            slide: ["picture", "box.cover", "box.slides[FIRST].picture"],
            box: ["cover", "slides.picture", "slides[LAST].picture"]
        )
        let bytes = (1...3).map { ImageModel.bytes(50, UInt64($0)).base64EncodedString() }
        let slides = try await text(of: Slide.self, paths.slide, document, as: format)
        let boxes = try await text(of: Box.self, paths.box, document, as: format)
        // JSON may escape slashes, so that only what is left of them is compared.
        for text in [slides, boxes] {
            let plain = text.replacing("\\/", with: "/")
            #expect(bytes.allSatisfy { plain.contains($0) }, "\(text)")
        }

        for name in try files.blobNames(of: "/Boxes") {
            try files.remove(FilePath("/Boxes/blobs/\(name)"))
        }
        for path in paths.slide {
            await #expect(throws: ExternalStorageError.self, "\(path)") {
                try await text(of: Slide.self, [path], document, as: format)
            }
        }
        for path in paths.box {
            await #expect(throws: ExternalStorageError.self, "\(path)") {
                try await text(of: Box.self, [path], document, as: format)
            }
        }
        // Who is thrown at need not be told.
        #expect(told.withLock(\.self) == 0)
        // What leads to no bytes does not need them.
        #expect(try await text(of: Box.self, ["slides.@count"], document, as: .csv).contains("2"))
        try await document.close()
    }
}
