import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesBase
@testable import PlacesGraph
@testable import PlacesKitTests

/// What a base tells of the commits that came before it.
@Suite struct LatestCommitsTests {
    private typealias Trip = SharingModel.Trip

    /// The first number of a part of the range 1, with something at random.
    private static func opening(_ part: Int64) -> Int64 {
        SharingMembership.start(ofRange: 1) | part << 31 | 7
    }

    private static func id(_ part: Int64, _ sequence: Int64) -> SharedCommit.ID {
        SharedCommit.ID(opening: opening(part), sequence: sequence)
    }

    private func read(_ text: String) throws -> LatestCommits {
        try JSONReader.read(Array(text.utf8)) { try LatestCommits(from: &$0) }
    }

    private func reread(_ latest: LatestCommits) throws -> LatestCommits {
        var writer = JSONWriter()
        latest.write(to: &writer)
        return try read(String(decoding: writer.bytes, as: UTF8.self))
    }

    @Test func `each opening has its own latest commit, though a later one has commits`() throws {
        var latest = LatestCommits()
        latest.note(Self.id(3, 2))
        latest.note(Self.id(1, 4))
        for latest in [latest, try reread(latest)] {
            #expect(latest.contains(Self.id(1, 4), before: []) == true)
            #expect(latest.contains(Self.id(1, 5), before: []) == false)
            #expect(latest.contains(Self.id(2, 1), before: []) == false)
            #expect(latest.contains(Self.id(3, 2), before: []) == true)
            #expect(latest.openings == [Self.opening(1), Self.opening(3)])
        }
    }

    @Test func `the latest commit of a range alone tells nothing of earlier openings of others`()
        throws
    {
        let latest = try read("[[\(Self.opening(3)),2]]")
        for latest in [latest, try reread(latest)] {
            #expect(latest.contains(Self.id(3, 2), before: []) == true)
            #expect(latest.contains(Self.id(3, 3), before: []) == false)
            #expect(latest.contains(Self.id(4, 1), before: []) == false)
            #expect(latest.contains(Self.id(1, 1), before: []) == nil)
            #expect(latest.contains(Self.id(1, 1), before: [Self.opening(3)]) == true)
        }
    }

    @Test func `the first of many openings are forgotten, and nobody is told anything of them`()
        throws
    {
        var latest = LatestCommits()
        for part in 0...Int64(LatestCommits.limit) { latest.note(Self.id(part, 1)) }
        for latest in [latest, try reread(latest)] {
            #expect(latest.openings.count == LatestCommits.limit)
            #expect(latest.contains(Self.id(0, 1), before: []) == nil)
            #expect(latest.contains(Self.id(1, 1), before: []) == true)
            #expect(latest.contains(Self.id(1, 2), before: []) == false)
        }
    }

    // MARK: - Bases of earlier versions

    /// A log whose bases tell of each range the latest commit alone.
    private struct EarlierBases: LogRelay {
        let log: any SharedLog

        func base(after number: Int) async throws -> SharedBase? {
            guard let base = try await log.base(after: number) else { return nil }
            let bytes = try await base.content()
            let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
            var line = String(decoding: bytes[..<end], as: UTF8.self)
            let start = try #require(line.range(of: #""latest":["#)).upperBound
            // There is one range.
            let last = try #require(line.range(of: "[", options: .backwards)).lowerBound
            line.removeSubrange(start..<last)
            let crc = try #require(line.range(of: #","crc""#)).lowerBound
            return SharedBase(
                number: base.number,
                JournalLine.seal(Array("\(line[..<crc])}".utf8)) + bytes[(end + 1)...],
                values: base.values)
        }
    }

    private let log = MemorySharedLog()

    private nonisolated(nonsending) func open(_ files: CrashingFiles) async throws
        -> ManagedDocument
    {
        try await ManagedDocument.open(
            at: URL(filePath: "/Trips", directoryHint: .notDirectory), model: SharingModel.classes,
            options: .doingNothingByItself, sharing: EarlierBases(log: log.connection()),
            files: files)
    }

    private nonisolated(nonsending) func save(
        _ titles: String..., in document: ManagedDocument,
        _ durability: ManagedDocument.Durability
    ) async throws {
        for title in titles {
            Trip(context: document.viewContext).title = title
            try await document.save(durability: durability)
        }
    }

    private nonisolated(nonsending) func keepBase(from document: ManagedDocument) async throws {
        log.advance(by: .seconds(8 * 86_400))
        try await document.compact()
        try await document.sharing?.synchronize()
    }

    /// Opens a copy that was told so, once more, and brings it up to date.
    private nonisolated(nonsending) func reopen(_ files: CrashingFiles) async throws
        -> ManagedDocument
    {
        let copy = try await open(files)
        await #expect(throws: DocumentError.self) { try await copy.sharing?.synchronize() }
        try await copy.close()
        let document = try await open(files)
        try await document.sharing?.synchronize()
        #expect(document.sharing?.state == .upToDate)
        return document
    }

    private func titles(of document: ManagedDocument) throws -> [String] {
        try ManagedObjectContext(document.store).fetch(FetchRequest<Trip>()).map(\.title).sorted()
    }

    @Test func `somebody is told of what a base of an earlier version neither has nor lacks`()
        async throws
    {
        let files = CrashingFiles()
        let document = try await open(files)
        try await save("first", in: document, .shared)
        let other = try await open(files.afterProcessDeath())
        try await save("waits", "waits, too", in: document, .disk)
        // The log keeps the last one.
        try await save("of the copy", "of the copy, too", in: other, .shared)
        try await keepBase(from: other)
        try await document.close()
        let again = try await reopen(files)
        #expect(try titles(of: again) == ["first", "of the copy", "of the copy, too"])
        let conflicts = try #require(again.sharing?.conflicts)
        #expect(
            conflicts.map { $0.change.inserted.map { $0.values["title"] } }
                == [[.string("waits")], [.string("waits, too")]])
        #expect(conflicts.allSatisfy { $0.reason.contains("copy of this folder") })
        #expect(try again.store.content() == other.store.content())
    }

    @Test func `what made objects that a base of an earlier version has is in the log for sure`()
        async throws
    {
        let files = CrashingFiles()
        var document = try await open(files)
        try await save("first", in: document, .shared)
        try await save("waits", "waits, too", in: document, .disk)
        let backup = files.afterProcessDeath()
        try await document.sharing?.synchronize()
        for title in ["second", "third"] {
            try await document.close()
            document = try await open(files)
            try await save(title, in: document, .shared)
        }
        try await keepBase(from: document)
        let restored = try await reopen(backup)
        #expect(restored.sharing?.conflicts.isEmpty == true)
        #expect(try titles(of: restored) == ["first", "second", "third", "waits", "waits, too"])
        #expect(try restored.store.content() == document.store.content())
    }
}
