import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Floats and URLs that a person wrote into a snapshot otherwise than PlacesKit does.
@Suite struct HandwrittenValuesTests {
    final class Reading: ManagedObject {
        @Attribute(.unique) var key: Float?
        @Attribute var level: Float = 0
        @Attribute(.unique) var page: URL?
    }

    private static let formats: [ManagedDocument.Format] = [
        .json, .xmlPropertyList, .binaryPropertyList,
    ]

    /// Opens a document of two readings in a format, in whose snapshot some texts were replaced.
    private func open<Result>(
        _ format: ManagedDocument.Format, replacing texts: [(String, String)],
        _ body: (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await withTemporaryDirectory { url in
            var options = ManagedDocument.Options()
            options.autosave = nil
            options.format = format == .json ? .json : .xmlPropertyList
            let document = try await ManagedDocument.open(
                at: url, model: [Reading.self], options: options)
            for number in 1...2 {
                let reading = Reading(context: document.viewContext)
                (reading.key, reading.level) = (Float(number) + 0.25, Float(number) + 0.5)
                reading.page = URL(string: "http://\(number).de/")
            }
            try await document.close()
            let name = try #require(
                try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false))
                    .first { $0.hasPrefix("snapshot-") })
            let file = url.appending(path: name)
            var text = try String(contentsOf: file, encoding: .utf8)
            for (old, new) in texts {
                #expect(text.contains(old), "\(text)")
                text = text.replacing(old, with: new)
            }
            var bytes = Data(text.utf8)
            if format == .binaryPropertyList {
                let tree = try PropertyListSerialization.propertyList(from: bytes, format: nil)
                bytes = try PropertyListSerialization.data(
                    fromPropertyList: tree, format: .binary, options: 0)
            }
            try bytes.write(to: file)
            let edited = try await ManagedDocument.open(
                at: url, model: [Reading.self], options: options)
            let result = try body(edited.viewContext)
            try await edited.close()
            return result
        }
    }

    @Test(arguments: formats)
    func `a float is the one nearest to the number that stands there`(
        format: ManagedDocument.Format
    ) async throws {
        try await open(format, replacing: [("1.25", "0.1"), ("1.5", "0.2")]) { context in
            let (key, level): (Float, Float) = (0.1, 0.2)
            let found = try #require(try context.find(Reading.self, \.key, key))
            #expect(found.key == key && found.level == level)
            let request = FetchRequest<Reading>(predicate: #Predicate { $0.level == level })
            #expect(try context.count(request) == 1)
        }
    }

    @Test(arguments: formats)
    func `a number that is too large for a float is refused`(
        format: ManagedDocument.Format
    ) async throws {
        for number in ["1.25", "1.5"] {
            let error = await #expect(throws: DocumentError.self) {
                try await open(format, replacing: [(number, "1e39")]) { _ in }
            }
            #expect(error?.description.contains("does not fit a float") == true)
        }
    }

    @Test(arguments: formats)
    func `numbers that are one float are no two unique values`(
        format: ManagedDocument.Format
    ) async throws {
        await #expect(throws: DocumentError.self) {
            try await open(format, replacing: [("1.25", "0.1"), ("2.25", "0.10000000001")]) { _ in }
        }
    }

    @Test(arguments: formats)
    func `a URL with characters that no URL has is spelled as URL does`(
        format: ManagedDocument.Format
    ) async throws {
        let texts = [("http://1.de/", "http://ü.de/ä b"), ("http://2.de/", "http://[ ")]
        try await open(format, replacing: texts) { context in
            let page = URL(string: "http://xn--tda.de/%C3%A4%20b")
            let found = try context.find(Reading.self, \.page, page)
            #expect(found?.key == 1.25)
            let request = FetchRequest<Reading>(predicate: #Predicate { $0.page == page })
            #expect(try context.count(request) == 1)
            // A document opens whatever text stands for a URL.
            #expect(try context.count(FetchRequest<Reading>()) == 2)
        }
    }
}
