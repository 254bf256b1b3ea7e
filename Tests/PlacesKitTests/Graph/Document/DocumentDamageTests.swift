import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Files that are cut off, altered, or edited by hand.
@Suite struct DocumentDamageTests {
    private typealias Item = DocumentModel.Item
    private typealias Box = DocumentModel.Box
    private typealias Tag = DocumentModel.Tag
    private typealias Label = DocumentModel.Label

    // MARK: - Bytes

    @Test func `a manifest cut off or altered anywhere is told, or means the same`() async throws {
        try await withTemporaryDirectory { url in
            let account = try await makeDocument(at: url, times: 1)
            let file = DocumentFolder(url: url)["manifest.json"]
            let bytes = Array(try Data(contentsOf: file))
            for count in 0..<bytes.count {
                try await expect(Array(bytes[..<count]), in: file, at: url, or: account)
            }
            for position in bytes.indices {
                for bit in [0, 3, 5, 7] {
                    var altered = bytes
                    altered[position] ^= 1 << bit
                    try await expect(altered, in: file, at: url, or: account)
                }
            }
        }
    }

    @Test func `a snapshot cut off anywhere is told`() async throws {
        try await withTemporaryDirectory { url in
            let account = try await makeDocument(at: url)
            let file = try DocumentFolder(url: url).snapshot
            let bytes = Array(try Data(contentsOf: file))
            var random = DocumentRandom(seed: 7)
            let counts = (0..<150).map { _ in Int.random(in: 0..<bytes.count, using: &random) }
            for count in counts + (bytes.count - 20..<bytes.count) {
                try await expect(Array(bytes[..<count]), in: file, at: url, or: account)
            }
        }
    }

