import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Files that others wrote: what is taken, and what is wrong with what is not.
@Suite struct ImportTests {
    private typealias Shot = ExchangeModel.Shot
    private typealias Town = ExchangeModel.Town

    private let store: GraphStore

    init() throws {
        store = try GraphStore(model: ExchangeModel.types)
        let context = ManagedObjectContext(store)
        _ = try context.findOrInsert(Town.self, \.name, "Paris")
        let shot = try context.findOrInsert(Shot.self, \.code, "old")
        shot.title = "Old"
        try context.save()
    }

    /// Imports a text, and gives the error in words, or what was done.
    private func answer(
        _ text: String, as format: ExchangeFormat, _ policy: ImportPolicy<Shot> = .insert
    ) async throws -> String {
        try await answer(Array(text.utf8), as: format, policy)
    }

    private func answer(
        _ bytes: [UInt8], as format: ExchangeFormat, _ policy: ImportPolicy<Shot> = .insert
    ) async throws -> String {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "file")
            try Data(bytes).write(to: url)
            let before = try store.exchangeAccount()
            do {
                let summary = try await store.importObjects(
                    into: Shot.self, from: url, as: format, policy: policy)
                return "\(summary.inserted) inserted, \(summary.updated) updated"
            } catch let error as ImportError {
                #expect(try store.exchangeAccount() == before, "an import that fails does nothing")
                #expect(error.description.hasSuffix("Nothing was imported."))
                #expect(!error.description.contains("?."))
                return error.description
                    .replacing(url.path(percentEncoded: false) + ":", with: "")
                    .replacing(". Nothing was imported.", with: "")
                    .replacing("? Nothing was imported.", with: "?")
                    .replacing("\nNothing was imported.", with: "")
            }
        }
    }

    private func shot(_ code: String) throws -> Shot? {
        try store.snapshot().context().find(Shot.self, \.code, code)
    }

    @Test(arguments: [
        ("", "1:1: expected a line that names the columns"),
        ("code,titel\n", "1:6: Shot has no property titel; did you mean title?"),
        ("code,title,\n", "1:12: expected the name of a property of Shot, found nothing"),
        ("code,town.\n", "1:6: expected the name of a property of Town, found nothing"),
        ("code,code\n", "1:6: the column code is there twice"),
        ("code,copyCount\n", "1:6: Shot.copyCount is derived: leave it out, it follows by itself"),
        ("code,title.x\n", "1:6: title is not a relationship, so nothing can follow it"),
        ("code,town.nam\n", "1:6: Town has no property nam; did you mean name?"),
        (
            "code,original.original\n",
            "1:6: Shot.original is a relationship, and names no object: name a unique attribute of Shot behind original"
        ),
        (
            "code,copies.@count\n",
            "1:6: copies.@count is computed: leave it out, it follows by itself"
        ),
        ("code,original.title\n", "1:6: Shot.title is not unique, so it names no object"),
        ("id,objectID,code\n", "1:4: the columns id and objectID tell of the same: leave one out"),
        ("code,town,town.name\n", "1:11: the columns town and town.name tell of the same"),
        ("code,stars\na,null\n", "2:3: stars: expected a value, or an empty field for none"),
        (
            "code,isFavorite\na,NULL\n",
            "2:3: isFavorite: expected a value, or an empty field for none, found “NULL”"
        ),
        ("code,town\na,null\n", "2:3: town: expected a value, or an empty field for none"),
        ("id,code\nnull,a\n", "2:1: id: expected a value, or an empty field for none"),
        ("code,views\na,1\nb\n", "3:1: expected 2 fields, as the first line has, found 1"),
        ("code,views\na,1,2\n", "2:1: expected 2 fields, as the first line has, found 3"),
        (
            "code,views\na,x\n",
            "2:3: views: expected a number, found “x”"
        ),
        ("code,views\na,1.5\n", "2:3: views: expected an integer"),
        ("code,views\na,\n", "2:3: views: expected a number, found nothing"),
        (
            "code,views\na,\"1,5\"\n",
            "2:3: views: expected one value, and a point in a number with a fraction, found “1,5”"
        ),
        (
            "code,town\na,Rome\n",
            "2:3: town: expected the number of an object; where a column has values of a unique attribute, its name is town.ATTRIBUTE, found “Rome”"
        ),
        ("code,stars\na,128\n", "2:3: stars: this number does not fit int8"),
        ("code,isFavorite\na,yes\n", "2:3: isFavorite: expected a boolean"),
        ("code,taken\na,2026-02-30\n", "2:3: taken: expected an instant such as 2026-11-21T"),
        ("code;views\na;x\n", "2:3: views: expected a number"),
        ("code\tviews\na,1\n", "2:1: expected 2 fields, as the first line has, found 1"),
        ("code,taken\na,today\n", "2:3: taken: expected an instant such as 2026-11-21T09:41:00Z"),
        ("code,key\na,1-2\n", "2:3: key: expected a UUID, found “1-2”"),
        ("code,data\na,?\n", "2:3: data: expected Base64, found “?”"),
        ("code,price\na,\"1,5\"\n", "2:3: price: expected a decimal number such as \"12.5\""),
        (
            "code,town.name\na,Rome\n",
            "2:3: town.name: expected the name of an existing Town, found \"Rome\""
        ),
        ("code,town\na,77\n", "2:3: town: expected the number of an existing Town, found 77"),
        ("code,words\na,[1\n", "2:3: words: expected ',' or ']'"),
        ("code,title\na,b\"c\n", "2:4: a quotation mark stands in a field that does not begin"),
        ("code,title\na,\"b\"c\n", "2:6: expected another field or the end of the line behind the"),
        ("code,title\na,\"b\nc\n", "2:3: this field has no closing quotation mark"),
        ("code,original.code\na,b\n", "2:3: original.code: expected the code of an existing Shot"),
        ("id,code\n5,a\n5,b\n", "3:1: expected an id that no other record has, found 5"),
        // The number of an object that is there only since the import began.
        (
            "id,code,original\n5,a,1\n6,b,\n",
            "2:5: original: expected the number of an existing Shot, found 1"
        ),
        ("code,views\ra,1\rb,x\r", "3:3: views: expected a number"),
        ("code\na\nold\n", "3: Shot/"),
        ("title\na\n", "2: Shot/"),
        ("code,caption\na,longer than twelve\n", "2: Shot/"),
    ])
    func `a mistake in a CSV file is told with its location`(
        text: String, expected: String
    ) async throws {
        let answer = try await answer(text, as: .csv)
        #expect(answer.hasPrefix(expected), "\(answer)")
    }

    @Test(arguments: [
        ("", "1:1: expected an array of objects, which begins with ["),
        ("{}", "1:1: expected an array of objects, which begins with ["),
        ("[", "1:2: expected an object, which begins with {"),
        ("[1]", "1:2: expected an object, which begins with {"),
        ("[{}{}]", "1:4: expected a comma and another object, or ] at the end"),
        ("[{}] x", "1:6: expected nothing behind the array"),
        ("[\n  {\"code\":\"a\"", "2:3: this object has no end; the file may have been cut off"),
        ("[\n{\"code\":\"a\",\n  \"titel\":1}]", "3:3: Shot has no property titel; did you mean"),
        ("[{\"\":1}]", "1:3: expected the name of a property of Shot, found nothing"),
        ("[{\"code\":1}]", "1:10: expected a string"),
        ("[{\"code\":\"a\",\n \"code\":\"b\"}]", "2:2: the column code is there twice"),
        ("[{\"id\":1,\"id\":2}]", "1:10: the column id is there twice"),
        ("[{\"id\":1,\"objectID\":2}]", "1:10: the columns id and objectID tell of the same"),
        ("[{\"code\":\"é\",\"views\":\"1\"}]", "1:22: expected a number"),
        ("[{\"code\":null}]", "1:14: expected a value, for the attribute is required"),
        ("[{\"code\":\"a\",\n\"town.name\":\"Rome\"}]", "2:13: town.name: expected the name of an"),
        ("[{\"code\":\"a\",\"words\":[null]}]", "1:22: words: expected no null"),
        ("[{\"code\":\"a\" \"views\":1}]", "1:14: expected ',' or '}'"),
        ("[{\"code\":\"old\"}]", "1: Shot/"),
    ])
    func `a mistake in a JSON file is told with its location`(
        text: String, expected: String
    ) async throws {
        let answer = try await answer(text, as: .json)
        #expect(answer.hasPrefix(expected), "\(answer)")
    }

    @Test func `lines end in any way, and a byte order mark is passed`() async throws {
        for (number, ending) in ["\n", "\r\n", "\r"].enumerated() {
            let lines = ["\u{FEFF}code,title", "", "a\(number),\"x\r\ny\"", "b\(number),", ""]
            let answer = try await answer(lines.joined(separator: ending), as: .csv)
            #expect(answer == "2 inserted, 0 updated")
            #expect(try shot("a\(number)")?.title == "x\r\ny")
            #expect(try shot("b\(number)")?.title == "")
        }
        // The last line needs no end, and one column takes empty lines for values.
        #expect(try await answer("code,views\nc,7", as: .csv) == "1 inserted, 0 updated")
        #expect(try await answer("note\n\n", as: .csv).hasPrefix("2: Shot/"))
        #expect(try await answer("[]", as: .json) == "0 inserted, 0 updated")
    }

    @Test(arguments: [",", ";", "\t"])
    func `what stands between the names of columns stands between all fields`(
        separator: String
    ) async throws {
        let lines = [
            ["\u{FEFF}code", "title", "\"note\""], ["a", "\"x,;\ty\"", "n"], ["b", "", "\"\""],
        ]
        let text = lines.map { $0.joined(separator: separator) }.joined(separator: "\r\n")
        #expect(try await answer(text, as: .csv) == "2 inserted, 0 updated")
        #expect(try shot("a")?.title == "x,;\ty" && shot("a")?.note == "n")
        let others = [",", ";", "\t"].filter { $0 != separator }.joined()
        let more = "code\(separator)title\nc\(separator)p\(others)q\n"
        #expect(try await answer(more, as: .csv) == "1 inserted, 0 updated")
        #expect(try shot("c")?.title == "p\(others)q")
    }

    @Test func `nothing but a comma divides the values of a single column`() async throws {
        #expect(try await answer("code\na;b\tc\n", as: .csv) == "1 inserted, 0 updated")
        #expect(try shot("a;b\tc") != nil)
        #expect(
            try await answer("code\na,b\n", as: .csv)
                == "2:1: expected 1 field, as the first line has, found 2")
    }

    @Test func `a day without a time is the one that begins at midnight UTC`() async throws {
        let text = "code,taken\na,2026-12-01\nb,2026-12-01T00:00:00Z\n"
        #expect(try await answer(text, as: .csv) == "2 inserted, 0 updated")
        let day = try #require(try shot("a")?.taken)
        #expect(try shot("b")?.taken == day && day.ISO8601Format() == "2026-12-01T00:00:00Z")
    }

    @Test func `bytes that are not UTF-8 are told of`() async throws {
        let bytes = Array("code,title\na,".utf8) + [0xE9, 0x0A]
        #expect(
            try await answer(bytes, as: .csv)
                == "2:3: the bytes are not UTF-8: save the file as UTF-8")
    }

    @Test func `what a spreadsheet makes of values is understood`() async throws {
        let text = "code,isFavorite,stars,price,note\n\"s\",TRUE,\"\",\"0.50\",=1+1\n"
        #expect(try await answer(text, as: .csv) == "1 inserted, 0 updated")
        let found = try #require(try shot("s"))
        #expect(found.isFavorite && found.stars == nil && found.price == Decimal(string: "0.5"))
        // Formulas are text like any other.
        #expect(found.note == "=1+1")
    }

    @Test func `upsert updates what is in the file, and leaves what is not`() async throws {
        let text = "code,views,town.name\nold,5,Paris\nnew,6,\nnew,7,Paris\n"
        #expect(
            try await answer(text, as: .csv, .upsert(by: \.code)) == "1 inserted, 2 updated")
        let old = try #require(try shot("old"))
        #expect(old.views == 5 && old.title == "Old" && old.town?.name == "Paris")
        #expect(try shot("new")?.views == 7)
        #expect(
            try await answer("views\n1\n", as: .csv, .upsert(by: \.code))
                == "2:1: expected a value of code, which tells objects apart")
        await #expect(throws: ContextError.self) {
            _ = try await answer("views\n1\n", as: .csv, .upsert(by: \.title))
        }
    }

    @Test func `a record that names its object twice renames none`() async throws {
        #expect(
            try await answer(#"[{"code":"old","code":"new"}]"#, as: .json, .upsert(by: \.code))
                == "1:16: the column code is there twice")
        // Each record may tell of the same.
        #expect(
            try await answer(#"[{"code":"old"},{"code":"new"}]"#, as: .json, .upsert(by: \.code))
                == "1 inserted, 1 updated")
    }

    @Test func `identifiers lead to objects, and none makes a new one`() async throws {
        let number = try #require(try shot("old")).objectID.number
        let text = #"[{"id":\#(number),"title":"New"},{"id":null,"code":"b"},{"code":"c"}]"#
        #expect(try await answer(text, as: .json, .identifiers) == "2 inserted, 1 updated")
        #expect(try shot("old")?.title == "New")
        #expect(
            try await answer("[{\"id\":99,\"code\":\"d\"}]", as: .json, .identifiers)
                == "1:8: there is no Shot 99: leave the id out for a new object")
    }

    @Test func `records of one file may lead to later ones by the numbers that they have there`()
        async throws
    {
        let text = "id,code,original\n7,a,9\n9,b,\n8,c,7\n"
        #expect(try await answer(text, as: .csv) == "3 inserted, 0 updated")
        #expect(try shot("a")?.original?.code == "b" && shot("c")?.original?.code == "a")
    }

    @Test func `an import that is cancelled does nothing`() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "file")
            let lines = (0..<2_000).map { "n\($0),\($0)\n" }
            try Data(("code,views\n" + lines.joined()).utf8).write(to: url)
            let progress = Progress(totalUnitCount: 1)
            let commit = store.commitNumber
            let done = try await store.importObjects(
                into: Shot.self, from: url, as: .csv, progress: progress)
            #expect(done.inserted == 2_000 && store.commitNumber == commit + 1)
            #expect(progress.completedUnitCount == progress.totalUnitCount)
            progress.cancel()
            await #expect(throws: CancellationError.self) {
                try await store.importObjects(
                    into: Shot.self, from: url, as: .csv, policy: .upsert(by: \.code),
                    progress: progress)
            }
            let task = Task { [store] in
                withUnsafeCurrentTask { $0?.cancel() }
                return try await store.importObjects(
                    into: Shot.self, from: url, as: .csv, policy: .upsert(by: \.code))
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(store.commitNumber == commit + 1)
            await #expect(throws: FileSystemError.self) {
                try await store.importObjects(
                    into: Shot.self, from: folder.appending(path: "none"), as: .json)
            }
        }
    }

    /// Deletes itself when it is made.
    private final class Ghost: ManagedObject {
        @Attribute var name = ""

        override func awakeFromInsert() { context?.delete(self) }
    }

    /// Deletes all others when it is made.
    private final class Usurper: ManagedObject {
        @Attribute var name = ""
        @Relationship var heir: Usurper?
        @Relationship(inverse: \Usurper.heir) var elders: ObjectSet<Usurper>

        override func awakeFromInsert() {
            guard let context, let all = try? context.fetch(FetchRequest<Usurper>()) else { return }
            for other in all where other !== self { context.delete(other) }
        }
    }

    private func refusal<Object: ManagedObject>(
        of text: String, as type: Object.Type
    ) async throws -> String? {
        let store = try GraphStore(model: [type])
        return try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "file.csv")
            try Data(text.utf8).write(to: url)
            let error = await #expect(throws: ImportError.self) {
                try await store.importObjects(into: type, from: url, as: .csv)
            }
            #expect(try store.snapshot().context().fetch(FetchRequest<Object>()).isEmpty)
            return error?.description
        }
    }

    @Test func `objects that delete each other when they are made are no records`() async throws {
        let ghost = try await refusal(of: "name\na\n", as: Ghost.self)
        #expect(ghost?.contains(":2:1: the Ghost of the record was deleted") == true)
        let usurper = try await refusal(
            of: "id,name,heir\n1,a,2\n2,b,\n", as: Usurper.self)
        #expect(usurper?.contains(":2:1: the Usurper of the record was deleted") == true)
    }

    @Test(arguments: ExchangeFormat.allCases)
    func `no file that was cut, or had a byte changed, is anything but imported or refused`(
        format: ExchangeFormat
    ) async throws {
        let text =
            format == .csv
            ? "id,code,title,taken,words,town.name\r\n1,\"a\"\"b\",é,2026-11-21T09:41:00Z,[],Paris\r\n"
            : "[\n{\"id\":1,\"code\":\"a\\n\",\"title\":\"é\",\"words\":[],\"town.name\":\"Paris\"}\n]\n"
        let bytes = Array(text.utf8)
        var random = DocumentRandom(seed: 7)
        let step = ProcessInfo.processInfo.environment["PLACESKIT_IMPORTS"] == nil ? 5 : 1
        for end in stride(from: 0, to: bytes.count, by: step) {
            _ = try await answer(Array(bytes[..<end]), as: format)
        }
        for offset in stride(from: 0, to: bytes.count, by: step) {
            var changed = bytes
            changed[offset] = UInt8.random(in: 0...255, using: &random)
            _ = try await answer(changed, as: format, .upsert(by: \.code))
        }
    }
}
