import Foundation
import PlacesKit
import PlacesKitTesting

/// The log of a simulation: one in memory whose answers and notices go wrong, and all that it ever had.
///
/// Each commit is made a second time, from its line, by the model that follows the article about the format.
///
/// NB: it is safe on any thread since all of a simulation happens one thing after the other.
final class SimulatedLog: @unchecked Sendable {
    let memory: MemorySharedLog
    /// All commits, also those that the log has forgotten.
    private(set) var history: [SharedCommit] = []
    /// What the model had after each of them, from none on.
    private(set) var models: [StoredLog] = []
    private var ids: Set<SharedCommit.ID> = []

    init(seed: UInt64) {
        let rate = [0, 0.1, 0.3][Int(seed % 3)]
        memory = MemorySharedLog(faultRate: rate, using: SeededGenerator(seed: seed &+ 1))
    }

    /// Learns the schema from any member's journal.
    func learn(_ journal: [UInt8]) throws {
        if models.isEmpty { models = [try StoredLog(journal: journal)] }
    }

    /// Takes note of what the log has got; called before it can forget any of that.
    ///
    /// - Throws: What the log or a commit in it contradicts.
    func note() throws {
        for commit in memory.commits {
            guard commit.number > history.count else {
                guard history[commit.number - 1].line == commit.line else {
                    throw SimulationFailure("commit \(commit.number) of the log has changed")
                }
                continue
            }
            guard commit.number == history.count + 1, var model = models.last else {
                throw SimulationFailure("the log goes from \(history.count) to \(commit.number)")
            }
            guard ids.insert(commit.id).inserted else {
                throw SimulationFailure("commit \(commit.id) is in the log twice")
            }
            try model.apply(commit.line, memory.bytes)
            history.append(commit)
            models.append(model)
        }
    }

    /// How many commits of the log brought a receipt.
    func count(of receipt: String) -> Int {
        // No receipt is ever deleted.
        models.last?.count(of: "Receipt", with: "name", receipt) ?? 0
    }
}
