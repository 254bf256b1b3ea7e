import Foundation
import PlacesKit
import PlacesKitTesting

extension SharingSimulation {
    /// Lets some member do something, or something happen to it.
    nonisolated(nonsending) func act() async {
        guard let member = members.randomElement(using: &random) else { return }
        if random.oneIn(6) { log.memory.advance(by: .seconds(6)) }
        if random.oneIn(8) { member.clock.jump(by: jump()) }
        if member.hasFailingDisk ? random.oneIn(4) : random.oneIn(60) {
            note("\(member.name): disk fails, or works again")
            if member.hasFailingDisk { member.mendDisk() } else { member.breakDisk(using: &random) }
        }
        guard let process = member.process else {
            return await perform("open", member) { try await member.open(self) }
        }
        guard process.document != nil else {
            // Opening waits for the log.
            if random.oneIn(4) { crash(member) }
            return
        }
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<8: await save(member, process)
        case 8..<13 where !process.isAsking: await synchronize(member)
        case 13, 14:
            note("\(member.name): cut or healed")
            if member.link.isReachable { member.link.cut() } else { member.link.heal() }
        case 15: await writeAll("flush", member, process) { try await process.opened.flush() }
        case 16, 17:
            await writeAll("compact", member, process) { try await process.opened.compact() }
        case 18: process.document?.viewContext.refreshAllObjects()
        case 19: crash(member)
        case 20: await crashWhileWriting(member, process)
        case 21: await perform("dismiss", member) { try dismiss(member, process) }
        case 22, 23:
            await perform("close", member) {
                try process.opened.viewContext.rollback()
                do {
                    try await member.close()
                } catch  where member.hasFailingDisk {
                    member.crash(using: &random)
                }
            }
            if random.oneIn(2) { await perform("open", member) { try await member.open(self) } }
        default: break
        }
    }

    /// By how many seconds a clock goes wrong: some, days, or centuries.
    private func jump() -> Double {
        let limit: Double = [100, 1e6, 1e10].randomElement(using: &random) ?? 1
        return .random(in: -limit...limit, using: &random)
    }

    private func crash(_ member: SimulatedMember) {
        note("\(member.name): crash")
        member.crash(using: &random)
    }

    private func dismiss(_ member: SimulatedMember, _ process: SimulatedProcess) throws {
        let conflict = try process.opened.sharing?.conflicts.randomElement(using: &random)
        if let conflict { try member.dismiss(conflict) }
    }

    // MARK: - Saving

    private nonisolated(nonsending) func save(
        _ member: SimulatedMember, _ process: SimulatedProcess
    ) async {
        let all = [ManagedDocument.Durability.memory, .system, .disk]
        let durability =
            (process.isAsking ? all : all + [.shared]).randomElement(using: &random) ?? .disk
        let receipt = nextReceipt()
        await perform("save \(receipt), \(durability)", member) {
            let document = try process.opened
            try edit(document.viewContext, receipt)
            if durability == .shared { process.isAsking = true }
            defer { if durability == .shared { process.isAsking = false } }
            process.pending.insert(receipt)
            let pending = process.pending
            do {
                let isEarly = fault == .reportsBeforeTheDisk && durability == .disk
                try await document.save(durability: isEarly ? .system : durability)
            } catch is ContextError {
                // A rule of the model: the edits are given up.
                note("\(member.name): \(receipt) breaks a rule")
                process.pending.remove(receipt)
                return document.viewContext.rollback()
            } catch DocumentError.refused {
                let isKnown =
                    member.dismissed.contains(receipt)
                    || !(document.sharing?.conflicts.isEmpty ?? true)
                guard isKnown || process.isGone else {
                    throw SimulationFailure("\(receipt) is refused, and no conflict is there")
                }
                return
            }
            guard !process.isGone, durability == .disk || durability == .shared else { return }
            member.acknowledge(pending)
            if durability == .shared, log.count(of: receipt) == 0 {
                throw SimulationFailure("\(receipt) is reported to be in the log, and is not")
            }
        }
    }

    /// Does what leaves all saves on disk.
    private nonisolated(nonsending) func writeAll(
        _ step: String, _ member: SimulatedMember, _ process: SimulatedProcess,
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async {
        await perform(step, member) {
            try await body()
            member.acknowledge(process.pending)
        }
    }

    /// Lets the power go while files are written; nobody was told of what was done by then.
    private nonisolated(nonsending) func crashWhileWriting(
        _ member: SimulatedMember, _ process: SimulatedProcess
    ) async {
        let receipt = nextReceipt()
        await perform("save \(receipt), and crash", member) {
            let document = try process.opened
            try edit(document.viewContext, receipt)
            do {
                try await document.save()
                if random.oneIn(2) { try await document.compact() }
                if random.oneIn(3) { try await document.close() }
            } catch is ContextError {
            }
            member.crash(using: &random)
        }
    }

    /// Brings everything in both directions, and looks at what the member has then.
    nonisolated(nonsending) func synchronize(_ member: SimulatedMember) async {
        guard let process = member.process else { return }
        let number = log.history.count
        await perform("synchronize", member) {
            process.isAsking = true
            defer { process.isAsking = false }
            let sharing = try process.opened.sharing
            try await sharing?.synchronize()
            guard !process.isGone, sharing?.state == .upToDate else { return }
            try checkModel(member, from: number)
        }
    }

    // MARK: - Editing

    private func edit(_ context: ManagedObjectContext, _ receipt: String) throws {
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            try SharingEdits.change(context, receipt, using: &random)
        }
        let made = SimulatedMember.Receipt(context: context)
        made.name = receipt
        if random.oneIn(4) {
            let count = random.oneIn(3) ? 40 : 400
            made.page = Data(repeating: .random(in: 0...7, using: &random), count: count)
        }
    }
}

extension SeededGenerator {
    /// Whether something happens that happens once in so many times.
    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
