import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct DocumentRoundTripTests {
    private typealias Item = DocumentModel.Item
    private typealias Box = DocumentModel.Box
    private typealias Tag = DocumentModel.Tag

    @Test(arguments: [UInt64](1...8))
    func `random objects, values and links survive to the bit`(seed: UInt64) async throws {
        try await withTemporaryDirectory { url in
            var random = RandomItems(seed: seed)
            var account: [String] = []
            for round in 0..<4 {
                let document = try await DocumentModel.open(url)
                #expect(document.store.account == account, "seed \(seed), round \(round)")
                try random.change(document.viewContext, times: 60)
                try await document.close()
                account = document.store.account
            }
            #expect(account.count > 500)
        }
    }

    @Test(arguments: [UInt64](1...4))
    func `the same graph gives the same bytes, one object a line`(seed: UInt64) async throws {
        try await withTemporaryDirectory { url in
            let folder = DocumentFolder(url: url)
            let document = try await DocumentModel.open(url)
            var random = RandomItems(seed: seed)
            try random.change(document.viewContext, times: 100)
            try await document.close()

            let text = try folder.text
            let reopened = try await DocumentModel.open(url)
            try await withTemporaryDirectory { elsewhere in
                let copy = DocumentFolder(url: elsewhere.appending(path: "Copy"))
                try await reopened.duplicate(to: copy.url)
                #expect(try copy.text == text, "seed \(seed)")
            }
            #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])

            let lines = text.split(separator: "\n").filter { $0.contains("\"id\":") }
            let context = reopened.viewContext
            let count =
                try context.count(Item.self) + context.count(Box.self) + context.count(Tag.self)
                + context.count(DocumentModel.Label.self)
            #expect(lines.count == count)
            for line in lines {
                let object = line.trimmingPrefix { " [,".contains($0) }.trimmingSuffix(",")
                #expect(
                    try JSONSerialization.jsonObject(with: Data(object.utf8)) is [String: Any],
                    "seed \(seed): \(line)")
            }
        }
    }

    @Test func `members keep their order after moves and removals`() async throws {
        try await DocumentModel.with { document, url in
            let context = document.viewContext
            let box = Box(context: context)
            let tags = (0..<4).map { _ in Tag(context: context) }
            let items = (0..<4).map { number in
                let item = Item(context: context)
                item.code = "\(number)"
                item.box = box
                return item
            }
            for number in [2, 0, 3] { tags[0].items.insert(items[number]) }
            for number in [3, 1, 0] { items[0].tags.insert(tags[number]) }
            box.items.remove(items[1])
            items[1].box = box
            items[0].box = nil
            items[0].box = box
            try await document.close()

            let reopened = try await DocumentModel.open(url).viewContext
            let codes = try reopened.fetch(Box.self).map { $0.items.map(\.code) }
            #expect(codes == [["2", "3", "1", "0"]])
            let same = try #require(try reopened.existingObject(with: tags[0].objectID) as? Tag)
            #expect(same.items.map(\.code) == ["2", "0", "3"])
            let first = try #require(try reopened.existingObject(with: items[0].objectID) as? Item)
            #expect(first.tags.map(\.objectID) == [0, 3, 1].map { tags[$0].objectID })
        }
    }

    @Test func `canonically equivalent text keeps its bytes`() async throws {
        try await DocumentModel.with { document, url in
            let texts = ["é", "e\u{301}", "\u{212B}", "\u{C5}"]
            for text in texts {
                let item = Item(context: document.viewContext)
                (item.code, item.text) = ("\(text.unicodeScalars.map(\.value))", text)
            }
            try await document.save()
            let item = try document.viewContext.fetch(Item.self)[0]
            item.text = "e\u{301}"
            try await document.close()

            let reopened = try await DocumentModel.open(url)
            let bytes = try reopened.viewContext.fetch(Item.self).map { Array($0.text.utf8) }
            #expect(bytes == ["e\u{301}", "e\u{301}", "\u{212B}", "\u{C5}"].map { Array($0.utf8) })
        }
    }

    @Test func `an optional set to nil does not come back with its default`() async throws {
        try await DocumentModel.with { document, url in
            let item = Item(context: document.viewContext)
            item.code = "a"
            item.optionalInt = nil
            item.optionalMood = nil
            try await document.close()
            let same = try await DocumentModel.open(url).viewContext.fetch(Item.self)[0]
            #expect(same.optionalInt == nil)
            #expect(same.optionalMood == nil)
            #expect(same.optionalText == "none")
        }
    }

    @Test func `the numbers of existing objects are not given to new ones`() async throws {
        try await DocumentModel.with { document, url in
            let boxes = (0..<3).map { _ in Box(context: document.viewContext) }
            document.viewContext.delete(boxes[0])
            let identifiers = boxes.map(\.objectID)
            try await document.close()

            let reopened = try await DocumentModel.open(url)
            let new = (0..<3).map { _ in Box(context: reopened.viewContext).objectID }
            #expect(Set(new).isDisjoint(with: identifiers))
            #expect(try reopened.store.snapshot().count(Box.self) == 2)
            #expect(try reopened.viewContext.count(Box.self) == 5)
        }
    }

    @Test func `the order in which the classes are named does not matter`() async throws {
        try await DocumentModel.with { document, url in
            var random = RandomItems(seed: 5)
            try random.change(document.viewContext, times: 150)
            try await document.close()
            let reopened = try await ManagedDocument.open(
                at: url, model: DocumentModel.types.reversed())
            #expect(reopened.store.account == document.store.account)
            _ = Tag(context: reopened.viewContext)
            try await reopened.close()
            let again = try await DocumentModel.open(url)
            #expect(again.store.account == reopened.store.account)
        }
    }

    @Test func `changes of another context, and of a document opened anew, are saved`() async throws
    {
        try await DocumentModel.with { document, url in
            let other = ManagedObjectContext(document.store)
            Tag(context: other).name = "elsewhere"
            try other.save()
            try await document.save()
            try await document.close()
            for name in ["second", "third"] {
                let reopened = try await DocumentModel.open(url, createsDocument: false)
                Tag(context: reopened.viewContext).name = name
                try await reopened.close()
            }
            let last = try await DocumentModel.open(url)
            let names = try last.viewContext.fetch(Tag.self).map(\.name)
            #expect(names == ["elsewhere", "second", "third"])
        }
    }
}

extension Substring {
    /// The text without a suffix.
    fileprivate func trimmingSuffix(_ suffix: String) -> Substring {
        hasSuffix(suffix) ? dropLast(suffix.count) : self
    }
}
