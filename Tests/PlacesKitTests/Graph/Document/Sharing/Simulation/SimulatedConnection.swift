import Foundation
import PlacesKit
import PlacesKitTesting

/// The way from one process to the log: while a request or its answer is on the way, others have their turn.
///
/// NB: it is safe on any thread since all of a simulation happens one thing after the other.
final class SimulatedConnection: SharedLog, @unchecked Sendable {
    /// The process is no more, so it neither asks nor hears.
    struct Killed: Error {}

    private let simulation: SharingSimulation
    private let process: SimulatedProcess
    private let link: MemorySharedLog.Connection
    /// What was told earlier, by the number after which it comes.
    private var told: [Int: [SharedCommit]] = [:]
    /// What was said to be in the log, and is on its way there, by a planted fault.
    private var promised: (commits: [SharedCommit], after: Int)?

    init(
        _ simulation: SharingSimulation, _ process: SimulatedProcess,
        _ link: MemorySharedLog.Connection
    ) {
        (self.simulation, self.process, self.link) = (simulation, process, link)
    }

    /// Asks, with others before and after.
    private func request<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        guard !process.isKilled else { throw Killed() }
        process.noteSeen()
        await simulation.interleave()
        // What a process sent before it was killed may arrive nevertheless.
        guard !process.isKilled || simulation.random.oneIn(2) else { throw Killed() }
        try await keepPromise()
        let answer: Result<Answer, any Error>
        do { answer = .success(try await ask()) } catch { answer = .failure(error) }
        simulation.noteLog()
        // The answer is what it was, however late it comes.
        await simulation.interleave()
        guard !process.isKilled else { throw Killed() }
        return try answer.get()
    }

    func claimRange() async throws -> Int { try await request { try await link.claimRange() } }

    func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
        try await request {
            switch simulation.fault {
            case .answersBeforeItCommits:
                guard try await link.commits(after: number).isEmpty else { return false }
                promised = (commits, number)
                return true
            case .addsWhatOthersDoNotGoInto:
                _ = try await link.append(commits, after: number)
                return true
            default: return try await link.append(commits, after: number)
            }
        }
    }

    private func keepPromise() async throws {
        guard let (commits, number) = promised, !process.isKilled else { return }
        _ = try await link.append(commits, after: number)
        promised = nil
    }

    func commits(after number: Int) async throws -> [SharedCommit] {
        try await request {
            // An answer may come again: it is the beginning of what there is now.
            if let told = told[number], simulation.random.oneIn(4), link.isReachable { return told }
            var commits = try await link.commits(after: number)
            if simulation.fault == .skipsAPosition, commits.count > 2 { commits.remove(at: 1) }
            if !commits.isEmpty { told[number] = commits }
            return commits
        }
    }

    func base(after number: Int) async throws -> SharedBase? {
        try await request { try await link.base(after: number) }
    }

    func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {
        try await request { try await link.keep(base, forgettingAfter: age) }
    }

    /// Nobody is told: members ask when the seed says so.
    func arrivals() -> AsyncStream<Int?> { AsyncStream { $0.finish() } }
}
