import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// Documents on a disk whose power goes at any instant.
@Suite struct PowerCutTests {
    /// How many instants are tried: few by default, 10,000 where all changes are checked.
    private static let cutPoints =
        ProcessInfo.processInfo.environment["PLACESKIT_CUT_POINTS"].flatMap(Int.init) ?? 100
    private static let cutsPerWorkload = 50

    @Test(arguments: 0..<UInt64(max(1, cutPoints / cutsPerWorkload)))
    func `after a power cut a document holds a prefix of its commits, with all that were on disk`(
        seed: UInt64
    ) async throws {
        var workload = PowerCutWorkload(seed: seed)
        try await workload.run(saves: 12)
        try await workload.check(cuts: Self.cutsPerWorkload)
    }

    @Test(arguments: 0..<UInt64(max(1, cutPoints / cutsPerWorkload / 3)))
    func `the same holds where the disk fails now and then`(seed: UInt64) async throws {
        var workload = PowerCutWorkload(seed: seed &+ 1_000)
        workload.failsNowAndThen = true
        try await workload.run(saves: 20)
        try await workload.check(cuts: Self.cutsPerWorkload)
    }
}

/// Counts what is tried.
private final class Attempts: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// Random saves of one document, and what was reported of them.
private struct PowerCutWorkload {
    private static let url = URL(filePath: "/Photos", directoryHint: .notDirectory)

    let seed: UInt64
    var failsNowAndThen = false
    private var generator: DocumentRandom
    private var edits: JournalEdits
    private let files = CrashingFiles()
    /// All that the store held after each commit.
    private var accounts: [[String]] = [[]]
    /// Which commits were reported to be on disk, and how many steps had been done by then.
    private var reports: [(commit: Int, steps: Int)] = [(0, 0)]

    init(seed: UInt64) {
        self.seed = seed
        generator = DocumentRandom(seed: seed)
        edits = JournalEdits(seed: seed)
    }

    private func open(
        _ files: CrashingFiles, _ ratio: Double = 1
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: Self.url, model: JournalModel.types,
            options: .savedByHand { $0.journalLimit = .init(ratio: ratio, minimum: 0) },
            files: files)
    }

    private func account(of document: ManagedDocument) -> [String] {
        document.store.account.filter { !$0.contains(" note: ") }
    }

    private mutating func note(_ document: ManagedDocument) {
        guard document.store.commitNumber == accounts.count else { return }
        accounts.append(account(of: document))
    }

    mutating func run(saves: Int) async throws {
        let ratio: Double = [0.3, 1, 100].randomElement(using: &generator) ?? 1
        var document = try await open(files, ratio)
        for _ in 0..<saves {
            try edits.change(document.viewContext, times: Int.random(in: 1...6, using: &generator))
            if failsNowAndThen { fail() }
            do {
                switch Int.random(in: 0..<12, using: &generator) {
                case 0..<3: try await save(document, .memory)
                case 3..<6: try await save(document, .system)
                case 6..<10: try await save(document, .disk)
                case 10:
                    try await save(document, .memory)
                    try await document.compact()
                    reports.append((document.store.commitNumber, files.stepCount))
                default:
                    try document.viewContext.save()
                    note(document)
                    try await document.close()
                    reports.append((document.store.commitNumber, files.stepCount))
                    files.mend()
                    document = try await open(files, ratio)
                    #expect(account(of: document) == accounts.last, "seed \(seed)")
                }
            } catch let error as DocumentError {
                guard failsNowAndThen, case .fileSystem = error else { throw error }
            }
            files.mend()
        }
        // The disk is well again, and so is saving.
        try await save(document, .disk)
        try await document.close()
    }

    private mutating func save(
        _ document: ManagedDocument, _ durability: ManagedDocument.Durability
    ) async throws {
        try document.viewContext.save()
        note(document)
        try await document.save(durability: durability)
        if durability == .disk {
            reports.append((document.store.commitNumber, files.stepCount))
        }
    }

    /// Lets some step of the next save fail.
    private mutating func fail() {
        guard Int.random(in: 0..<3, using: &generator) == 0 else { return }
        let first = Int.random(in: 0..<8, using: &generator)
        let code = [5, 28, 13].randomElement(using: &generator) ?? 5
        let isLasting = Bool.random(using: &generator)
        let attempts = Attempts()
        files.fail { _ in
            let attempt = attempts.next()
            return (isLasting ? attempt >= first : attempt == first) ? Int32(code) : nil
        }
    }

    /// Cuts the power at random instants, and looks at what is found.
    mutating func check(cuts: Int) async throws {
        for _ in 0..<cuts {
            let steps = Int.random(in: 0...files.stepCount, using: &generator)
            let choice = UInt64.random(in: 0 ... .max, using: &generator)
            let found = files.afterPowerCut(after: steps, seed: choice)
            let durable = reports.last { $0.steps <= steps }?.commit ?? 0
            let history = files.steps.prefix(steps).suffix(40).joined(separator: "\n")
            try await expect(
                found, atLeast: durable,
                "seed \(seed), step \(steps), cut \(choice), reports \(reports)\n\(history)")
        }
    }

    private mutating func expect(
        _ found: CrashingFiles, atLeast durable: Int, _ comment: String
    ) async throws {
        func explain() -> String {
            let names = (try? found.list(FilePath("/Photos"))) ?? []
            return "\(comment)\n\(names)"
        }
        do {
            let document = try await open(found)
            let number = document.store.commitNumber
            guard number >= durable, number < accounts.count else {
                Issue.record("commit \(number) is found, \(durable) was on disk: \(explain())")
                return
            }
            let account = account(of: document)
            guard account == accounts[number] else {
                Issue.record(
                    "\(account.difference(from: accounts[number])) at commit \(number): \(explain())"
                )
                return
            }
            // What was found is a document like any other, and the power may go again while it is compacted.
            JournalModel.Album(context: document.viewContext).title = "after"
            try await document.save()
            let expected = self.account(of: document)
            let saved = found.stepCount
            try await document.compact()
            let later = found.afterPowerCut(
                after: .random(in: saved...found.stepCount, using: &generator),
                seed: .random(in: 0 ... .max, using: &generator))
            try await document.close()
            let reopened = try await open(later)
            #expect(self.account(of: reopened) == expected, "\(explain())")
            #expect(reopened.store.commitNumber == number + 1, "\(explain())")
        } catch {
            Issue.record("\(error): \(explain())")
        }
    }
}
