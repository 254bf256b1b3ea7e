import ArgumentParser
import Foundation

/// Compares PlacesKit with its peers where objects are walked one by one.
struct OO7Command: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oo7",
        abstract: "Runs OO7, the benchmark of object databases, in its small configuration.",
        discussion: """
            \(OO7World.composites) designs of \(OO7World.partsPerComposite) parts, each of them with \
            \(OO7World.connectionsPerPart) connections, used by a tree of assemblies of \(OO7World.levels) levels. \
            The contestants take turns; their answers are compared each time.
            """)

    @Option(help: "How many rounds count, after one that warms up.")
    var rounds = 7

    @Option(parsing: .upToNextOption, help: "The workloads to run; all of them by default.")
    var workload: [OO7Workload] = []

    @Option(
        parsing: .upToNextOption, help: "The contestants that take part; all of them by default.")
    var contestant: [String] = []

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("Rounds are a number from 1.") }
    }

    // Some contestants ask whether they are on an actor.
    @MainActor
    func run() async throws {
        let world = OO7World(seed: 2026)
        let makers: [(name: String, make: (OO7World) throws -> any OO7Contestant)] = [
            ("placeskit", PlacesKitOO7.init), ("classes", ClassesOO7.init),
            ("sqlite", SQLiteOO7.init), ("grdb", GRDBOO7.init),
        ]
        let contestants = try makers.filter { contestant.isEmpty || contestant.contains($0.name) }
            .map { try $0.make(world) }
        guard !contestants.isEmpty else { throw ValidationError("There are no such contestants.") }
        var table = Table(contestants: contestants.map(\.name))
        var measurements: [Measurement] = []
        for workload in OO7Workload.allCases
        where self.workload.isEmpty || self.workload.contains(workload) {
            FileHandle.standardError.write(Data("\(workload.rawValue) …\n".utf8))
            let trials = try contestants.map { ($0.name, try $0.trial(for: workload)) }
            let measurement = try Harness(rounds: rounds).measure(
                workload.rawValue, of: OO7World.composites * OO7World.partsPerComposite,
                operations: workload.operations(in: world), trials)
            table.append(measurement, per: workload.unit)
            measurements.append(measurement)
        }
        print("OO7, small, medians of \(rounds) rounds\n\n\(table)")
        try output.write(measurements)
    }
}
