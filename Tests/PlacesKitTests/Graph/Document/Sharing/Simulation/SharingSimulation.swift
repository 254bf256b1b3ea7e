import Foundation
import PlacesKit
import PlacesKitTesting

/// Members that share a document, with all that can happen to them, in an order that one seed decides.
///
/// Their disks, clocks and ways to the log are simulated. Nothing happens at the same time: while a request is on its
/// way to the log, or an answer on its way back, others have their turn inside of it. So a seed always gives the same run.
///
/// NB: it is safe on any thread since all of it happens one thing after the other.
final class SharingSimulation: @unchecked Sendable {
    /// A promise that is broken on purpose, for a simulation that does not find it proves nothing.
    enum Fault: CaseIterable {
        /// The log adds commits that were made before others came, so nobody makes them again.
        case addsWhatOthersDoNotGoInto
        /// A connection says that commits are in the log, and hands them over with the next request.
        case answersBeforeItCommits
        /// An answer of the log has all commits but one.
        case skipsAPosition
        /// A member reports saves before they are on disk.
        case reportsBeforeTheDisk
    }

    let fault: Fault?
    let log: SimulatedLog
    var random: SeededGenerator
    private(set) var members: [SimulatedMember] = []
    private(set) var failure: SimulationFailure?
    private(set) var trace: [String] = []
    /// How many requests are on their way, each within the one before it.
    private var depth = 0
    /// Whether all goes well from now on.
    var isHealing = false
    private(set) var receiptCount = 0

    private init(seed: UInt64, _ fault: Fault?) {
        self.fault = fault
        random = SeededGenerator(seed: seed)
        log = SimulatedLog(seed: seed)
    }

    /// Runs a simulation; returns what it found, with the last steps that led to it.
    static func finding(
        seed: UInt64, fault: Fault? = nil, steps: Int = 60
    ) async -> String? {
        let simulation = SharingSimulation(seed: seed, fault)
        defer { simulation.end() }
        do {
            try await simulation.run(steps)
            return nil
        } catch {
            let last = simulation.trace.suffix(60).joined(separator: "\n")
            return "seed \(seed): \(error)\n\(last)"
        }
    }

    private nonisolated(nonsending) func run(_ steps: Int) async throws {
        for _ in 0..<3 { try await join() }
        for _ in 0..<steps {
            if members.count < 5, random.oneIn(30) { try await join() }
            await act()
            if let failure { throw failure }
        }
        try await heal()
        try await checkMembers()
        try checkReceipts()
    }

    /// Lets go of all documents, which lead back here by their connections.
    private func end() {
        for member in members { member.crash(using: &random) }
    }

    /// Adds a member, which has opened its document.
    nonisolated(nonsending) func join() async throws {
        let member = SimulatedMember(
            "\(members.count)", log.memory.connection(), using: &random)
        members.append(member)
        for _ in 0..<100 where member.process == nil {
            await perform("join", member) { try await member.open(self) }
            if let failure { throw failure }
        }
        if log.models.isEmpty { try log.learn(member.journal()) }
    }

    /// Lets others have their turn, as the seed wants it.
    nonisolated(nonsending) func interleave() async {
        guard !isHealing, !log.models.isEmpty, failure == nil, depth < 3, random.oneIn(4) else {
            return
        }
        depth += 1
        defer { depth -= 1 }
        for _ in 0..<Int.random(in: 1...3, using: &random) where failure == nil { await act() }
    }

    // MARK: - Findings

    /// Keeps the first finding: it may turn up where the document would take it for an error of the log.
    func fail(_ reason: String) {
        if failure == nil { failure = SimulationFailure(reason) }
    }

    func note(_ step: String) {
        trace.append(String(repeating: "    ", count: depth) + step)
    }

    func noteLog() {
        do { try log.note() } catch { fail("\(error)") }
    }

    /// Does something that may fail since the log is not reached, or the process is gone by then.
    nonisolated(nonsending) func perform(
        _ step: String, _ member: SimulatedMember,
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async {
        note("\(member.name): \(step)")
        let process = member.process
        var hasFailingDisk = member.hasFailingDisk
        do {
            try await body()
        } catch is MemorySharedLog.Failure {
            note("\(member.name): \(step) did not reach the log")
        } catch {
            let isGone = error is SimulatedConnection.Killed || process?.isGone ?? false
            hasFailingDisk = hasFailingDisk || member.hasFailingDisk
            if hasFailingDisk {
                note("\(member.name): \(step) failed: \(error)")
            } else if !isGone {
                fail("\(step) of member \(member.name): \(error)")
            }
        }
        do {
            try member.process?.document?.viewContext.checkIntegrity()
            try member.process?.document?.store.snapshot().checkIntegrity()
            try member.checkJournals()
        } catch {
            fail("after \(step) of member \(member.name): \(error)")
        }
    }

    /// The receipt of the next save.
    func nextReceipt() -> String {
        receiptCount += 1
        return "receipt \(receiptCount)"
    }
}
