import Foundation
import PlacesKit
import PlacesKitTesting

extension SharingSimulation {
    /// Lets all members reach the log, and get what it has.
    nonisolated(nonsending) func heal() async throws {
        isHealing = true
        note("all is well again")
        log.memory.settle()
        noteLog()
        for member in members {
            member.link.heal()
            member.mendDisk()
        }
        for _ in 0..<2 {
            for member in members {
                if member.process == nil {
                    await perform("open", member) { try await member.open(self) }
                }
                member.process?.document?.viewContext.rollback()
                await synchronize(member)
                if let failure { throw failure }
            }
        }
    }

    /// Checks that all members hold what the model has, also when they were opened again, and whoever comes anew.
    nonisolated(nonsending) func checkMembers() async throws {
        try await join()
        if let newcomer = members.last { await synchronize(newcomer) }
        var content: [String]?
        for member in members {
            for isOpenedAgain in [false, true] {
                if isOpenedAgain { await openAgain(member) }
                if let failure { throw failure }
                guard let store = member.process?.document?.store else {
                    throw SimulationFailure("member \(member.name) is not open")
                }
                let found = try store.content()
                let others = content ?? found
                guard found == others else {
                    let (lacks, has) = (
                        Set(others).subtracting(found), Set(found).subtracting(others)
                    )
                    throw SimulationFailure(
                        "member \(member.name)\(isOpenedAgain ? ", opened again," : "") lacks \(lacks.sorted()) and has \(has.sorted())"
                    )
                }
                content = found
                try checkModel(member, from: log.history.count)
            }
        }
    }

    private nonisolated(nonsending) func openAgain(_ member: SimulatedMember) async {
        let closes = random.oneIn(2)
        if closes {
            await perform("close", member) { try await member.close() }
        } else {
            member.crash(using: &random)
        }
        await perform("open", member) { try await member.open(self) }
        // What was not on disk the log has.
        if !closes { await synchronize(member) }
    }

    /// Checks that a member holds what the model had after some commit, from one of a number on.
    func checkModel(_ member: SimulatedMember, from number: Int) throws {
        guard let snapshot = member.process?.document?.store.snapshot() else { return }
        var differences: [String] = []
        for model in log.models[number...].reversed() {
            differences = try model.differences(from: snapshot)
            if differences.isEmpty { return }
        }
        throw SimulationFailure(
            "member \(member.name) holds what the log had at no time from \(number) to \(log.history.count): \(differences)"
        )
    }

    /// Checks that each save that was reported to be safe is in the log once, or is a conflict, that what was refused is not
    /// there, and that no other one is there twice.
    func checkReceipts() throws {
        for member in members {
            if let receipt = member.refused.sorted().first(where: { log.count(of: $0) > 0 }) {
                throw SimulationFailure(
                    "\(receipt) of member \(member.name) was refused, and is there")
            }
            let conflicts = Set(
                member.process?.document?.sharing?.conflicts.flatMap(\.receipts) ?? [])
            for receipt in member.acknowledged.sorted() {
                let count = log.count(of: receipt)
                let isRefused = conflicts.contains(receipt)
                if count == 0, !isRefused, !member.dismissed.contains(receipt) {
                    throw SimulationFailure("\(receipt) of member \(member.name) is lost")
                }
                if count > 1 || count == 1 && isRefused {
                    throw SimulationFailure(
                        "\(receipt) of member \(member.name) is there \(count) times, \(isRefused ? "and" : "not") refused"
                    )
                }
            }
        }
        for number in 1...max(1, receiptCount) where log.count(of: "receipt \(number)") > 1 {
            throw SimulationFailure("receipt \(number) is there more than once")
        }
    }
}
