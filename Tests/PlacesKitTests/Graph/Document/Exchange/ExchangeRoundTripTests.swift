import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What is exported and imported again is what it was.
@Suite struct ExchangeRoundTripTests {
    private typealias Shot = ExchangeModel.Shot
    private typealias Town = ExchangeModel.Town
    private typealias Word = ExchangeModel.Word

    @Test(arguments: ExchangeFormat.allCases, [UInt64](1...4))
    func `links by unique attributes lead to the same objects in another store`(
        format: ExchangeFormat, seed: UInt64
    ) async throws {
        try await withTemporaryDirectory { folder in
            let store = try GraphStore(model: ExchangeModel.types)
            try fill(store, seed: seed)
            // A list is a field only where it is asked for.
            let paths =
                format == .json
                ? []
                : [
                    "code", "title", "note", "caption", "views", "stars", "price", "taken",
                    "isFavorite", "data", "key", "town.name", "words.number", "original.code",
                ]
            let files = ["Word", "Town", "Shot"].map { folder.appending(path: $0) }
            try await store.export(FetchRequest<Word>(), to: files[0], as: format)
            try await store.export(FetchRequest<Town>(), to: files[1], as: format)
            let count = try await store.export(
                FetchRequest<Shot>(), to: files[2], as: format, keyPaths: paths)
            #expect(count == 40)

            let other = try GraphStore(model: ExchangeModel.types)
            try await other.importObjects(into: Word.self, from: files[0], as: format)
            try await other.importObjects(into: Town.self, from: files[1], as: format)
            let summary = try await other.importObjects(into: Shot.self, from: files[2], as: format)
            #expect(summary == ImportSummary(inserted: 40, updated: 0))
            #expect(try other.exchangeAccount() == store.exchangeAccount(), "seed \(seed)")

            // What there is already is updated to the same.
            let again = try await other.importObjects(
                into: Shot.self, from: files[2], as: format, policy: .upsert(by: \.code))
            #expect(again == ImportSummary(inserted: 0, updated: 40))
            #expect(try other.exchangeAccount() == store.exchangeAccount(), "seed \(seed)")
            #expect(other.commitNumber == 3, "what changes nothing is no commit")
            try ManagedObjectContext(other).checkIntegrity()
        }
    }

    private func fill(_ store: GraphStore, seed: UInt64) throws {
        var random = RandomItems(seed: seed)
        let context = ManagedObjectContext(store)
        let texts = [
            "", "a,b", "\"", "x\r\ny", "=1+1", " é ", "e\u{301}", "null", "\u{FEFF}", "0\0",
        ]
        let towns = try texts.prefix(5).map { try context.findOrInsert(Town.self, \.name, $0) }
        let words = try (0..<6).map { try context.findOrInsert(Word.self, \.number, $0 - 2) }
        var shots: [Shot] = []
        for number in 0..<40 {
            let shot = Shot(context: context)
            func maybe<Value>(_ value: @autoclosure () -> Value) -> Value? {
                random.generator.next() % 3 == 0 ? nil : value()
            }
            func text() -> String { texts.randomElement(using: &random.generator) ?? "" }
            shot.code = "\(number)\(text())"
            shot.title = text()
            shot.note = maybe(text())
            shot.caption = text()
            shot.views = Int.random(in: .min ... .max, using: &random.generator)
            shot.stars = maybe(Int8.random(in: .min ... .max, using: &random.generator))
            shot.price = maybe(Decimal(random.generator.next()) / 10_000)
            shot.taken = maybe(random.date())
            if shot.taken?.timeIntervalSinceReferenceDate.isNaN ?? false { shot.taken = nil }
            shot.isFavorite = Bool.random(using: &random.generator)
            shot.data = maybe(Data(text().utf8))
            shot.key = maybe(UUID())
            shot.town = maybe(towns.randomElement(using: &random.generator)).flatMap(\.self)
            for word in words.shuffled(using: &random.generator).prefix(number % 4) {
                shot.words.insert(word)
            }
            shot.original = maybe(shots.randomElement(using: &random.generator)).flatMap(\.self)
            shots.append(shot)
        }
        // One leads to one that comes later in the file.
        shots[0].original = shots[39]
        try context.save()
    }

