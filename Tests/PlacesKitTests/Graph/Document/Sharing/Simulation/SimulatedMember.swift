import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization

/// One of those who share the document of a simulation: a disk, a clock, and a process now and then.
final class SimulatedMember {
    static let url = URL(filePath: "/Trips", directoryHint: .notDirectory)
    static let classes = SharingModel.classes + [Receipt.self]

    /// What each save brings, so that it can be told from all others; nobody deletes it.
    final class Receipt: ManagedObject {
        @Attribute var name = ""
        @Attribute(.externalStorage) var page = Data()
    }

    let name: String
    let link: MemorySharedLog.Connection
    let clock: SimulatedClock
    private let keepsHistory: Bool
    private let policy: MergePolicy
    private let unsharedChangesLimit: Int
    private let rowsClearedAtOnce: Int
    private(set) var files = CrashingFiles()
    private(set) var process: SimulatedProcess?
    /// Whether some of what is written fails, or did.
    private(set) var hasFailingDisk = false
    private var hadFailingDisk = false
    /// The receipts of saves that were reported to be on disk, or in the log.
    private(set) var acknowledged: Set<String> = []
    /// The receipts of conflicts that were there when something was reported to be on disk.
    private(set) var refused: Set<String> = []
    /// The receipts of conflicts that were forgotten.
    private(set) var dismissed: Set<String> = []

    init(
        _ name: String, _ link: MemorySharedLog.Connection, using random: inout SeededGenerator
    ) {
        (self.name, self.link) = (name, link)
        clock = SimulatedClock(
            Date(timeIntervalSinceReferenceDate: .random(in: 0...1e9, using: &random)))
        keepsHistory = random.oneIn(3)
        unsharedChangesLimit = random.oneIn(2) ? 256 : .random(in: 0...3, using: &random)
        rowsClearedAtOnce = random.oneIn(4) ? 64 : 1
        let policies: [MergePolicy] = [
            .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback, .error,
        ]
        policy = random.oneIn(2) ? policies[0] : policies.randomElement(using: &random) ?? .error
    }

    /// How the document is opened: it does nothing by itself.
    var options: ManagedDocument.Options {
        var options = ManagedDocument.Options.exchangedByHand()
        options.sharedCommitAge = .seconds(10)
        options.sharedMergePolicy = policy
        options.unsharedChangesLimit = unsharedChangesLimit
        options.rowsClearedAtOnce = rowsClearedAtOnce
        options.keepsHistory = keepsHistory
        options.now = { [clock] in clock.now }
        options.onUnsavedChanges = { _ in }
        return options
    }

    /// Begins a process, and opens the document in it.
    nonisolated(nonsending) func open(_ simulation: SharingSimulation) async throws {
        let process = SimulatedProcess(files)
        self.process = process
        do {
            try await process.open(self, simulation)
        } catch {
            if self.process === process { self.process = nil }
            throw error
        }
    }

    /// Closes the document, and ends the process.
    nonisolated(nonsending) func close() async throws {
        guard let process else { return }
        try await process.opened.close()
        guard self.process === process, !process.isKilled else { return }
        acknowledge(process.pending)
        process.end(isKilled: false)
        self.process = nil
    }

    /// Kills the process; the system goes on, or has no power any more from some step on that nobody knows of.
    func crash(using random: inout SeededGenerator) {
        guard let process else { return }
        process.end(isKilled: true)
        self.process = nil
        let steps = Int.random(in: process.seenSteps...files.stepCount, using: &random)
        files =
            random.oneIn(3)
            ? files.afterProcessDeath()
            : files.afterPowerCut(after: steps, seed: random.next())
        mendDisk()
    }

    /// Any journal of the document.
    func journal() throws -> [UInt8] {
        let folder = FilePath(Self.url)
        let name = try files.list(folder).first { $0.hasPrefix("journal-") }
        return try files.read(folder.appending(name ?? "journal"))
    }

    /// Checks that whoever follows the document finds each commit behind the one before it: no journal begins before the end of
    /// the former one.
    func checkJournals() throws {
        // What a disk that fails took of a journal nobody trusts.
        guard !hadFailingDisk, process?.document != nil else { return }
        if let gap = try journalThatGoesBack(at: FilePath(Self.url), files) {
            throw SimulationFailure("member \(name): \(gap)")
        }
    }

    /// Takes note that what was saved by then is safe.
    func acknowledge(_ receipts: some Sequence<String>) {
        acknowledged.formUnion(receipts)
        refused.formUnion(process?.document?.sharing?.conflicts.flatMap(\.receipts) ?? [])
        process?.pending.subtract(receipts)
        process?.noteSeen()
    }

    /// Lets one of some steps of the disk fail, from now on: it is full, or broken.
    func breakDisk(using random: inout SeededGenerator) {
        (hasFailingDisk, hadFailingDisk) = (true, true)
        let odds = Int.random(in: 1...8, using: &random)
        let number: Int32 = random.oneIn(2) ? 28 : 5
        let luck = Mutex(SeededGenerator(seed: .random(in: 0 ... .max, using: &random)))
        files.fail { _ in luck.withLock { $0.oneIn(odds) } ? number : nil }
    }

    /// Lets the disk work again.
    func mendDisk() {
        hasFailingDisk = false
        files.mend()
    }

    /// Forgets a conflict.
    func dismiss(_ conflict: SharedConflict) throws {
        dismissed.formUnion(conflict.receipts)
        try process?.opened.sharing?.dismiss(conflict)
    }
}

/// A process of a member, which has the document open.
final class SimulatedProcess {
    private let files: CrashingFiles
    private(set) var document: ManagedDocument?
    /// Whether the document, or an exchange of it, waits for the log.
    var isAsking = false
    private(set) var isClosed = false
    private(set) var isKilled = false
    /// The receipts of saves that were not reported to be on disk.
    var pending: Set<String> = []
    /// How many steps of the disk others may know of, for the log was asked since, or a save was reported.
    private(set) var seenSteps: Int

    init(_ files: CrashingFiles) { (self.files, seenSteps) = (files, files.stepCount) }

    fileprivate nonisolated(nonsending) func open(
        _ member: SimulatedMember, _ simulation: SharingSimulation
    ) async throws {
        isAsking = true
        defer { isAsking = false }
        let opened = try await ManagedDocument.open(
            at: SimulatedMember.url, model: SimulatedMember.classes, options: member.options,
            sharing: SimulatedConnection(simulation, self, member.link), files: files)
        guard !isKilled else { throw SimulatedConnection.Killed() }
        document = opened
    }

    var isGone: Bool { isKilled || isClosed }

    var opened: ManagedDocument {
        get throws {
            guard let document else { throw SimulatedConnection.Killed() }
            return document
        }
    }

    func noteSeen() { if !isKilled { seenSteps = files.stepCount } }

    fileprivate func end(isKilled: Bool) {
        if isKilled { self.isKilled = true } else { isClosed = true }
        document = nil
    }
}

extension SharedConflict {
    /// The receipts of the saves that could not be made again.
    var receipts: [String] {
        change.inserted.compactMap { object in
            guard object.id.entity == "Receipt", case .string(let name)? = object.values["name"]
            else { return nil }
            return name
        }
    }
}
