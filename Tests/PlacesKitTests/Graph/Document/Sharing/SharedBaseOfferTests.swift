import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// When a document gives its log a base.
@Suite struct SharedBaseOfferTests {
    private typealias Trip = SharingModel.Trip

    /// A way to a log that counts the bases which it is to keep, and can refuse them.
    private final class KeepingLog: LogRelay {
        let log: any SharedLog
        private let offered = Mutex<[Int]>([])
        private let isRefusing = Atomic(false)
        private let isMute = Atomic(false)

        init(_ log: any SharedLog) { self.log = log }

        /// The commits of the bases which it was to keep.
        var offers: [Int] { offered.withLock(\.self) }

        func refuse(_ isRefusing: Bool) {
            self.isRefusing.store(isRefusing, ordering: .sequentiallyConsistent)
        }

        /// Lets nobody know that it has kept a base.
        func loseAnswers(_ isMute: Bool) {
            self.isMute.store(isMute, ordering: .sequentiallyConsistent)
        }

        func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {
            offered.withLock { $0.append(base.number) }
            guard !isRefusing.load(ordering: .sequentiallyConsistent) else {
                throw MemorySharedLog.Failure.notReached
            }
            try await log.keep(base, forgettingAfter: age)
            guard !isMute.load(ordering: .sequentiallyConsistent) else {
                throw MemorySharedLog.Failure.notReached
            }
        }
    }

    /// Opens a document that has a commit, a snapshot, and its base in the log.
    private nonisolated(nonsending) func open(_ log: KeepingLog) async throws -> ManagedDocument {
        let document = try await ManagedDocument.open(
            at: URL(filePath: "/Trips", directoryHint: .notDirectory), model: SharingModel.classes,
            options: .exchangedByHand(), sharing: log, files: CrashingFiles())
        try await share(1, document)
        try await compact(document)
        #expect(log.offers == [1])
        return document
    }

    private nonisolated(nonsending) func share(
        _ count: Int, _ document: ManagedDocument
    ) async throws {
        for number in 0..<count {
            Trip(context: document.viewContext).title = "Trip \(number)"
            try await document.save(durability: .shared)
        }
        try await document.sharing?.synchronize()
    }

    private nonisolated(nonsending) func compact(_ document: ManagedDocument) async throws {
        try await document.compact()
        try await document.sharing?.synchronize()
    }

    @Test func `a document that is up to date when it writes a snapshot gives the log a base`()
        async throws
    {
        let log = KeepingLog(MemorySharedLog().connection())
        let document = try await open(log)
        try await share(3, document)
        try await compact(document)
        #expect(try await log.base(after: 0)?.number == 4)
        // There is no more to tell by another one.
        try await compact(document)
        try await share(1, document)
        #expect(log.offers == [1, 4])
        try await compact(document)
        #expect(log.offers == [1, 4, 5])
    }

    @Test func `a base that the log could not keep comes without another snapshot`() async throws {
        let log = KeepingLog(MemorySharedLog().connection())
        let document = try await open(log)
        try await share(3, document)
        log.refuse(true)
        try await compact(document)
        #expect(log.offers == [1, 4])
        log.refuse(false)
        try await share(15, document)
        #expect(try await log.base(after: 1) == nil)
        try await share(1, document)
        #expect(try await log.base(after: 1)?.number == 20)
        try await share(100, document)
        #expect(log.offers == [1, 4, 20])
    }

    @Test func `a base that the log has kept without an answer is not made again`() async throws {
        let log = KeepingLog(MemorySharedLog().connection())
        let document = try await open(log)
        try await share(3, document)
        log.loseAnswers(true)
        try await compact(document)
        #expect(try await log.base(after: 0)?.number == 4)
        log.loseAnswers(false)
        for _ in 0..<30 { try await share(1, document) }
        #expect(log.offers == [1, 4])
        // After the next snapshot it is an old one.
        try await compact(document)
        #expect(log.offers == [1, 4, 34])
    }

    @Test func `a log that keeps no base is asked seldom`() async throws {
        let log = KeepingLog(MemorySharedLog().connection())
        let document = try await open(log)
        log.refuse(true)
        try await share(1, document)
        try await compact(document)
        for _ in 0..<200 { try await share(1, document) }
        #expect(log.offers == [1, 2, 18, 50, 114])
        try await compact(document)
        #expect(log.offers.last == 202)
    }
}