    /// Expects that a document whose file has these bytes is refused as damaged, or holds the same,
    /// and that no file was changed.
    private func expect(
        _ bytes: [UInt8], in file: URL, at url: URL, or account: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try Data(bytes).write(to: file)
        let folder = DocumentFolder(url: url)
        let contents = try folder.contents
        do {
            let document = try await DocumentModel.open(url)
            #expect(
                document.store.account == account, "\(String(decoding: bytes, as: UTF8.self))",
                sourceLocation: sourceLocation)
        } catch let error as DocumentError {
            switch error {
            case .damaged, .newerFormat, .incomplete, .differentModel: break
            default: Issue.record(error, sourceLocation: sourceLocation)
            }
        }
        #expect(try folder.contents == contents, sourceLocation: sourceLocation)
    }

    private func makeDocument(at url: URL, times: Int = 20) async throws -> [String] {
        let document = try await DocumentModel.open(url)
        var random = RandomItems(seed: 3)
        try random.change(document.viewContext, times: times)
        try await document.close()
        return document.store.account
    }

    // MARK: - Edits

    /// An edit of the snapshot that `open` finds, by a text that stands once in it.
    struct Edit: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var old: String
        var new: String
        var expected: String
    }

    private static let edits: [Edit] = [
        Edit(
            testDescription: "a link that leads nowhere", old: #""box":1,"l"#, new: #""box":7,"l"#,
            expected: "expected the number of an existing Box"),
        Edit(
            testDescription: "a link with a negative number", old: #""box":1,"l"#,
            new: #""box":-1,"l"#,
            expected: "expected the number of an existing Box"),
        Edit(
            testDescription: "a number beyond every row", old: #""box":1,"l"#,
            new: #""box":9223372036854775807,"l"#,
            expected: "expected the number of an existing Box"),
        Edit(
            testDescription: "a number that another object has", old: #""id":1,"code""#,
            new: #""id":0,"code""#, expected: "a number that no other object of the entity has"),
        Edit(
            testDescription: "a number that is none", old: #""id":1,"code""#,
            new: #""id":-1,"code""#, expected: "an object's number from 0 to"),
        Edit(
            testDescription: "no number first", old: #""id":1,"code":"b""#,
            new: #""code":"b","id":1"#, expected: #"the key "id" first"#),
        Edit(
            testDescription: "a value of another type", old: #""code":"b""#, new: #""code":5"#,
            expected: "expected a string, found a number"),
        Edit(
            testDescription: "no value where one is required", old: #""code":"b""#,
            new: #""code":null"#, expected: "the attribute is required"),
        Edit(
            testDescription: "a required value left out", old: #","code":"b""#, new: "",
            expected: "a value of code, which is required"),
        Edit(
            testDescription: "a value that another object has too", old: #""code":"b""#,
            new: #""code":"a""#, expected: #"a unique code, but another Item has "a" too"#),
        Edit(
            testDescription: "an unknown property", old: #""code":"b""#,
            new: #""code":"b","colour":1"#, expected: "the name of a property"),
        Edit(
            testDescription: "an integer out of its range", old: #""int8":-128"#,
            new: #""int8":-129"#, expected: "this number does not fit int8"),
        Edit(
            testDescription: "an integer with a fraction", old: #""int8":-128"#,
            new: #""int8":1.5"#, expected: "expected an integer"),
        Edit(
            testDescription: "an unknown case of an enum", old: #""mood":"wild""#,
            new: #""mood":"tame""#, expected: #"one of "calm", "wild", "blasé""#),
        Edit(
            testDescription: "text that is no instant", old: #""date":"2001-01-01T00:00:07Z""#,
            new: #""date":"yesterday""#, expected: "an instant such as"),
        Edit(
            testDescription: "text that is no Base64", old: #""data":"AQ==""#,
            new: #""data":"AQ=""#, expected: "expected Base64"),
        Edit(
            testDescription: "a partner that has another already", old: #""box":1,"label":1"#,
            new: #""box":1,"label":0"#, expected: "no other object names here"),
        Edit(
            testDescription: "a member listed twice", old: #""tags":[1,0]"#, new: #""tags":[1,1]"#,
            expected: "each once"),
        Edit(
            testDescription: "a member that is another's", old: #""items":[2,1]"#,
            new: #""items":[2,1,0]"#, expected: "just the objects that name it as theirs"),
    ]

    @Test(arguments: edits)
    func `what does not fit the model is told with its line`(edit: Edit) async throws {
        try await withTemporaryDirectory { url in
            try await makeItems(at: url)
            let file = try DocumentFolder(url: url).snapshot
            let text = try DocumentFolder(url: url).text
            let parts = text.components(separatedBy: edit.old)
            try #require(parts.count == 2, "\(text)")
            let edited = parts.joined(separator: edit.new)
            try Data(edited.utf8).write(to: file)
            let error = await #expect(throws: DocumentError.self) {
                try await DocumentModel.open(url)
            }
            guard case .damaged(file.path(percentEncoded: false), let reason)? = error
            else { throw Unexpected(error) }
            #expect(
                reason.line
                    == parts[0].split(separator: "\n", omittingEmptySubsequences: false).count)
            #expect("\(reason)".contains(edit.expected), "\(reason)")
            #expect(error?.localizedDescription.contains("Nothing was changed") == true)
            #expect(try DocumentFolder(url: url).text == edited)
        }
    }

    private func makeItems(at url: URL) async throws {
        let document = try await DocumentModel.open(url)
        let context = document.viewContext
        let (box, other) = (Box(context: context), Box(context: context))
        let labels = [Label(context: context), Label(context: context)]
        let tags = [Tag(context: context), Tag(context: context)]
        let items = ["a", "b", "c"].map { code in
            let item = Item(context: context)
            item.code = code
            return item
        }
        items[0].box = box
        items[0].label = labels[0]
        items[2].box = other
        items[1].box = other
        items[1].label = labels[1]
        items[1].int8 = .min
        items[1].mood = .wild
        items[1].date = Date(timeIntervalSinceReferenceDate: 7)
        items[1].data = Data([1])
        items[1].optionalData = nil
        items[0].optionalData = nil
        items[2].optionalData = nil
        items[1].tags.insert(tags[1])
        items[1].tags.insert(tags[0])
        items[2].box = nil
        items[1].box = nil
        items[2].box = other
        items[1].box = other
        items[2].box = other
        try await document.close()
    }

    // MARK: - Unique combinations

    private final class Pair: ManagedObject {
        @Attribute var left = 0
        @Attribute var right = 0
        @Attribute var text = ""
        @Relationship(inverse: \Pair.followers) var leader: Pair?
        @Relationship var followers: ObjectSet<Pair>
        override class var constraints: [EntityConstraint] { [.unique(\Pair.left, \Pair.right)] }
    }

    @Test func `two objects of one combination are told by number and line, and one is salvaged`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Document", directoryHint: .notDirectory)
            let document = try await ManagedDocument.open(at: url, model: [Pair.self])
            let pairs = (0..<5).map { number in
                let pair = Pair(context: document.viewContext)
                (pair.left, pair.text) = (number, "text \(number)")
                return pair
            }
            pairs[3].leader = pairs[1]
            pairs[4].leader = pairs[2]
            try await document.save()
            try await document.close()
            let file = try DocumentFolder(url: url).snapshot
            let text = try String(contentsOf: file, encoding: .utf8)
                .replacing(#""id":4,"#, with: #""id":40,"#)
                .replacing(#""id":3,"#, with: #""id":30,"#)
                // The third object is the second one over again, and the fifth leads to it.
                .replacing(#""id":2,"left":2"#, with: #""id":20,"left":1"#)
                .replacing(#""leader":2"#, with: #""leader":20"#)
            try Data(text.utf8).write(to: file)
            let error = await #expect(throws: DocumentError.self) {
                try await ManagedDocument.open(at: url, model: [Pair.self])
            }
            guard case .damaged(_, let damage)? = error else { throw Unexpected(error) }
            #expect(damage.description.contains("Pair 20 shares it"), "\(damage)")
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[damage.line - 1].contains(#""id":20"#), "\(damage)")

            let copy = directory.appending(path: "Copy", directoryHint: .notDirectory)
            let report = try await ManagedDocument.salvage(from: url, to: copy)
            #expect(report.objectCount == 4, "\(report)")
            let salvaged = try await ManagedDocument.open(at: copy, model: [Pair.self])
            let found = try salvaged.viewContext.fetch(Pair.self)
            #expect(found.map(\.objectID.number) == [0, 1, 30, 40])
            #expect(found.map(\.leader?.objectID.number) == [nil, nil, 1, nil])
            try await salvaged.close()
        }
    }
}
