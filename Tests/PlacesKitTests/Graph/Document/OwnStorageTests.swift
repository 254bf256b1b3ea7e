import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Types with raw values that are stored in a way of their own, in the same kind of column.
@Suite struct OwnStorageTests {
    struct FileReference: RawRepresentable, AttributeValue {
        var rawValue: URL
        init(rawValue: URL) { self.rawValue = rawValue }
        init?(stored: String) { rawValue = URL(filePath: stored) }
        var stored: String { rawValue.path(percentEncoded: false) }
    }
    struct Page: RawRepresentable, AttributeValue {
        var rawValue: UInt8
        init(rawValue: UInt8) { self.rawValue = rawValue }
        init?(stored: Int64) { rawValue = UInt8(truncatingIfNeeded: stored + 1) }
        var stored: Int64 { Int64(rawValue) - 1 }
    }
    enum Grade: Int8, CaseIterable, AttributeValue {
        case low = 1, high = 2
        init?(stored: Int64) { self.init(rawValue: Int8(truncatingIfNeeded: stored / 1_000)) }
        var stored: Int64 { Int64(rawValue) * 1_000 }
    }
    struct Words: RawRepresentable, AttributeValue {
        var rawValue: [String]
        init(rawValue: [String]) { self.rawValue = rawValue }
        init?(stored: String) { rawValue = stored.split(separator: " ").map(String.init) }
        var stored: String { rawValue.joined(separator: " ") }
    }
    /// Stored in seconds since 1970, and in the bits of a signed number: files spell all of these as dates and numbers.
    struct Moment: RawRepresentable, AttributeValue {
        var rawValue: Date
        init(rawValue: Date) { self.rawValue = rawValue }
        init?(stored: Double) { rawValue = Date(timeIntervalSince1970: stored) }
        var stored: Double { rawValue.timeIntervalSince1970 }
    }
    struct Bits: RawRepresentable, AttributeValue {
        var rawValue: UInt64
        init(rawValue: UInt64) { self.rawValue = rawValue }
        init?(stored: Int64) { rawValue = UInt64(bitPattern: stored) }
        var stored: Int64 { Int64(bitPattern: rawValue) }
    }
    /// Stored as its raw value, but for one.
    struct Level: RawRepresentable, AttributeValue {
        var rawValue: Int8
        init(rawValue: Int8) { self.rawValue = rawValue }
        init?(stored: Int64) { rawValue = stored == 1_000 ? -1 : Int8(truncatingIfNeeded: stored) }
        var stored: Int64 { rawValue == -1 ? 1_000 : Int64(rawValue) }
    }
    /// The same: one that is named in French is stored as its name.
    struct Link: RawRepresentable, AttributeValue {
        var rawValue: URL
        init(rawValue: URL) { self.rawValue = rawValue }
        init?(stored: String) {
            rawValue = URL(string: stored) ?? URL(filePath: stored)
        }
        var stored: String {
            let name = rawValue.lastPathComponent
            return name.hasPrefix("é") ? name : rawValue.absoluteString
        }
    }
    struct Day: RawRepresentable, AttributeValue { var rawValue: Date }
    struct Homepage: RawRepresentable, AttributeValue { var rawValue: URL }

    final class Item: ManagedObject {
        @Attribute var file: FileReference?
        @Attribute var page: Page?
        @Attribute var grade: Grade?
        @Attribute var words: Words?
        @Attribute var day: Day?
        @Attribute var homepage: Homepage?
    }
    final class Odd: ManagedObject {
        @Attribute var level = Level(rawValue: 0)
        @Attribute var link: Link?
    }

    @Test func `a type with raw values and a form of its own comes back from a document`()
        async throws
    {
        let file = FileReference(rawValue: URL(filePath: "/pictures/a b ü%20.jpg"))
        let words = Words(rawValue: ["a", "\"b"])
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(at: url, model: [Item.self])
            let item = Item(context: document.viewContext)
            (item.file, item.page, item.grade) = (file, Page(rawValue: 1), .high)
            item.words = words
            try document.viewContext.save()
            try await document.close()

            let reopened = try await ManagedDocument.open(at: url, model: [Item.self])
            let read = try #require(try reopened.viewContext.fetch(Item.self).first)
            #expect(read.file == file && read.file?.rawValue == file.rawValue)
            #expect(read.page?.rawValue == 1 && read.grade == .high && read.words == words)
            let request = try FetchRequest<Item>(where: "file == %@", file)
            #expect(try reopened.viewContext.count(request) == 1)
            try await reopened.close()
        }
    }

    @Test func `the schema names the raw value's type only where files give back what is stored`()
        throws
    {
        let store = try GraphStore(model: [Item.self])
        let types = store.schema.entities[0].properties.compactMap(\.attribute?.type)
        #expect(types == [.string, .uint8, .int64, .string, .date, .url])
    }

    @Test func `what earlier versions spelled as a raw value keeps its type and opens`()
        async throws
    {
        final class Note: ManagedObject {
            @Attribute var moment = Moment(rawValue: .distantPast)
            @Attribute var bits = Bits(rawValue: 0)
        }
        let store = try GraphStore(model: [Note.self])
        let types = store.schema.entities[0].properties.compactMap(\.attribute?.type)
        #expect(types == [.date, .uint64])
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(at: url, model: [Note.self])
            let note = Note(context: document.viewContext)
            note.moment = Moment(rawValue: Date(timeIntervalSince1970: 1e9))
            note.bits = Bits(rawValue: .max - 4)
            try await document.close()
            let again = try await ManagedDocument.open(at: url, model: [Note.self])
            let read = try #require(try again.viewContext.fetch(Note.self).first)
            #expect(read.moment.rawValue == Date(timeIntervalSince1970: 1e9))
            #expect(read.bits.rawValue == UInt64.max - 4)
            try await again.close()
        }
    }

    @Test func `a value that is stored as no raw value is refuses the save`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Odd.self]))
        let item = Odd(context: context)
        item.level = Level(rawValue: -1)
        item.link = Link(rawValue: URL(filePath: "/é"))
        #expect(
            context.failures().map(\.reason) == [
                .notReadable(value: .integer(1_000)), .notReadable(value: .string("é")),
            ])
        item.level = Level(rawValue: -128)
        item.link = Link(rawValue: URL(filePath: "/e"))
        try context.save()
    }
}
