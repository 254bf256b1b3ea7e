import Foundation
import PlacesBase
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// The folder of a member that was restored from a backup, or copied.
@Suite struct SharedCopyTests {
    private typealias Trip = SharingModel.Trip
    private typealias Stop = SharingModel.Stop
    private static let url = URL(filePath: "/Trips", directoryHint: .notDirectory)

    private let log = MemorySharedLog()

    private nonisolated(nonsending) func open(
        _ files: CrashingFiles, _ link: (any SharedLog)? = nil, _ policy: MergePolicy? = nil
    ) async throws -> ManagedDocument {
        var options = ManagedDocument.Options.exchangedByHand()
        if let policy { options.sharedMergePolicy = policy }
        return try await ManagedDocument.open(
            at: Self.url, model: SharingModel.classes, options: options,
            sharing: link ?? log.connection(), files: files)
    }

    private func titles(of document: ManagedDocument) throws -> [String] {
        try ManagedObjectContext(document.store).fetch(FetchRequest<Trip>()).map(\.title).sorted()
    }

    /// Opens a folder to share a trip from there.
    private nonisolated(nonsending) func share(
        _ title: String, from files: CrashingFiles
    ) async throws {
        let document = try await open(files)
        Trip(context: document.viewContext).title = title
        try await document.save(durability: .shared)
        try await document.close()
    }

    /// A folder that knows the first trip, and the same one later, from which the log has a second one.
    private nonisolated(nonsending) func restored() async throws -> (
        backup: CrashingFiles, later: CrashingFiles
    ) {
        let files = CrashingFiles()
        try await share("first", from: files)
        let backup = files.afterProcessDeath()
        try await share("second", from: files)
        return (backup, files)
    }

