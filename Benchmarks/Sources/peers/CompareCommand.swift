import ArgumentParser
import Foundation

/// Compares PlacesKit with its peers in time.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Runs the same workloads in PlacesKit, GRDB, SQLite's C API and plain classes.",
        discussion: "The contestants take turns; the table shows medians and their ratios.")

    @Option(help: "How many photos the world has.")
    var photos = 200_000

    @Option(help: "How many places the world has.")
    var places = 1_000

    @Option(help: "How many rounds count, after one that warms up.")
    var rounds = 5

    @Option(parsing: .upToNextOption, help: "The workloads to run; all of them by default.")
    var workload: [Workload] = []

    @Option(
        parsing: .upToNextOption, help: "The contestants that take part; all of them by default.")
    var contestant: [String] = []

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard photos > 0, places > 0, rounds > 0 else {
            throw ValidationError("Photos, places and rounds are numbers from 1.")
        }
        guard photos <= Int(UInt32.max) else {
            throw ValidationError("A world has at most \(UInt32.max) photos.")
        }
    }

    func run() throws {
        let world = World(photos: photos, places: places, seed: 2026)
        let contestants = Self.contestants(in: world) { name in
            contestant.isEmpty || contestant.contains(name)
        }
        guard !contestants.isEmpty else { throw ValidationError("There are no such contestants.") }
        let harness = Harness(rounds: rounds)
        var table = Table(contestants: contestants.map(\.name))
        var measurements: [Measurement] = []
        for workload in Workload.allCases
        where self.workload.isEmpty || self.workload.contains(workload) {
            FileHandle.standardError.write(Data("\(workload.rawValue) …\n".utf8))
            let trials = try contestants.compactMap { contestant in
                try contestant.trial(for: workload).map { (contestant.name, $0) }
            }
            let measurement = try harness.measure(
                workload.rawValue, of: photos, operations: workload.operations(in: world), trials)
            table.append(measurement, per: workload.unit)
            measurements.append(measurement)
        }
        print("\(photos) photos, \(places) places, medians of \(rounds) rounds\n\n\(table)")
        try output.write(measurements)
    }

    /// The first is the one the others are compared with.
    private static func contestants(
        in world: World, where isIncluded: (String) -> Bool
    ) -> [any Contestant] {
        var contestants: [any Contestant] = [
            PlacesKitContestant(world),
            ScanContestant(world),
            SQLiteContestant(world),
            GRDBContestant(world),
            RefetchContestant(world),
            FoundationContestant(world),
            ClosureContestant(world),
            PlainContestant(world),
            PlainLocalContestant(world),
        ]
        contestants.removeAll { !isIncluded($0.name) }
        // It looks for its package, which takes a moment.
        if isIncluded("duckdb"), let contestant = DuckDBContestant(world) {
            contestants.append(contestant)
        }
        return contestants
    }
}
