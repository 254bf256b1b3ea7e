import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Values of imported files are such as objects can have, so that predicates, indexes and uniqueness agree with them.
@Suite struct ImportedValuesTests {
    struct Homepage: RawRepresentable, AttributeValue {
        var rawValue: URL
        init?(rawValue: URL) {
            guard rawValue.scheme != nil else { return nil }
            self.rawValue = rawValue
        }
    }

    final class Gauge: ManagedObject {
        @Attribute(.unique) var key: Float?
        @Attribute var level: Float = 0
        @Relationship var marks: ObjectSet<Mark>
    }

    final class Mark: ManagedObject {
        @Relationship(inverse: \Gauge.marks) var gauge: Gauge?
    }

    final class Page: ManagedObject {
        @Attribute(.unique) var address: URL?
        @Attribute var home: Homepage?
    }

    final class Knot: ManagedObject {
        @Attribute(.unique) var depth: Double
        @Relationship var ropes: ObjectSet<Rope>
    }

    final class Rope: ManagedObject {
        @Relationship(inverse: \Knot.ropes) var knot: Knot?
    }

    /// Equal in whatever order the names are, as a set inside would be.
    struct Tags: CodableAttribute {
        var names: [String] = []

        static func == (left: Tags, right: Tags) -> Bool { Set(left.names) == Set(right.names) }
    }

    final class Note: ManagedObject {
        @Attribute(.unique) var key = ""
        @Attribute var tags = Tags()
    }

    private let store: GraphStore
    private let context: ManagedObjectContext

    init() throws {
        store = try GraphStore(model: [
            Gauge.self, Mark.self, Page.self, Knot.self, Rope.self, Note.self,
        ])
        context = ManagedObjectContext(store)
    }

