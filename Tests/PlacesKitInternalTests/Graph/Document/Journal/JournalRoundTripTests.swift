import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// The lines of commits, and the graph that comes of them.
@Suite struct JournalRoundTripTests {
    private func account(of graph: Graph, _ model: ObjectModel) -> [String] {
        // What is transient is in no file.
        GraphStore(model: model, graph: graph).account.filter { !$0.contains(" note: ") }
    }

    /// Applies lines from a graph on, and compares what comes of each with what was committed.
    private func expect(
        _ lines: ArraySlice<[UInt8]>, from graph: Graph, _ accounts: [[String]],
        _ model: ObjectModel,
        _ comment: String
    ) throws {
        var replay = JournalReplay(graph, checks: model.classes.map(\.checks))
        for (number, line) in zip(lines.indices, lines) {
            #expect(line.last == 0x0A && !line.dropLast().contains(0x0A))
            #expect(line.dropLast().withUnsafeBytes { JournalLine.isWhole($0) })
            #expect(try JSONSerialization.jsonObject(with: Data(line)) is [String: Any])
            do {
                let commit = try line.dropLast().withUnsafeBytes {
                    try replay.apply($0, after: number)
                }
                #expect(commit.number == number + 1)
            } catch {
                Issue.record("\(comment): \(error) in \(String(decoding: line, as: UTF8.self))")
                return
            }
            let found = replay.finish()
            let broken = found.brokenInvariants(allowingDeniedDeletes: false)
            #expect(broken == [], "\(comment), commit \(number + 1)")
            let account = account(of: found, model)
            guard account == accounts[number + 1] else {
                let difference = account.difference(from: accounts[number + 1])
                Issue.record(
                    """
                    \(comment), commit \(number + 1): \(difference) \
                    in \(String(decoding: line, as: UTF8.self))
                    """)
                return
            }
        }
    }

    private func run(
        _ types: [ManagedObject.Type], seed: UInt64, commits: Int,
        change: (ManagedObjectContext) throws -> Void
    ) throws {
        let model = try ObjectModel(types)
        let store = GraphStore(model: model, graph: Graph(layout: model.layout))
        let context = ManagedObjectContext(store)
        context.isUndoEnabled = true
        let recording = JournalRecording(store)
        var accounts = [[String]()]
        var snapshots: [[UInt8]] = [[]]
        while accounts.count <= commits {
            try change(context)
            try context.save()
            guard store.commitNumber == accounts.count else { continue }
            accounts.append(account(of: store.head.graph, model))
            var bytes: [UInt8] = []
            try SnapshotFormat.json.write(store.head.graph) { bytes.append(contentsOf: $0) }
            snapshots.append(bytes)
        }
        let lines = recording.lines().lines
        try expect(lines, from: Graph(layout: model.layout), accounts, model, "seed \(seed)")
        for start in [commits / 3, commits * 2 / 3] {
            let graph = try SnapshotReader.read(
                snapshots[start], schema: model.schema, checks: model.classes.map(\.checks))
            try expect(
                lines[start...], from: graph, accounts, model, "seed \(seed) from \(start)")
        }
    }

    private static let seeds: Range<UInt64> =
        1..<(ProcessInfo.processInfo.environment["PLACESKIT_JOURNALS"].flatMap(UInt64.init) ?? 3)
        + 1

    @Test(arguments: seeds)
    func `commits of every kind of value and link are made again to the bit`(seed: UInt64) throws {
        var random = RandomItems(seed: seed)
        try run(DocumentModel.types, seed: seed, commits: 8) { context in
            try random.change(context, times: 8)
        }
    }

    @Test(arguments: seeds)
    func `orders, hierarchies, deletes and undos are made again`(seed: UInt64) throws {
        var random = JournalEdits(seed: seed)
        var times = 1
        try run(JournalModel.types, seed: seed, commits: 40) { context in
            times = times % 7 + 1
            try random.change(context, times: times)
        }
    }

    @Test func `a commit is a line that a person can read`() throws {
        let model = try ObjectModel(OrderedModel.types)
        let store = GraphStore(
            model: model, graph: Graph(layout: model.layout),
            now: { Date(timeIntervalSinceReferenceDate: 7) })
        let recording = JournalRecording(store)
        let context = ManagedObjectContext(store)
        context.transactionAuthor = "Ann"
        let album = OrderedModel.Album(context: context)
        album.title = "Paris"
        let photos = (0..<3).map { number in
            let photo = OrderedModel.Photo(context: context)
            photo.number = number
            album.photos.append(photo)
            return photo
        }
        try context.save()
        album.photos.move(from: 0, to: 2)
        album.tags.append(OrderedModel.Tag(context: context))
        context.delete(photos[1])
        try context.save()
        let lines = recording.lines().lines.map { String(decoding: $0, as: UTF8.self) }
        #expect(
            lines == [
                #"{"commit":1,"date":"2001-01-01T00:00:07Z","author":"Ann","synced":0,"#
                    + #""insert":{"Album":[{"id":0,"title":"Paris"}],"Photo":["#
                    + #"{"id":0,"number":0,"album":0},{"id":1,"number":1,"album":0},"#
                    + #"{"id":2,"number":2,"album":0}]},"crc":"\#(crc(lines, 0))"}"# + "\n",
                #"{"commit":2,"date":"2001-01-01T00:00:07Z","author":"Ann","synced":0,"#
                    + #""delete":{"Photo":[1]},"insert":{"Tag":[{"id":0,"number":0}]},"#
                    + #""link":{"Album.tags":[[0,0]]},"move":{"Album.photos":[[0,0,2]]},"#
                    + #""crc":"\#(crc(lines, 1))"}"# + "\n",
            ])
    }

    private func crc(_ lines: [String], _ number: Int) -> Substring {
        lines.indices.contains(number) ? lines[number].dropLast(3).suffix(8) : ""
    }

    @Test func `the checksum is that of gzip`() {
        for (text, checksum) in [
            ("", 0), ("123456789", 0xCBF4_3926),
            ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
        ] as [(String, UInt32)] {
            #expect(Array(text.utf8).withUnsafeBytes(CRC32.checksum) == checksum)
        }
    }
}
