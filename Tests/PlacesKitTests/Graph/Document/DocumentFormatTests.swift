import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct DocumentFormatTests {
    private typealias Item = DocumentModel.Item
    typealias Format = ManagedDocument.Format

    /// The path of the document's only snapshot.
    private func snapshot(_ url: URL) throws -> URL {
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path())
        let snapshots = names.filter { $0.hasPrefix("snapshot-") }
        #expect(snapshots.count == 1)
        return url.appending(path: snapshots.first ?? "none")
    }

    /// Makes a document with one save, so that its snapshot holds all of it; returns its account.
    private func makeDocument(
        _ url: URL, _ format: Format, _ change: (ManagedObjectContext) throws -> Void
    ) async throws -> [String] {
        let document = try await DocumentModel.open(url) { $0.format = format }
        try change(document.viewContext)
        try await document.close()
        return document.store.account
    }

    @Test(arguments: Format.allCases, [UInt64](1...4))
    func `random objects, values and links survive in every format`(
        format: Format, seed: UInt64
    ) async throws {
        try await withTemporaryDirectory { url in
            var random = RandomItems(seed: seed)
            let account = try await makeDocument(url, format) {
                try random.change($0, times: 120)
            }
            let reopened = try await DocumentModel.open(url) { $0.format = .json }
            #expect(reopened.format == format)
            #expect(reopened.store.account == account, "seed \(seed)")
            try random.change(reopened.viewContext, times: 60)
            let changed = reopened.store
            try await reopened.close()
            let again = try await DocumentModel.open(url)
            #expect(again.store.account == changed.account, "seed \(seed)")
        }
    }

    @Test(arguments: Format.allCases)
    func `a document turns from one format into another`(format: Format) async throws {
        for target in Format.allCases {
            try await withTemporaryDirectory { url in
                var random = RandomItems(seed: 9)
                let account = try await makeDocument(url, format) {
                    try random.change($0, times: 50)
                }
                let document = try await DocumentModel.open(url)
                try await document.convert(to: target)
                #expect(document.format == target)
                try await document.close()
                let reopened = try await DocumentModel.open(url)
                #expect(reopened.format == target)
                #expect(reopened.store.account == account)
            }
        }
    }

    @Test(arguments: Format.allCases)
    func `texts that look like nothing stay texts, and nothing stays nothing`(
        format: Format
    ) async throws {
        try await withTemporaryDirectory { url in
            let texts = [
                "$null", "$$null", "$$$null", "$", "$nul", "null", "$nulls", "", "\u{1}\r\n",
            ]
            _ = try await makeDocument(url, format) { context in
                for text in texts {
                    let item = Item(context: context)
                    (item.code, item.text, item.optionalText) = (text, text, nil)
                }
            }
            let items = try await DocumentModel.open(url).viewContext.fetch(Item.self)
            #expect(items.map(\.text) == texts)
            #expect(items.allSatisfy { $0.optionalText == nil && $0.optionalInt == 7 })
        }
    }

    @Test(arguments: [Format.xmlPropertyList, .binaryPropertyList])
    func `Foundation reads a snapshot, and what it writes is read`(format: Format) async throws {
        try await withTemporaryDirectory { url in
            var random = RandomItems(seed: 3)
            let account = try await makeDocument(url, format) { try random.change($0, times: 80) }
            let path = try snapshot(url)
            #expect(path.pathExtension == "plist")
            var found = PropertyListSerialization.PropertyListFormat.openStep
            let object = try PropertyListSerialization.propertyList(
                from: try Data(contentsOf: path), format: &found)
            #expect(found == (format == .xmlPropertyList ? .xml : .binary))
            // Foundation orders the keys in its own way.
            try PropertyListSerialization.data(fromPropertyList: object, format: found, options: 0)
                .write(to: path)
            let read = try await DocumentModel.open(url).store.account
            // Foundation's XML has no negative zero.
            let zeros = account.map { $0.replacing(": 8000000000000000", with: ": 0") }
            #expect(read == (format == .xmlPropertyList ? zeros : account))
        }
    }

    @Test func `a snapshot of XML that another tool made binary is read`() async throws {
        try await withTemporaryDirectory { url in
            let texts = ["a\u{1}b", "\u{0}", "plain"]
            _ = try await makeDocument(url, .xmlPropertyList) { context in
                for text in texts {
                    let item = Item(context: context)
                    (item.code, item.text, item.optionalText) = (text, text, text)
                }
            }
            let path = try snapshot(url)
            let object = try PropertyListSerialization.propertyList(
                from: try Data(contentsOf: path), format: nil)
            try PropertyListSerialization.data(
                fromPropertyList: object, format: .binary, options: 0
            ).write(to: path)
            let items = try await DocumentModel.open(url).viewContext.fetch(Item.self)
            #expect(items.map(\.text) == texts && items.map(\.optionalText) == texts)
        }
    }

    @Test(arguments: [Format.xmlPropertyList, .binaryPropertyList])
    func `a damaged property list is an error that names the file`(format: Format) async throws {
        try await withTemporaryDirectory { url in
            var random = RandomItems(seed: 5)
            _ = try await makeDocument(url, format) { try random.change($0, times: 30) }
            let path = try snapshot(url)
            let whole = try Data(contentsOf: path)
            for count in [0, 7, whole.count / 2, whole.count - 9] {
                try whole.prefix(count).write(to: path)
                let error = await #expect(throws: DocumentError.self) {
                    try await DocumentModel.open(url)
                }
                #expect("\(error as Any)".contains(path.lastPathComponent), "\(count) bytes")
            }
        }
    }

    @Test(arguments: Format.allCases)
    func `the same graph gives the same bytes in every format`(format: Format) async throws {
        try await withTemporaryDirectory { url in
            var random = RandomItems(seed: 2)
            _ = try await makeDocument(url, format) { try random.change($0, times: 50) }
            let bytes = try Data(contentsOf: try snapshot(url))
            let reopened = try await DocumentModel.open(url)
            try await withTemporaryDirectory { folder in
                let copy = folder.appending(path: "Copy")
                try await reopened.duplicate(to: copy)
                #expect(try Data(contentsOf: try snapshot(copy)) == bytes)
            }
        }
    }
}
