import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Shared documents on a disk whose power goes.
@Suite struct SharedCrashTests {
    private typealias Trip = SharingModel.Trip
    private static let url = URL(filePath: "/Trips", directoryHint: .notDirectory)

    private nonisolated(nonsending) func open(
        _ files: CrashingFiles, _ log: MemorySharedLog.Connection
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: Self.url, model: SharingModel.classes, options: .doingNothingByItself,
            sharing: log, files: files)
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
}
