import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What a feed hands out, down to its lines.
@Suite struct ChangeFeedReplayTests {
    private let files = CrashingFiles()

    @Test func `what is handed out is enough to make the document again`() async throws {
        var random = JournalEdits(seed: 5)
        let document = try await ManagedDocument.open(
            at: URL(filePath: "/Photos"), model: JournalModel.types,
            options: .savedByHand { $0.keepsHistory = true }, files: files)
        while document.store.commitNumber < 15 {
            try random.change(document.viewContext, times: 3)
            try await document.save(durability: .system)
            if document.store.commitNumber == 5 { try await document.compact() }
        }
        try await document.close()
        let model = try ObjectModel(JournalModel.types)
        func makeReplay() -> JournalReplay {
            JournalReplay(
                Graph(layout: model.layout), checks: model.checks,
                blobs: BlobReader(document.writer.directory.blobs))
        }
        var (replay, decodedReplay) = (makeReplay(), makeReplay())
        for try await record in document.changes(since: 0) {
            let line = Array(record.line.dropLast())
            _ = try line.withUnsafeBytes { try replay.apply($0, after: record.commit - 1) }
            // A line that was made of a decoded record is one that can be made again too.
            let encoded = try JSONDecoder().decode(
                ChangeRecord.self, from: try JSONEncoder().encode(record))
            let again = Array(encoded.line.dropLast())
            #expect(again.withUnsafeBytes(JournalLine.isWhole))
            _ = try again.withUnsafeBytes {
                try decodedReplay.apply($0, after: record.commit - 1)
            }
            #expect(try ChangeRecord(line: Array(encoded.line)) == record)
        }
        func account(_ store: GraphStore) -> [String] {
            store.account.filter { !$0.contains(" note: ") }
        }
        for graph in [replay.finish(), decodedReplay.finish()] {
            let store = GraphStore(model: model, graph: graph)
            #expect(account(store) == account(document.store))
        }
    }

    @Test func `a feed that nobody takes is not followed`() async throws {
        let document = try await ManagedDocument.open(
            at: URL(filePath: "/Photos"), model: JournalModel.types, files: files)
        for _ in 0..<10 { _ = document.changes(since: 0) }
        try await document.flush()
        #expect(!document.writer.feed.isFollowed)
        try await document.close()
    }

    @Test func `lines wait as long as there is room, and the others are in the files`() {
        var lines = WaitingLines()
        for number in UInt8(0)..<5 { lines.add([number], limit: 3) }
        #expect(lines.lines == [[0], [1], [2]] && lines.goesOn)
        #expect(lines.take() == [0])
        // None may be left out.
        lines.add([5], limit: 3)
        #expect(lines.lines == [[1], [2]])
        var large = WaitingLines()
        large.add([UInt8](repeating: 0, count: 100_000), limit: 3)
        #expect(large.lines.count == 1 && !large.goesOn)
        large.add([1], limit: 3)
        #expect(large.lines.count == 1 && large.goesOn)
    }

    /// If all that wait moved up each time that one is taken, this would take half a minute.
    @Test func `taking a line takes no longer where many wait`() {
        var lines = WaitingLines()
        for number in 0..<100_000 { lines.add([UInt8(number & 0xFF)], limit: .max) }
        for number in 0..<100_000 where lines.take() != [UInt8(number & 0xFF)] {
            Issue.record("line \(number) is another one")
        }
        #expect(lines.take() == nil)
        lines.add([1], limit: 1)
        #expect(lines.lines == [[1]] && !lines.goesOn)
    }
}
