import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Everything at once, at random: after each step the graph is what plain dictionaries say, and lists are what
/// their events make of them; after each hundredth the document and its journal hold the same.
///
/// `PLACESKIT_MACHINE_STEPS` says how many steps there are in all; `PLACESKIT_MACHINE_WORLD` is the seed of the
/// only world to run, as a failure tells it.
@Suite struct RandomMachineTests {
    private static let steps =
        ProcessInfo.processInfo.environment["PLACESKIT_MACHINE_STEPS"].flatMap { Int($0) } ?? 1_000
    private static let seeds: UInt64 = 4
    private static let world =
        ProcessInfo.processInfo.environment["PLACESKIT_MACHINE_WORLD"].flatMap { UInt64($0) }

    @Test(arguments: world.map { [$0] } ?? Array(1...seeds))
    func `all parts together do what each does alone`(seed: UInt64) async throws {
        var remaining = Self.world == nil ? (Self.steps - 1) / Int(Self.seeds) + 1 : 1_000
        var (saves, counted) = (0, 0)
        // Another world every thousand steps, so that none grows strange.
        var worldSeed = seed
        while remaining > 0 {
            let machine = try await run(seed: worldSeed, steps: min(remaining, 1_000))
            guard let machine else { return }
            saves += machine.graph.saves
            counted += machine.clerks.saves
            remaining -= 1_000
            worldSeed += Self.seeds
        }
        // A run that never saves tests less than it seems to.
        if Self.steps >= 10_000 { #expect(saves > 10 && counted > 2, "seed \(seed)") }
    }

    /// Runs a machine; returns it unless something was found.
    private func run(seed: UInt64, steps: Int) async throws -> RandomMachine? {
        try await withTemporaryDirectory { directory in
            let machine = try await RandomMachine(
                seed: seed, at: directory.appending(path: "Machine"))
            do {
                for _ in 0..<steps { try await machine.step() }
                return machine
            } catch {
                Issue.record(
                    """
                    Seed \(seed), step \(machine.history.count): \(error)
                    \(machine.history.suffix(12).joined(separator: "\n"))
                    """)
                return nil
            }
        }
    }
}