    @Test(arguments: ExchangeFormat.allCases, [UInt64](1...4))
    func `every type of attribute comes back to the bit, by identifiers`(
        format: ExchangeFormat, seed: UInt64
    ) async throws {
        try await withTemporaryDirectory { folder in
            let store = try GraphStore(model: DocumentModel.types)
            var random = RandomItems(seed: seed)
            let context = ManagedObjectContext(store)
            try random.change(context, times: 120)
            try context.save()
            let (before, url) = (store.snapshot(), folder.appending(path: "Items"))
            let count = try await store.export(
                FetchRequest<DocumentModel.Item>(), to: url, as: format)
            // All values become others, and most links go.
            for item in try context.fetch(DocumentModel.Item.self) {
                item.code = UUID().uuidString
                (item.text, item.optionalText, item.size) = ("x", "y", .init(width: 1))
                (item.optionalInt, item.date, item.uuid) = (1, Date(), UUID())
                (item.box, item.label, item.favourite) = (nil, nil, nil)
                (item.words, item.sizes, item.counts) = (["w"], [.init()], [UUID(): 1])
                (item.mood, item.rank, item.url, item.data) = (.wild, .low, nil, Data([7]))
                (item.decimal, item.double, item.uint64) = (1, 2, 3)
            }
            try context.save()
            let summary = try await store.importObjects(
                into: DocumentModel.Item.self, from: url, as: format, policy: .identifiers)
            #expect(summary == ImportSummary(inserted: 0, updated: count) && count > 10)
            let (found, expected) = (values(store.snapshot()), values(before))
            #expect(found == expected, "seed \(seed)")
        }
    }

    /// The values and links of items, without what only the other ends tell in an order of their own.
    private func values(_ snapshot: GraphSnapshot) -> [String] {
        snapshot.account.filter { $0.hasPrefix("Item/") && !$0.contains(" tags: ") }
    }

