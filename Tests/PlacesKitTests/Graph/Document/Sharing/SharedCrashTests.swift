import Foundation
import PlacesBase
import PlacesKit
import PlacesKitTesting
import Testing

/// Shared documents on a disk whose power goes.
@Suite struct SharedCrashTests {
    private typealias Trip = SharingModel.Trip
    private typealias Stop = SharingModel.Stop
    private static let url = URL(filePath: "/Trips", directoryHint: .notDirectory)

    private nonisolated(nonsending) func open(
        _ files: CrashingFiles, _ log: any SharedLog, _ policy: MergePolicy? = nil
    ) async throws -> ManagedDocument {
        var options = ManagedDocument.Options.exchangedByHand()
        options.sharedCommitAge = .seconds(10)
        if let policy { options.sharedMergePolicy = policy }
        return try await ManagedDocument.open(
            at: Self.url, model: SharingModel.classes, options: options, sharing: log,
            files: files)
    }

    private func titles(of document: ManagedDocument) throws -> [String] {
        try ManagedObjectContext(document.store).fetch(FetchRequest<Trip>()).map(\.title).sorted()
    }

    @Test
    func `a save that failed at any step leaves nothing by which the document is an older one`()
        async throws
    {
        var isDone = false
        for failing in 0..<100 where !isDone {
            let (log, files) = (MemorySharedLog(), CrashingFiles())
            let other = try await open(CrashingFiles(), log.connection())
            let link = log.connection()
            let document = try await open(files, link)
            Trip(context: other.viewContext).title = "Alps"
            try await other.save(durability: .shared)
            try await document.sharing?.synchronize()
            try await document.save(durability: .disk)
            // Who could not reach the log asks it first, and so begins the outbox elsewhere afterwards.
            link.cut()
            try? await document.sharing?.synchronize()
            Trip(context: document.viewContext).title = "Baltic"
            let steps = Counter()
            files.fail { _ in
                defer { steps.count() }
                return steps.value == failing ? 5 : nil
            }
            try? await document.save(durability: .disk)
            isDone = steps.value <= failing
            files.mend()
            link.heal()
            Trip(context: other.viewContext).title = "Crete"
            try await other.save(durability: .shared)
            try await document.sharing?.synchronize()
            Trip(context: document.viewContext).title = "Delphi"
            try await document.save(durability: .shared)
            try await document.close()
            link.cut()
            let again = try await open(files, link)
            #expect(
                try titles(of: again) == ["Alps", "Baltic", "Crete", "Delphi"],
                "step \(failing) failed")
        }
        #expect(isDone)
    }

    @Test(arguments: [ManagedDocument.Durability.system, .disk], 0..<UInt64(8))
    func `a document opens after a power cut while a save follows commits of others`(
        durability: ManagedDocument.Durability, seed: UInt64
    ) async throws {
        let (log, files) = (MemorySharedLog(), CrashingFiles())
        let other = try await open(CrashingFiles(), log.connection())
        let document = try await open(files, log.connection())
        Trip(context: other.viewContext).title = "Alps"
        try await other.save(durability: .shared)
        // In the store, and in no file.
        try await document.sharing?.synchronize()
        let before = files.stepCount
        Trip(context: document.viewContext).title = "Baltic"
        try await document.save(durability: durability)
        for steps in before...files.stepCount {
            let found = try await open(
                files.afterPowerCut(after: steps, seed: seed), log.connection())
            let titles = try titles(of: found)
            #expect([[], ["Alps"], ["Alps", "Baltic"]].contains(titles), "after \(steps) steps")
            if durability == .disk, steps == files.stepCount { #expect(titles.count == 2) }
        }
    }

    // MARK: - Refused commits

    /// A document whose commit, which deletes a trip, was refused; by now nothing would keep the log from having it.
    private nonisolated(nonsending) func refused(
        _ files: CrashingFiles, _ log: MemorySharedLog, withEarlierOne: Bool = false
    ) async throws -> ManagedDocument {
        let other = try await open(CrashingFiles(), log.connection())
        let document = try await open(files, log.connection())
        let trip = Trip(context: other.viewContext)
        trip.title = "Alps"
        try await other.save(durability: .shared)
        try await document.sharing?.synchronize()
        document.viewContext.refreshAllObjects()
        if withEarlierOne {
            // The stop becomes that of the other.
            Stop(context: document.viewContext).code = "a"
            Stop(context: other.viewContext).code = "a"
            Trip(context: document.viewContext).title = "Baltic"
            try await document.save(durability: .disk)
        }
        for trip in try document.viewContext.fetch(FetchRequest<Trip>()) where trip.title == "Alps"
        {
            document.viewContext.delete(trip)
        }
        try await document.save(durability: withEarlierOne ? .memory : .disk)
        let guest = SharingModel.Guest(context: other.viewContext)
        guest.trip = trip
        try await other.save(durability: .shared)
        try await document.sharing?.synchronize()
        #expect(document.sharing?.conflicts.count == 1)
        other.viewContext.delete(guest)
        try await other.save(durability: .shared)
        return document
    }

    @Test(arguments: 0..<UInt64(8), [false, true])
    func `what was refused stays refused after a power cut, and what comes later does not`(
        seed: UInt64, withEarlierOne: Bool
    ) async throws {
        for isPowerCut in [false, true] {
            let (log, files) = (MemorySharedLog(), CrashingFiles())
            let document = try await refused(files, log, withEarlierOne: withEarlierOne)
            let found =
                isPowerCut
                ? files.afterPowerCut(after: files.stepCount, seed: seed)
                : files.afterProcessDeath()
            let link = log.connection()
            var again = try await open(found, link)
            link.cut()
            Trip(context: again.viewContext).title = "Crete"
            try await again.save(durability: .disk)
            again = try await open(found.afterProcessDeath(), log.connection())
            try await again.sharing?.synchronize()
            #expect(try titles(of: again).first == "Alps")
            #expect(try titles(of: again).contains("Crete"))
            #expect(try titles(of: again).contains("Baltic") == withEarlierOne)
            #expect(again.sharing?.conflicts.count == 1)
            #expect(again.sharing?.state == .upToDate)
            try await document.close()
        }
    }

    @Test(arguments: 0..<UInt64(8))
    func `what was refused and dismissed is not made again after a power cut`(
        seed: UInt64
    ) async throws {
        let (log, files) = (MemorySharedLog(), CrashingFiles())
        let document = try await refused(files, log)
        let before = files.stepCount
        if let conflict = document.sharing?.conflicts.first { document.sharing?.dismiss(conflict) }
        try await document.save(durability: .disk)
        try await document.compact()
        let dismissed = files.stepCount
        try await document.close()
        for steps in before...files.stepCount {
            let found = files.afterPowerCut(after: steps, seed: seed)
            let again = try await open(found, log.connection())
            let count = again.sharing?.conflicts.count
            try await again.sharing?.synchronize()
            #expect(try titles(of: again) == ["Alps"], "after \(steps) steps")
            #expect(count == again.sharing?.conflicts.count)
            if steps >= dismissed { #expect(count == 0) }
        }
    }

    @Test func `what was dismissed after a crash stays so, also as long as no log is reached`()
        async throws
    {
        let (log, files) = (MemorySharedLog(), CrashingFiles())
        _ = try await refused(files, log)
        let (found, link) = (files.afterProcessDeath(), log.connection())
        for isFirst in [true, false] {
            let again = try await open(found, link)
            link.cut()
            if isFirst, let conflict = again.sharing?.conflicts.first {
                again.sharing?.dismiss(conflict)
            }
            #expect(again.sharing?.conflicts.isEmpty == true)
            try await again.close()
        }
        link.heal()
        let again = try await open(found, link)
        try await again.sharing?.synchronize()
        #expect(again.sharing?.conflicts.isEmpty == true)
        #expect(try titles(of: again) == ["Alps"])
        try await again.close()
        #expect(try !found.list(FilePath(Self.url)).contains("conflicts.jsonl"))
    }

    @Test(arguments: 0..<UInt64(8))
    func `the newest file of commits goes last: older ones have what became others, or was refused`(
        seed: UInt64
    ) async throws {
        let (log, files) = (MemorySharedLog(), CrashingFiles())
        let other = try await open(CrashingFiles(), log.connection())
        let document = try await open(files, log.connection())
        for code in ["a", "b"] {
            for title in ["Baltic", "Crete"] {
                Trip(context: document.viewContext).title = title
                let stop = try document.viewContext.findOrInsert(Stop.self, \.code, code)
                stop.title = title
                try await document.save(durability: .disk)
            }
            _ = try other.viewContext.findOrInsert(Stop.self, \.code, code)
            try await other.save(durability: .shared)
            // The new stop becomes that of the other, so both commits become one.
            try await document.sharing?.synchronize()
        }
        #expect(log.commits.count == 4)
        let before = files.stepCount
        try await document.close()
        for steps in before...files.stepCount {
            let found = files.afterPowerCut(after: steps, seed: seed)
            let names = try found.list(FilePath(Self.url)).filter { $0.hasPrefix("outbox-") }
            #expect(names.isEmpty || names.contains("outbox-3.jsonl"), "after \(steps) steps")
        }
    }

    // MARK: - Commits that the log has

    @Test(
        arguments: 0..<UInt64(8), [MergePolicy.error, .rollback, .mergeByPropertyStoreTrump])
    func `nobody's commits conflict with their own, also where a base stands for some of them`(
        seed: UInt64, policy: MergePolicy
    ) async throws {
        let (log, files) = (MemorySharedLog(), CrashingFiles())
        let document = try await open(files, log.connection(), policy)
        let trip = Trip(context: document.viewContext)
        for title in ["Alps", "Baltic", "Crete", "Delphi", "Elba"] {
            trip.title = title
            try await document.save(durability: .disk)
        }
        try await document.sharing?.synchronize()
        // Somebody who knows of three of them keeps a base.
        log.advance(by: .seconds(11))
        let other = try await open(
            CrashingFiles(), WatchedLog(log.connection(), showingUpTo: 3))
        try await other.compact()
        try await other.sharing?.synchronize()
        #expect(log.commits.map(\.number) == [3, 4, 5])
        trip.title = "Faial"
        try await document.save(durability: .disk)
        let found = files.afterPowerCut(after: files.stepCount, seed: seed)
        let again = try await open(found, log.connection(), policy)
        try await again.sharing?.synchronize()
        #expect(again.sharing?.conflicts.isEmpty == true)
        #expect(try titles(of: again) == ["Faial"])
        #expect(log.commits.map(\.number) == [3, 4, 5, 6])
    }
}
