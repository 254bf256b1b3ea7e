import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// An object that one deletes, and others bring back.
@Suite struct SharedReturnTests {
    private typealias Trip = SharingModel.Trip

    /// A way to a log that lets nothing in for a while.
    private final class Sluice: LogRelay {
        let log: any SharedLog
        private let isShut = Mutex(false)

        init(_ log: any SharedLog) { self.log = log }

        func set(shut: Bool) { isShut.withLock { $0 = shut } }

        func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
            if isShut.withLock(\.self) { throw MemorySharedLog.Failure.notReached }
            return try await log.append(commits, after: number)
        }
    }

    private nonisolated(nonsending) func open(
        _ url: URL, _ log: any SharedLog
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: SharingModel.classes,
            options: .exchangedByHand { $0.sharedMergePolicy = .overwrite }, sharing: log)
    }

    @Test(arguments: [false, true])
    func `an object that two bring back is one object, also for who was opened meanwhile`(
        isOpenedAgain: Bool
    ) async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let sluice = Sluice(log.connection())
            let first = try await open(directory.appending(path: "first"), log.connection())
            var second = try await open(directory.appending(path: "second"), sluice)
            let third = try await open(directory.appending(path: "third"), log.connection())
            let trip = Trip(context: first.viewContext)
            let id = trip.objectID
            try await first.save(durability: .shared)
            for (document, title) in [(second, "kept"), (third, "kept, too")] {
                try await document.sharing?.synchronize()
                document.viewContext.refreshAllObjects()
                try document.viewContext.fetch(FetchRequest<Trip>()).first?.title = title
                try document.viewContext.save()
            }
            first.viewContext.delete(trip)
            try await first.save(durability: .shared)

            // The second one brings it back, and can't tell anybody.
            sluice.set(shut: true)
            await #expect(throws: MemorySharedLog.Failure.self) {
                try await second.sharing?.synchronize()
            }
            if isOpenedAgain {
                try await second.compact()
                try await second.close()
                second = try await open(directory.appending(path: "second"), sluice)
            }
            try await third.sharing?.synchronize()
            sluice.set(shut: false)
            try await second.sharing?.synchronize()
            for document in [first, second, third] {
                try await document.sharing?.synchronize()
                #expect(document.store.snapshot().records.map(\.id) == [id])
                document.viewContext.refreshAllObjects()
                #expect(
                    try document.viewContext.fetch(FetchRequest<Trip>()).map(\.title) == ["kept"])
                try await document.close()
            }
        }
    }
}
