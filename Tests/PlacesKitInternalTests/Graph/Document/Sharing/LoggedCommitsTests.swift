import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesBase
@testable import PlacesGraph
@testable import PlacesKitTests

/// What a base tells of the commits that came before it.
@Suite struct LoggedCommitsTests {
    private typealias Trip = SharingModel.Trip

    /// The first number of a part of the range 1, with something at random.
    private static func opening(_ part: Int64) -> Int64 { 1 << 43 | part << 31 | 7 }

    private static func id(_ part: Int64, _ sequence: Int64) -> SharedCommit.ID {
        SharedCommit.ID(opening: opening(part), sequence: sequence)
    }

    private func reread(_ logged: LoggedCommits) throws -> LoggedCommits {
        func written(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
            var writer = JSONWriter()
            write(&writer)
            return writer.bytes
        }
        var read = LoggedCommits()
        try JSONReader.read(written(logged.writeLatest)) { try read.readLatest(from: &$0) }
        try JSONReader.read(written(logged.writeSpans)) { try read.readSpans(from: &$0) }
        return read
    }

    private func readLatest(_ text: String) throws -> LoggedCommits {
        var read = LoggedCommits()
        try JSONReader.read(Array(text.utf8)) { try read.readLatest(from: &$0) }
        return read
    }

    @Test func `each commit is told by itself, though later ones are there`() throws {
        var logged = LoggedCommits()
        for id in [Self.id(1, 2), Self.id(1, 3), Self.id(3, 1), Self.id(1, 5), Self.id(1, 6)] {
            logged.note(id)
        }
        #expect(try reread(logged) == logged)
        for logged in [logged, try reread(logged)] {
            let told = (1...7).map { logged.contains(Self.id(1, $0)) }
            #expect(told == [false, true, true, false, true, true, false])
            #expect(logged.contains(Self.id(2, 1)) == false)
            #expect(logged.contains(Self.id(3, 1)) == true)
            #expect(logged.contains(SharedCommit.ID(opening: 2 << 43, sequence: 1)) == false)
            #expect(logged.openings == [Self.opening(1), Self.opening(3)])
        }
    }

