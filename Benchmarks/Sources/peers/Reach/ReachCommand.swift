import ArgumentParser
import Foundation

/// Measures how long it takes to find all that relationships lead to.
struct ReachCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reachable",
        abstract: "Walks over a million links, beside SQLite's recursive common table expression.",
        discussion: "The contestants take turns; how much they reach is compared each time.")

    @Option(help: "How many rounds count, after one that warms up.")
    var rounds = 5

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("Rounds are a number from 1.") }
    }

    func run() throws {
        var table = Table(contestants: ["placeskit", "sqlite"])
        var measurements: [Measurement] = []
        for workload in ReachWorkload.allCases {
            FileHandle.standardError.write(Data("\(workload.rawValue) …\n".utf8))
            let (objects, rows) = (try ReachedObjects(workload), try ReachedRows(workload))
            func checked(
                _ walk: @escaping (inout Round) throws -> Int
            ) -> Trial {
                { round in
                    var checksum = Checksum()
                    checksum.append(try walk(&round))
                    return checksum
                }
            }
            let measurement = try Harness(rounds: rounds).measure(
                workload.rawValue, of: workload.nodes, operations: ReachWorkload.links,
                [("placeskit", checked(objects.walk)), ("sqlite", checked(rows.walk))])
            table.append(measurement, per: "link")
            measurements.append(measurement)
        }
        print("\(ReachWorkload.links) links, medians of \(rounds) rounds\n\n\(table)")
        try output.write(measurements)
    }
}
