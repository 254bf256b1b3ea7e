import ArgumentParser
import Foundation

/// Measures what must not take longer because a store is larger.
struct GrowthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Compares the cost of small changes in a small store and a large one.")

    @Option(help: "How many rounds count, after one that warms up.")
    var rounds = 9

    @Option(parsing: .upToNextOption, help: "The workloads to run; all of them by default.")
    var workload: [Growth] = []

    @Option(help: "How many times smaller than they should be the stores are.")
    var divisor = 1

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard rounds > 0, (1...1_000).contains(divisor) else {
            throw ValidationError("Rounds are a number from 1, and the divisor one up to 1,000.")
        }
    }

    func run() throws {
        print("PlacesKit alone, nanoseconds for one operation, medians of \(rounds) rounds\n")
        var measurements: [Measurement] = []
        for growth in Growth.allCases where workload.isEmpty || workload.contains(growth) {
            let sizes = growth.sizes(dividedBy: divisor)
            let trials = try sizes.map { try growth.trial($0, divisor: divisor) }
            var samples = Array(repeating: [Double](), count: sizes.count)
            for number in 0...rounds {
                for index in trials.indices {
                    var round = Round(number: number)
                    _ = try trials[index](&round)
                    guard number > 0 else { continue }
                    samples[index].append(round.nanoseconds(per: growth.operations))
                }
            }
            let medians = samples.map { $0.sorted()[$0.count / 2] }
            measurements += zip(sizes, medians).map { size, median in
                Measurement(
                    workload: growth.rawValue, objects: size, median: ["placeskit": median])
            }
            let times = zip(sizes, medians).map { size, median in
                "\(size) \(growth.noun): \(String(format: "%.0f", median)) ns"
            }
            let ratio = String(format: "%.2f×", (medians.last ?? 0) / (medians.first ?? 1))
            print("\(growth.rawValue): \(times.joined(separator: ", ")); \(ratio)")
        }
        try output.write(measurements)
    }
}