    @Test func `earlier versions read the latest commit of a range, and tell nothing of others`()
        throws
    {
        var logged = LoggedCommits()
        for id in [Self.id(3, 1), Self.id(3, 2), Self.id(1, 4)] { logged.note(id) }
        var writer = JSONWriter()
        logged.writeLatest(to: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[[\(Self.opening(3)),2]]")
        let read = try readLatest("[[\(Self.opening(3)),2]]")
        for logged in [read, try reread(read)] {
            #expect(logged.contains(Self.id(3, 1)) == true)
            #expect(logged.contains(Self.id(3, 2)) == true)
            #expect(logged.contains(Self.id(3, 3)) == false)
            #expect(logged.contains(Self.id(4, 1)) == false)
            #expect(logged.contains(Self.id(1, 1)) == nil)
        }
    }

    @Test func `the spans that grew first are forgotten, and nobody is told anything of them`()
        throws
    {
        var logged = LoggedCommits()
        for part in 0...Int64(LoggedCommits.limit) {
            // This one goes on all the time.
            logged.note(Self.id(part, 1))
            logged.note(Self.id(4000, part + 1))
        }
        for logged in [logged, try reread(logged)] {
            #expect(logged.openings.count == LoggedCommits.limit)
            #expect(logged.contains(Self.id(0, 1)) == nil)
            #expect(logged.contains(Self.id(1, 1)) == nil)
            #expect(logged.contains(Self.id(2, 1)) == true)
            #expect(logged.contains(Self.id(2, 2)) == false)
            #expect(logged.contains(Self.id(4000, 1)) == true)
        }
    }

    @Test func `earlier versions read the latest commit of a range, also if its span is forgotten`()
        throws
    {
        var logged = LoggedCommits()
        logged.note(Self.id(4000, 2))
        for part in 1...Int64(LoggedCommits.limit) { logged.note(Self.id(part, 1)) }
        #expect(logged.contains(Self.id(4000, 2)) == nil)
        for logged in [logged, try reread(logged)] {
            var writer = JSONWriter()
            logged.writeLatest(to: &writer)
            #expect(String(decoding: writer.bytes, as: UTF8.self) == "[[\(Self.opening(4000)),2]]")
        }
    }

    @Test(arguments: [Int64(-1), 1])
    func `nothing is told of an opening whose part was that of one that was forgotten`(
        isAbove: Int64
    ) throws {
        var logged = LoggedCommits()
        for part in 4...Int64(LoggedCommits.limit) + 4 { logged.note(Self.id(part, 1)) }
        // The number of a copy's opening differs by what is random.
        func ofCopy(_ part: Int64) -> SharedCommit.ID {
            SharedCommit.ID(opening: Self.opening(part) + isAbove, sequence: 1)
        }
        for logged in [logged, try reread(logged)] {
            #expect(logged.contains(Self.id(4, 1)) == nil)
            #expect(logged.contains(Self.id(4, 2)) == false)
            #expect(logged.contains(ofCopy(3)) == nil)
            #expect(logged.contains(ofCopy(4)) == nil)
            #expect(logged.contains(ofCopy(5)) == false)
        }
    }

    @Test(arguments: ["[[1]]", "[[1,3,2]]", "[[1,2,3,4]]", "[[]]", "[1]"])
    func `spans of other than two or three numbers in order are refused`(text: String) {
        var logged = LoggedCommits()
        #expect(throws: JSONError.self) {
            try JSONReader.read(Array(text.utf8)) { try logged.readSpans(from: &$0) }
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
            let line = String(decoding: bytes[..<end], as: UTF8.self)
            let spans = try #require(line.range(of: #","spans""#)).lowerBound
            return SharedBase(
                number: base.number,
                JournalLine.seal(Array("\(line[..<spans])}".utf8)) + bytes[(end + 1)...],
                values: base.values)
        }
    }

    private let log = MemorySharedLog()

    private nonisolated(nonsending) func open(_ files: CrashingFiles) async throws
        -> ManagedDocument
    {
        try await ManagedDocument.open(
            at: URL(filePath: "/Trips", directoryHint: .notDirectory), model: SharingModel.classes,
            options: .exchangedByHand(), sharing: EarlierBases(log: log.connection()),
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
        #expect(log.commits.count == 1)
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
        await #expect(throws: DocumentError.self) { try await document.sharing?.synchronize() }
        try await document.close()
        let again = try await open(files)
        try await again.sharing?.synchronize()
        #expect(again.sharing?.state == .upToDate)
        #expect(try titles(of: again) == ["first", "of the copy", "of the copy, too"])
        let conflicts = try #require(again.sharing?.conflicts)
        #expect(
            conflicts.map { $0.change.inserted.map { $0.values["title"] } }
                == [[.string("waits")], [.string("waits, too")]])
        #expect(conflicts.allSatisfy { $0.reason.contains("copy of this folder") })
        #expect(conflicts.map(\.mayBeShared) == [true, true])
        #expect(try again.store.content() == other.store.content())
    }

    @Test func `what waits in a folder without copies is shared on the base of an earlier version`()
        async throws
    {
        let files = CrashingFiles()
        let document = try await open(files)
        try await save("first", "second", in: document, .disk)
        let crashed = files.afterProcessDeath()
        // The log has both, and the folder does not know when it is opened again.
        try await document.sharing?.synchronize()
        try await keepBase(from: try await open(CrashingFiles()))
        let again = try await open(crashed)
        try await save("third", in: again, .shared)
        #expect(again.sharing?.conflicts.isEmpty == true)
        #expect(try titles(of: again) == ["first", "second", "third"])
    }
}