    /// Expects a document to find that its folder is a copy.
    private nonisolated(nonsending) func expectCopy(_ document: ManagedDocument) async throws {
        let error = await #expect(throws: DocumentError.self) {
            try await document.save(durability: .shared)
        }
        guard case .copied? = error, case .stopped? = document.sharing?.state
        else { throw Unexpected("\(error as Any) \(document.sharing?.state as Any)") }
    }

    private func expectEachOnce() {
        #expect(Set(log.commits.map(\.id)).count == log.commits.count)
    }

    @Test(arguments: [false, true])
    func `what is saved in a restored folder is shared when it is opened again, as new objects`(
        isOffline: Bool
    ) async throws {
        let (files, link) = (try await restored().backup, log.connection())
        var document = try await open(files, link)
        if isOffline { link.cut() }
        // By the numbers that it gives out, this would be the second trip.
        let trip = Trip(context: document.viewContext)
        trip.title = "third"
        if isOffline {
            try await document.save(durability: .disk)
            link.heal()
        }
        try await expectCopy(document)
        let stop = Stop(context: document.viewContext)
        (stop.code, stop.trip) = ("BRN", trip)
        try await document.save(durability: .disk)
        try await expectCopy(document)
        try await document.close()
        #expect(log.commits.count == 2)

        document = try await open(files, link)
        #expect(try titles(of: document) == ["first", "third"])
        try await document.sharing?.synchronize()
        #expect(document.sharing?.state == .upToDate)
        #expect(document.sharing?.conflicts.isEmpty == true)
        #expect(try titles(of: document) == ["first", "second", "third"])
        document.viewContext.refreshAllObjects()
        #expect(try document.viewContext.find(Stop.self, \.code, "BRN")?.trip?.title == "third")
        expectEachOnce()
        let other = try await open(CrashingFiles())
        try await other.sharing?.synchronize()
        #expect(try other.store.content() == document.store.content())
        try await document.close()
        link.cut()
        document = try await open(files, link)
        #expect(try titles(of: document) == ["first", "second", "third"])
    }

    @Test func `a restored folder shares what it saved also where a base stands for the rest`()
        async throws
    {
        let (backup, files) = try await restored()
        var document = try await open(files)
        Trip(context: document.viewContext).title = "third"
        try await document.save(durability: .shared)
        log.advance(by: .seconds(8 * 86_400))
        try await document.compact()
        try await document.sharing?.synchronize()
        try await document.close()
        // A base tells only of the last opening, which is not the one whose numbers are given out again.
        #expect(log.commits.map(\.number) == [3])
        document = try await open(backup)
        Trip(context: document.viewContext).title = "fourth"
        try await expectCopy(document)
        try await document.close()
        document = try await open(backup)
        try await document.save(durability: .shared)
        #expect(try titles(of: document) == ["first", "fourth", "second", "third"])
        #expect(document.sharing?.conflicts.isEmpty == true)
        let other = try await open(CrashingFiles())
        try await other.sharing?.synchronize()
        #expect(try other.store.content() == document.store.content())
    }

    /// Lets a document give the log a base, which then forgets what came before.
    private nonisolated(nonsending) func keepBase(from document: ManagedDocument) async throws {
        log.advance(by: .seconds(8 * 86_400))
        try await document.compact()
        try await document.sharing?.synchronize()
        #expect(log.commits.count == 1)
    }

    @Test func `what waits is shared though a copy went on, and a base stands for what that saved`()
        async throws
    {
        let files = CrashingFiles()
        var document = try await open(files)
        Trip(context: document.viewContext).title = "first"
        try await document.save(durability: .shared)
        let other = try await open(files.afterProcessDeath())
        for title in ["waits", "waits, too"] {
            Trip(context: document.viewContext).title = title
            try await document.save(durability: .disk)
        }
        for title in ["of the copy", "of the copy, too"] {
            Trip(context: other.viewContext).title = title
            try await other.save(durability: .shared)
        }
        try await keepBase(from: other)
        try await expectCopy(document)
        try await document.close()
        document = try await open(files)
        try await document.sharing?.synchronize()
        #expect(document.sharing?.state == .upToDate)
        #expect(document.sharing?.conflicts.isEmpty == true)
        let newcomer = try await open(CrashingFiles())
        for member in [other, newcomer] {
            try await member.sharing?.synchronize()
            #expect(
                try titles(of: member)
                    == ["first", "of the copy", "of the copy, too", "waits", "waits, too"])
            #expect(try member.store.content() == document.store.content())
        }
        expectEachOnce()
    }

    @Test(arguments: [false, true])
    func `what a restored folder has waiting, and shared meanwhile, is there once also with a base`(
        isFirst: Bool
    ) async throws {
        let files = CrashingFiles()
        if !isFirst { try await share("earlier", from: files) }
        var document = try await open(files)
        Trip(context: document.viewContext).title = "first"
        try await document.save(durability: .disk)
        let backup = files.afterProcessDeath()
        try await document.save(durability: .shared)
        try await document.close()
        try await share("second", from: files)
        document = try await open(files)
        Trip(context: document.viewContext).title = "third"
        try await document.save(durability: .shared)
        try await keepBase(from: document)
        var restored = try await open(backup)
        try await expectCopy(restored)
        try await restored.close()
        restored = try await open(backup)
        try await restored.sharing?.synchronize()
        #expect(restored.sharing?.state == .upToDate)
        #expect(restored.sharing?.conflicts.isEmpty == true)
        #expect(
            try titles(of: restored)
                == (isFirst ? [] : ["earlier"]) + ["first", "second", "third"])
        #expect(try restored.store.content() == document.store.content())
    }

    // MARK: - Refused commits

    /// A folder with a commit that will be refused, as somebody else needs what it deletes by then, and, from the opening
    /// after that, one that will be shared; with the member who needs it.
    private nonisolated(nonsending) func withCommitToRefuse() async throws -> (
        files: CrashingFiles, document: ManagedDocument, other: ManagedDocument
    ) {
        let files = CrashingFiles()
        let other = try await open(CrashingFiles())
        let trip = Trip(context: other.viewContext)
        trip.title = "Alps"
        try await other.save(durability: .shared)
        let link = log.connection()
        var document = try await open(files, link)
        try await document.sharing?.synchronize()
        document.viewContext.refreshAllObjects()
        link.cut()
        for trip in try document.viewContext.fetch(FetchRequest<Trip>()) {
            document.viewContext.delete(trip)
        }
        try await document.save(durability: .disk)
        try await document.close()
        document = try await open(files, link)
        Trip(context: document.viewContext).title = "Baltic"
        try await document.save(durability: .disk)
        SharingModel.Guest(context: other.viewContext).trip = trip
        try await other.save(durability: .shared)
        link.heal()
        return (files, document, other)
    }

    @Test(arguments: [false, true], [false, true])
    func
        `who comes back after a crash shares nothing again that came after a refused commit`(
            hasBase: Bool, isKnown: Bool
        ) async throws
    {
        let (files, document, other) = try await withCommitToRefuse()
        let crashed = files.afterProcessDeath()
        try await document.sharing?.synchronize()
        #expect(document.sharing?.conflicts.count == 1)
        try await document.save(durability: .disk)
        if isKnown {
            // Its file is there, and the one of the commits that wait was not written anew.
            let path = FilePath(Self.url).appending("conflicts.jsonl")
            try crashed.replaceFile(at: path, with: files.read(path))
        }
        if hasBase { try await keepBase(from: other) }
        let count = log.commits.count
        let again = try await open(crashed)
        try await again.sharing?.synchronize()
        #expect(again.sharing?.state == .upToDate)
        #expect(again.sharing?.conflicts.count == 1)
        #expect(try titles(of: again) == ["Alps", "Baltic"])
        #expect(log.commits.count == count)
        try await other.sharing?.synchronize()
        #expect(try again.store.content() == other.store.content())
        expectEachOnce()
    }

    @Test(arguments: [false, true])
    func `what a copy could not share is a conflict of each that has it waiting`(
        hasBase: Bool
    ) async throws {
        let (files, document, other) = try await withCommitToRefuse()
        let copy = try await open(files.afterProcessDeath())
        // It is refused by now alone: made again later, it would delete what the copy left.
        try await copy.sharing?.synchronize()
        other.viewContext.refreshAllObjects()
        for guest in try other.viewContext.fetch(FetchRequest<SharingModel.Guest>()) {
            other.viewContext.delete(guest)
        }
        try await other.save(durability: .shared)
        if hasBase { try await keepBase(from: other) }
        let count = log.commits.count
        try await document.sharing?.synchronize()
        try await copy.sharing?.synchronize()
        for member in [document, copy] {
            #expect(member.sharing?.state == .upToDate)
            #expect(member.sharing?.conflicts.count == 1)
            #expect(try titles(of: member) == ["Alps", "Baltic"])
        }
        #expect(log.commits.count == count)
        #expect(try document.store.content() == copy.store.content())
    }

    @Test func `what a base lacks of a commit that was passed over counts as written by nobody`()
        async throws
    {
        let (files, link) = (CrashingFiles(), log.connection())
        let other = try await open(CrashingFiles())
        let trip = Trip(context: other.viewContext)
        trip.title = "Alps"
        Trip(context: other.viewContext).title = "Baltic"
        try await other.save(durability: .shared)
        let document = try await open(files, link, .error)
        try await document.sharing?.synchronize()
        document.viewContext.refreshAllObjects()
        link.cut()
        // It is refused as a whole, for somebody else needs what it deletes.
        let trips = try document.viewContext.fetch(FetchRequest<Trip>())
        let own = try #require(trips.first { $0.title == "Baltic" })
        own.title = "Baltic Sea"
        for trip in trips where trip.title == "Alps" { document.viewContext.delete(trip) }
        try await document.save(durability: .disk)
        Trip(context: document.viewContext).title = "Crete"
        try await document.save(durability: .disk)
        let copy = try await open(files.afterProcessDeath(), nil, .error)
        own.title = "Baltic coast"
        try await document.save(durability: .disk)
        SharingModel.Guest(context: other.viewContext).trip = trip
        try await other.save(durability: .shared)
        try await copy.sharing?.synchronize()
        try await keepBase(from: other)
        link.heal()
        try await document.sharing?.synchronize()
        #expect(document.sharing?.conflicts.count == 1)
        #expect(try titles(of: document) == ["Alps", "Baltic coast", "Crete"])
        try await other.sharing?.synchronize()
        #expect(try document.store.content() == other.store.content())
    }

    @Test func `a conflict tells whether others may have what it was to change`() async throws {
        let (files, document, other) = try await withCommitToRefuse()
        let filesOfCopy = files.afterProcessDeath()
        let copy = try await open(filesOfCopy)
        try await copy.sharing?.synchronize()
        // The log has what came after it, and not why it lacks this one.
        try await document.sharing?.synchronize()
        #expect(copy.sharing?.conflicts.map(\.mayBeShared) == [false])
        #expect(document.sharing?.conflicts.map(\.mayBeShared) == [true])
        for document in [document, copy, other] { try await document.close() }
        for (files, mayBeShared) in [(files, true), (filesOfCopy, false)] {
            let again = try await open(files)
            #expect(again.sharing?.conflicts.map(\.mayBeShared) == [mayBeShared])
        }
    }

    /// A log that gives one commit at a time, and keeps what a disk has each time that it gets some.
    private final class SlowLog: LogRelay {
        let log: any SharedLog
        private let files: CrashingFiles
        private let last: Mutex<CrashingFiles?> = Mutex(nil)

        init(_ log: any SharedLog, _ files: CrashingFiles) { (self.log, self.files) = (log, files) }

        /// What the disk had the last time.
        var seen: CrashingFiles? { last.withLock(\.self) }

        func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
            last.withLock { $0 = files.afterProcessDeath() }
            return try await log.append(commits, after: number)
        }

        func commits(after number: Int) async throws -> [SharedCommit] {
            Array(try await log.commits(after: number).prefix(1))
        }
    }

    @Test func `what was refused is on disk as that before the log gets what came after it`()
        async throws
    {
        let (files, former, other) = try await withCommitToRefuse()
        // It does not close: that would bring the commits to the log.
        _ = former
        let found = files.afterProcessDeath()
        for title in ["Crete", "Delphi"] {
            Trip(context: other.viewContext).title = title
            try await other.save(durability: .shared)
        }
        let slow = SlowLog(log.connection(), found)
        let document = try await open(found, slow)
        try await document.sharing?.synchronize()
        #expect(document.sharing?.conflicts.count == 1)
        let (crashed, link) = (try #require(slow.seen), log.connection())
        link.cut()
        let again = try await open(crashed, link)
        #expect(again.sharing?.conflicts.count == 1)
        link.heal()
        let count = log.commits.count
        try await again.sharing?.synchronize()
        #expect(log.commits.count == count)
        #expect(try titles(of: again) == ["Alps", "Baltic", "Crete", "Delphi"])
        expectEachOnce()
    }

    @Test func `two copies of a folder that are open at a time both share all that they save`()
        async throws
    {
        let files = CrashingFiles()
        try await open(files).close()
        let copy = files.afterProcessDeath()
        let one = try await open(files)
        var two = try await open(copy)
        Trip(context: one.viewContext).title = "one"
        Trip(context: two.viewContext).title = "two"
        try await one.save(durability: .shared)
        try await expectCopy(two)
        // The one who was first goes on.
        Trip(context: one.viewContext).title = "one again"
        try await one.save(durability: .shared)
        try await two.close()
        two = try await open(copy)
        try await two.save(durability: .shared)
        try await one.sharing?.synchronize()
        #expect(try titles(of: one) == ["one", "one again", "two"])
        #expect(try one.store.content() == two.store.content())
        expectEachOnce()
    }

    @Test func `objects that got new numbers have the same ones after a crash`() async throws {
        let files = try await restored().backup
        let document = try await open(files)
        let trip = Trip(context: document.viewContext)
        trip.title = "third"
        try await expectCopy(document)
        Stop(context: document.viewContext).trip = trip
        try await document.save(durability: .disk)
        try await document.close()
        let again = try await open(files)
        // It has shared them when it is killed, and its disk does not know.
        let crashed = files.afterProcessDeath()
        try await again.sharing?.synchronize()
        let count = log.commits.count
        let last = try await open(crashed)
        try await last.sharing?.synchronize()
        #expect(log.commits.count == count)
        #expect(try last.store.content() == again.store.content())
        expectEachOnce()
    }

    @Test func `a copy that would come to the numbers of the other takes others before`()
        async throws
    {
        let files = CrashingFiles()
        try await open(files).close()
        let copy = files.afterProcessDeath()
        // The other is one opening ahead.
        try await open(files).close()
        let one = try await open(files)
        Trip(context: one.viewContext).title = "one"
        try await one.save(durability: .shared)
        var two = try await open(copy)
        Trip(context: two.viewContext).title = "two"
        try await expectCopy(two)
        try await two.close()
        two = try await open(copy)
        Trip(context: two.viewContext).title = "two again"
        try await two.save(durability: .shared)
        try await one.sharing?.synchronize()
        #expect(try titles(of: one) == ["one", "two", "two again"])
        #expect(try one.store.content() == two.store.content())
    }

    /// A restored folder with a commit that was refused and one that waits, in a file that was to be written anew when the
    /// process was killed, after others have changed what the first one changes.
    private nonisolated(nonsending) func restoredWithRefused() async throws -> CrashingFiles {
        let files = CrashingFiles()
        try await share("first", from: files)
        let backup = files.afterProcessDeath()
        let other = try await open(CrashingFiles())
        try await other.sharing?.synchronize()
        other.viewContext.refreshAllObjects()
        let trip = try #require(try other.viewContext.fetch(FetchRequest<Trip>()).first)
        trip.title = "of others"
        try await other.save(durability: .shared)
        try await other.close()
        try await share("second", from: files)

        // It does not hear yet that the folder goes on elsewhere.
        let document = try await open(
            backup, WatchedLog(log.connection(), showingUpTo: 2), .error)
        let own = try #require(try document.viewContext.fetch(FetchRequest<Trip>()).first)
        own.title = "refused"
        try await document.save(durability: .disk)
        Trip(context: document.viewContext).title = "third"
        try await document.save(durability: .disk)
        backup.fail { step in
            guard case .rename(_, let new) = step else { return nil }
            return new.description.hasSuffix("outbox-2.jsonl") ? 28 : nil
        }
        try? await document.sharing?.synchronize()
        #expect(document.sharing?.conflicts.count == 1)
        return backup.afterProcessDeath()
    }

    @Test func `commits after a refused one keep their identifiers each time the folder is opened`()
        async throws
    {
        let files = try await restoredWithRefused()
        var document = try await open(files, nil, .error)
        try await expectCopy(document)
        try await document.close()
        document = try await open(files, nil, .error)
        let trips = try document.viewContext.fetch(FetchRequest<Trip>())
        let trip = try #require(trips.first { $0.title == "third" })
        for title in ["third again", "third at last"] {
            trip.title = title
            try await document.save(durability: .disk)
        }
        // It has shared them when it is killed, and its disk does not know.
        let crashed = files.afterProcessDeath()
        try await document.sharing?.synchronize()
        let count = log.commits.count
        #expect(count == 6)
        let last = try await open(crashed, nil, .error)
        try await last.sharing?.synchronize()
        #expect(log.commits.count == count)
        #expect(last.sharing?.conflicts.count == 1)
        #expect(try titles(of: last) == ["of others", "second", "third at last"])
        #expect(try last.store.content() == document.store.content())
        expectEachOnce()
    }
}