    /// Imports a text; returns what is wrong with it, without the name of the file.
    private func refusal<Object: ManagedObject>(
        of text: String, as format: ExchangeFormat, into type: Object.Type,
        _ policy: ImportPolicy<Object> = .insert
    ) async throws -> String? {
        defer { context.refreshAllObjects() }
        return try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "file")
            try Data(text.utf8).write(to: url)
            do {
                try await store.importObjects(into: type, from: url, as: format, policy: policy)
                return nil
            } catch let error as ImportError {
                return error.description
                    .replacing(url.path(percentEncoded: false) + ":", with: "")
            }
        }
    }

    // MARK: - Floats

    @Test(arguments: [
        (ExchangeFormat.csv, "level\n0.1\n"), (.json, #"[{"level":0.1}]"#),
    ])
    func `a float is the one nearest to the number`(
        format: ExchangeFormat, text: String
    ) async throws {
        #expect(try await refusal(of: text, as: format, into: Gauge.self) == nil)
        let level: Float = 0.1
        #expect(try context.fetch(Gauge.self).map(\.level) == [level])
        let request = FetchRequest<Gauge>(predicate: #Predicate { $0.level == level })
        #expect(try context.count(request) == 1)
    }

    @Test(arguments: [
        (ExchangeFormat.csv, "key,level\n1,1e39\n", "2:3: level: this number does not fit a float"),
        (.csv, "key,level\n-1e39,1\n", "2:1: key: this number does not fit a float"),
        (.json, #"[{"level": 1e39}]"#, "1:12: this number does not fit a float"),
    ])
    func `a number that is too large for a float is refused`(
        format: ExchangeFormat, text: String, expected: String
    ) async throws {
        let refusal = try await refusal(of: text, as: format, into: Gauge.self)
        #expect(refusal?.hasPrefix(expected) == true, "\(refusal ?? "nothing")")
        #expect(try context.fetch(Gauge.self).isEmpty)
    }

    @Test func `infinity and NaN are floats`() async throws {
        let text = "level\nInfinity\n-Infinity\nNaN\n"
        #expect(try await refusal(of: text, as: .csv, into: Gauge.self) == nil)
        let levels = try context.fetch(Gauge.self).map(\.level)
        #expect(levels.count == 3 && levels.contains(.infinity) && levels.contains(-.infinity))
        #expect(levels.contains { $0.isNaN })
    }

    @Test func `a unique float is told by what it is as a float`() async throws {
        Gauge(context: context).key = 0.1
        try context.save()
        let twin = try await refusal(of: "key\n0.1\n", as: .csv, into: Gauge.self)
        #expect(twin?.hasPrefix("2: Gauge/") == true, "\(twin ?? "nothing")")
        let update = "key,level\n0.1,7\n"
        #expect(
            try await refusal(of: update, as: .csv, into: Gauge.self, .upsert(by: \.key)) == nil)
        #expect(try context.fetch(Gauge.self).map(\.level) == [7])
        #expect(try await refusal(of: "gauge.key\n0.1\n", as: .csv, into: Mark.self) == nil)
        #expect(try context.fetch(Mark.self).map(\.gauge?.level) == [7])
    }

    // MARK: - URLs

    @Test(arguments: [
        ("http://ü.de/", "http://xn--tda.de/"), ("http://a.de/b c", "http://a.de/b%20c"),
        ("a b", "a%20b"), ("http://a.de/?q=1#x", "http://a.de/?q=1#x"),
    ])
    func `a URL is spelled as URL does`(text: String, spelling: String) async throws {
        for format in ExchangeFormat.allCases {
            let file = format == .csv ? "address\n\(text)\n" : #"[{"address":"\#(text)"}]"#
            #expect(
                try await refusal(
                    of: file, as: format, into: Page.self, .upsert(by: \.address)) == nil)
        }
        let url = URL(string: text)
        #expect(try context.fetch(Page.self).map(\.address) == [url])
        #expect(url?.absoluteString == spelling)
        let request = FetchRequest<Page>(predicate: #Predicate { $0.address == url })
        #expect(try context.count(request) == 1)
        #expect(try context.find(Page.self, \.address, url) != nil)
    }

    @Test func `URLs that differ only in their spelling are one`() async throws {
        let text = #"[{"address":"http://ü.de/"},{"address":"http://xn--tda.de/"}]"#
        let refusal = try await refusal(of: text, as: .json, into: Page.self)
        #expect(refusal?.contains("Page/") == true, "\(refusal ?? "nothing")")
    }

    @Test(arguments: ["http://[", "http://a:b/", ""])
    func `text that is no URL is refused`(text: String) async throws {
        #expect(
            try await refusal(
                of: #"[{"address": "\#(text)"}]"#, as: .json, into: Page.self)
                == "1:14: expected a value of URL. Nothing was imported.")
        let line = try await refusal(of: "address\n\"\(text)\"\n", as: .csv, into: Page.self)
        #expect(line?.hasPrefix("2:1: address: expected a value of URL, found") == true)
        #expect(try context.fetch(Page.self).isEmpty)
    }

    @Test func `a type of raw values that are URLs has URLs`() async throws {
        let text = "home\nhttp://ü.de/\n"
        #expect(try await refusal(of: text, as: .csv, into: Page.self) == nil)
        let home = try #require(try context.fetch(Page.self).first?.home)
        #expect(home.rawValue == URL(string: "http://xn--tda.de/"))
        for text in ["http://[", "a"] {
            let refusal = try await refusal(of: "home\n\(text)\n", as: .csv, into: Page.self)
            #expect(refusal?.hasPrefix("2:1: home: expected a value of") == true)
        }
    }

    // MARK: - NaN

    @Test(arguments: ExchangeFormat.allCases)
    func `a link to an object whose key is NaN comes back`(format: ExchangeFormat) async throws {
        let knots = [1.5, .nan].map { depth in
            let knot = Knot(context: context)
            knot.depth = depth
            return knot
        }
        for knot in knots { Rope(context: context).knot = knot }
        try context.save()
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "ropes")
            try await store.export(FetchRequest<Rope>(), to: url, as: format)
            for rope in try context.fetch(Rope.self) { rope.knot = nil }
            try context.save()
            try await store.importObjects(
                into: Rope.self, from: url, as: format, policy: .identifiers)
            context.refreshAllObjects()
            #expect(knots.map(\.ropes.count) == [1, 1])
            // Without NaN the key names the object, in whatever document.
            knots[1].depth = 2.5
            try context.save()
            try await store.export(FetchRequest<Rope>(), to: url, as: format)
            #expect(try String(contentsOf: url, encoding: .utf8).contains("knot.depth"))
        }
    }

    @Test func `importing a Codable value that is equal to the object's writes nothing`()
        async throws
    {
        let note = try context.findOrInsert(Note.self, \.key, "a")
        note.tags = Tags(names: ["b", "c"])
        try context.save()
        let number = store.commitNumber
        let same = #"[{"key":"a","tags":{"names":["c","b"]}}]"#
        #expect(try await refusal(of: same, as: .json, into: Note.self, .upsert(by: \.key)) == nil)
        #expect(store.commitNumber == number)
        let other = same.replacing(#""c","b""#, with: #""c""#)
        #expect(try await refusal(of: other, as: .json, into: Note.self, .upsert(by: \.key)) == nil)
        #expect(store.commitNumber == number + 1)
        #expect(try context.find(Note.self, \.key, "a")?.tags == Tags(names: ["c"]))
    }
}
