import Foundation
import PlacesKit
import Testing

/// Long runs of random edits, undos, saves and merges, compared with a naive graph.
///
/// The environment says how much is done: `PLACESKIT_RANDOM_OPERATIONS` is the number of steps in all,
/// `PLACESKIT_RANDOM_COMPARISONS` after how many steps the whole graph is compared, `PLACESKIT_RANDOM_HISTORY`
/// how many of the last steps a finding tells, and `PLACESKIT_RANDOM_WORLD` which one of the small graphs is
/// run alone, as after a finding.
@Suite struct RandomGraphTests {
    private static let world = UInt64(number("PLACESKIT_RANDOM_WORLD", 0))

    @Test(arguments: world == 0 ? [UInt64](1...4) : [world])
    func `a small graph stays what plain dictionaries say it is`(seed: UInt64) throws {
        try run(
            seed: seed, steps: Self.number("PLACESKIT_RANDOM_OPERATIONS", 16_000) / 8,
            population: 14, compareEvery: Self.number("PLACESKIT_RANDOM_COMPARISONS", 40))
    }

    @Test(arguments: world == 0 ? [UInt64](201...202) : [world])
    func `a small graph whose changes are often undone stays what plain dictionaries say it is`(
        seed: UInt64
    ) throws {
        try run(
            seed: seed, steps: Self.number("PLACESKIT_RANDOM_OPERATIONS", 16_000) / 8,
            population: 14, compareEvery: Self.number("PLACESKIT_RANDOM_COMPARISONS", 40)
        ) { $0.undoesOften = true }
    }

    @Test(arguments: [UInt64](101...102))
    func `a graph of several chunks stays what plain dictionaries say it is`(
        seed: UInt64
    ) throws {
        try run(seed: seed, steps: 300, population: 700, compareEvery: 300) { run in
            try run.insert(700, of: "Node", into: 0)
            try run.insert(700, of: "Node", into: 1)
            try run.insert(1_100, of: "Tag", into: 1)
        }
    }

    private static func number(_ variable: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? usual
    }

    private func run(
        seed: UInt64, steps: Int, population: Int, compareEvery interval: Int,
        prepare: (inout RandomGraphRun) throws -> Void = { _ in }
    ) throws {
        var run = try RandomGraphRun(seed: seed)
        var history: [String] = []
        do {
            try prepare(&run)
            for number in 1...steps {
                history.append(try run.step(population: population))
                guard number.isMultiple(of: interval) else { continue }
                for side in run.sides.indices { try run.compareAll(side) }
                if number.isMultiple(of: max(80, interval * 2)) { try run.checkIntegrity() }
            }
        } catch {
            Issue.record(
                """
                Seed \(seed), after step \(history.count): \(error)
                \(history.suffix(Self.number("PLACESKIT_RANDOM_HISTORY", 12)).joined(separator: "\n"))
                """)
        }
        // A run that never saves or never conflicts tests less than it seems to.
        if steps >= 2_000 {
            #expect(run.saves > 20 && run.refusals + run.conflicts > 2, "seed \(seed)")
            #expect(run.rowsUsedAgain > 100, "seed \(seed)")
        }
        if steps >= 20_000, run.undoesOften { #expect(run.emptyGroups > 0, "seed \(seed)") }
    }
}
