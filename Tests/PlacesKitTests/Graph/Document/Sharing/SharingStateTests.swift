import Foundation
import Observation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// What a shared document says of how far it is, and what it does about it.
@Suite(.serialized, .endsWaiting) struct SharingStateTests {
    private typealias Trip = SharingModel.Trip

    @Test func `a document tries again after a request that somebody asked for and that failed`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let other = SharingMember(directory.appending(path: "other"), log)
            try await other.open()
            let (link, clock) = (log.connection(), ManualClock())
            let document = try await ManagedDocument.open(
                at: directory.appending(path: "document"), model: SharingModel.classes,
                options: .savedByHand { $0.clock = clock },
                sharing: WatchedLog(link, isTelling: false))
            let sharing = try #require(document.sharing)
            // It has asked what the log has, and nobody tells it of more.
            Trip(context: document.viewContext).title = "Alps"
            try await document.save(durability: .shared)
            var commits = document.store.commits.makeAsyncIterator()
            link.cut()
            await #expect(throws: MemorySharedLog.Failure.self) { try await sharing.synchronize() }
            await clock.waitForSleepers()
            link.heal()
            let trip = Trip(context: try other.context)
            try await other.opened.save(durability: .shared)
            clock.advance(by: .seconds(1))
            #expect(await commits.next()?.objects.inserted == [trip.objectID])
            try await document.close()
        }
    }

    @Test func `a document tries again after a log threw a cancellation that is nobody's`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let (log, clock) = (MemorySharedLog(), ManualClock())
            let isCancelling = Mutex(false)
            let link = WatchedLog(log.connection()) {
                let throwsNow = isCancelling.withLock { isCancelling in
                    defer { isCancelling = false }
                    return isCancelling
                }
                if throwsNow { throw CancellationError() }
            }
            let document = try await ManagedDocument.open(
                at: directory.appending(path: "document"), model: SharingModel.classes,
                options: .savedByHand { $0.clock = clock }, sharing: link)
            let sharing = try #require(document.sharing)
            try await sharing.synchronize()
            isCancelling.withLock { $0 = true }
            Trip(context: document.viewContext).title = "Alps"
            try await document.save()
            try await wait {
                if case .offline = sharing.state { true } else { false }
            }
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            try await wait { sharing.state == .upToDate }
            #expect(log.commits.count == 1)
            try await document.close()
        }
    }

    @Test func `a folder that does not answer for a moment is tried again, and nothing is lost`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let (log, clock, files) = (MemorySharedLog(), ManualClock(), SilentFiles())
            let other = SharingMember(directory.appending(path: "other"), log)
            try await other.open()
            let document = try await ManagedDocument.open(
                at: directory.appending(path: "document"), model: SharingModel.classes,
                options: .savedByHand { $0.clock = clock },
                sharing: log.connection(), files: files)
            let sharing = try #require(document.sharing)
            Trip(context: document.viewContext).title = "Alps"
            try await document.save(durability: .shared)
            try await other.synchronize()
            files.silence(true)
            // What waits can only be written after what others committed.
            try await share("Baltic", by: other)
            Trip(context: document.viewContext).title = "Crete"
            try document.viewContext.save()
            try await wait {
                if case .offline = sharing.state { true } else { false }
            }
            await clock.waitForSleepers()
            files.silence(false)
            clock.advance(by: .seconds(1))
            try await wait { sharing.state == .upToDate }
            try await other.synchronize()
            #expect(log.commits.count == 3)
            #expect(try other.content() == document.store.content())
            try await document.close()
        }
    }

    /// A log that can't be read at times.
    private final class DamagedLog: LogRelay {
        let log: any SharedLog
        private let isDamaged = Mutex(false)

        init(_ log: any SharedLog) { self.log = log }

        func damage(_ isDamaged: Bool) { self.isDamaged.withLock { $0 = isDamaged } }

        func commits(after number: Int) async throws -> [SharedCommit] {
            if isDamaged.withLock(\.self) { throw DocumentError.incomplete(file: "the log") }
            return try await log.commits(after: number)
        }
    }

    private nonisolated(nonsending) func share(
        _ title: String, by member: SharingMember
    ) async throws {
        Trip(context: try member.context).title = title
        try await member.opened.save(durability: .shared)
    }

    @Test func `a document that was stopped shares by itself again when it was synchronized`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let other = SharingMember(directory.appending(path: "other"), log)
            try await other.open()
            let link = DamagedLog(log.connection())
            let document = try await ManagedDocument.open(
                at: directory.appending(path: "document"), model: SharingModel.classes,
                options: .savedByHand { $0.clock = ManualClock() }, sharing: link)
            let (sharing, store) = (try #require(document.sharing), document.store)
            try await share("Alps", by: other)
            try await wait { store.commitNumber == 1 }
            link.damage(true)
            try await share("Baltic", by: other)
            try await wait {
                if case .stopped = sharing.state { true } else { false }
            }
            link.damage(false)
            try await sharing.synchronize()
            #expect(store.commitNumber == 2)
            #expect(sharing.state == .upToDate)
            try await share("Crete", by: other)
            try await wait { store.commitNumber == 3 }
            try await document.close()
        }
    }

    @Test func `observers are told that a save waits for the log, and that it waits no more`()
        async throws
    {
        try await withTwoMembers { first, _, _ in
            let told = ToldStates(try first.sharing)
            for title in ["Alps", "Baltic"] {
                told.observe()
                Trip(context: try first.context).title = title
                try await first.opened.save()
            }
            told.observe()
            try await first.synchronize()
            #expect(told.states == [.behind(1), .behind(2), .upToDate])
        }
    }

    @Test func `an observer who is told of a save may ask the store`() async throws {
        try await withTwoMembers { first, _, _ in
            let (sharing, store) = (try first.sharing, try first.opened.store)
            let seen = Mutex<Int?>(nil)
            withObservationTracking {
                _ = sharing.state
            } onChange: {
                seen.withLock { $0 = store.commitNumber }
            }
            Trip(context: try first.context).title = "Alps"
            try await first.opened.save()
            #expect(seen.withLock(\.self) == 1)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a commit of a clock that gave no date is known again`(seconds: Double) async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let member = SharingMember(directory.appending(path: "member"), log)
            let document = try await ManagedDocument.open(
                at: member.url, model: SharingModel.classes,
                options: .exchangedByHand {
                    $0.now = { Date(timeIntervalSinceReferenceDate: seconds) }
                },
                sharing: log.connection())
            Trip(context: document.viewContext).title = "Alps"
            try await document.save(durability: .shared)
            try await document.close()
            try await member.open()
            try await member.synchronize()
            #expect(try member.sharing.state == .upToDate)
        }
    }
}