    @Test func `an empty field is no value, and an empty text in quotation marks is one`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let store = try GraphStore(model: ExchangeModel.types)
            let context = ManagedObjectContext(store)
            for (code, note) in [("a", nil), ("b", "")] as [(String, String?)] {
                let shot = Shot(context: context)
                (shot.code, shot.note) = (code, note)
            }
            try context.save()
            let url = folder.appending(path: "Shots.csv")
            try await context.export(
                FetchRequest<Shot>(), to: url, as: .csv, keyPaths: ["code", "note", "title"])
            let text = try String(contentsOf: url, encoding: .utf8)
            #expect(text == "code,note,title\r\na,,\"\"\r\nb,\"\",\"\"\r\n")
            try await store.export(
                FetchRequest<Shot>(), to: url, as: .json, keyPaths: ["code", "note"])
            #expect(
                try String(contentsOf: url, encoding: .utf8) == """
                    [
                    {"code":"a","note":null},
                    {"code":"b","note":""}
                    ]

                    """)
        }
    }

    @Test func `what the members of an owner come to is found once for all that is exported`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let context = ManagedObjectContext(try GraphStore(model: ExchangeModel.types))
            let town = Town(context: context)
            town.name = "Paris"
            for number in 0..<3_000 {
                let shot = Shot(context: context)
                (shot.code, shot.views, shot.town) = ("\(number)", number, town)
            }
            let url = folder.appending(path: "Shots.csv")
            try await context.export(
                FetchRequest<Shot>(), to: url, as: .csv, keyPaths: ["town.shots.@max.views"])
            let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\r\n")
            #expect(lines.count == 3_001 && lines.dropFirst().allSatisfy { $0 == "2999" })
        }
    }

    @Test func `what is exported is what there is when the call is made, in the request's order`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let store = try GraphStore(model: ExchangeModel.types)
            let context = ManagedObjectContext(store)
            for code in ["a", "b", "c"] { Shot(context: context).code = code }
            let url = folder.appending(path: "Shots.csv")
            let progress = Progress(totalUnitCount: 1)
            var request = try FetchRequest<Shot>(
                where: "code != 'b'", sortBy: [SortDescriptor(\.code, order: .reverse)])
            request.limit = 5
            // Not saved, and shown by the context alone.
            try await context.export(
                request, to: url, as: .csv, keyPaths: ["code", "copies", "copies.@count"],
                progress: progress)
            #expect(
                try String(contentsOf: url, encoding: .utf8)
                    == "code,copies,copies.@count\r\nc,[],0\r\na,[],0\r\n")
            #expect(progress.completedUnitCount == 2 && progress.totalUnitCount == 2)
            await #expect(throws: ContextError.self) {
                try await store.export(
                    FetchRequest<Shot>(), to: url, as: .csv, keyPaths: ["cod"])
            }
            progress.cancel()
            try context.save()
            await #expect(throws: CancellationError.self) {
                try await store.export(
                    FetchRequest<Shot>(), to: url, as: .csv, progress: progress)
            }
            // It is what it was.
            #expect(try String(contentsOf: url, encoding: .utf8).hasPrefix("code,copies"))
            let nothing = Progress(totalUnitCount: 7)
            try await store.export(
                FetchRequest<Town>(), to: url, as: .json, progress: nothing)
            #expect(try String(contentsOf: url, encoding: .utf8) == "[\n]\n")
            #expect(nothing.isFinished)
            nothing.cancel()
            await #expect(throws: CancellationError.self) {
                try await store.export(
                    FetchRequest<Town>(), to: url, as: .csv, progress: nothing)
            }
            #expect(try String(contentsOf: url, encoding: .utf8) == "[\n]\n")
        }
    }

    @Test(arguments: ["pipe", "link"])
    func `a pipe is not replaced by the file of an export, nor what leads to one`(
        name: String
    ) async throws {
        try await withTemporaryDirectory { folder in
            let store = try GraphStore(model: ExchangeModel.types)
            let (pipe, url) = (folder.appending(path: "pipe"), folder.appending(path: name))
            try #require(mkfifo(pipe.path(percentEncoded: false), 0o600) == 0)
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "link"), withDestinationURL: pipe)
            let path = url.path(percentEncoded: false)
            let error = await #expect(throws: FileSystemError.self) {
                try await store.export(FetchRequest<Town>(), to: url, as: .csv)
            }
            #expect(
                error?.description
                    == "'\(path)' is a pipe, and was left as it is. Move it elsewhere, or name another path."
            )
            let status = try DiskFileSystem().status(of: FilePath(url))
            #expect(status?.kind == .pipe)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.path(percentEncoded: false))
            #expect(names.sorted() == ["link", "pipe"])
        }
    }

    @Test(arguments: ExchangeFormat.allCases)
    func `the order of members comes back with a list of them`(
        format: ExchangeFormat
    ) async throws {
        try await withTemporaryDirectory { folder in
            let store = try GraphStore(model: ExchangeModel.types)
            let context = ManagedObjectContext(store)
            let town = try context.findOrInsert(Town.self, \.name, "Paris")
            for code in ["c", "a", "b"] {
                town.shots.insert(try context.findOrInsert(Shot.self, \.code, code))
            }
            try context.save()
            let files = ["Shots", "Towns"].map { folder.appending(path: $0) }
            try await store.export(
                FetchRequest<Shot>(sortBy: [SortDescriptor(\.code)]), to: files[0], as: format,
                keyPaths: ["code"])
            try await store.export(
                FetchRequest<Town>(), to: files[1], as: format, keyPaths: ["name", "shots.code"])
            let other = try GraphStore(model: ExchangeModel.types)
            try await other.importObjects(into: Shot.self, from: files[0], as: format)
            try await other.importObjects(into: Town.self, from: files[1], as: format)
            let found = try #require(
                try other.snapshot().context().find(Town.self, \.name, "Paris"))
            #expect(found.shots.map(\.code) == ["c", "a", "b"])
        }
    }
}
