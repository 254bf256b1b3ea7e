import ArgumentParser
import Foundation
import PlacesKit

/// Measures what a predicate costs before the first row is looked at.
struct CompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Measures how long a five-term #Predicate takes to compile.")

    @Option(help: "How many rounds count, after one that warms up.")
    var rounds = 9

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("Rounds are a number from 1.") }
    }

    func run() throws {
        // Nothing is stored, so counting costs little more than compiling.
        let context = ManagedObjectContext(try PlacesKitContestant.makeEmpty())
        let (views, name) = (1_000, "Paris")
        let request = FetchRequest<Photo>(
            predicate: #Predicate {
                $0.views > views && $0.rating >= 3 && $0.isFavorite
                    && $0.title.contains("sea") && $0.takenAt?.name == name
            })
        let operations = 2_000
        var samples: [Double] = []
        for number in 0...rounds {
            var round = Round(number: number)
            var count = 0
            try round.measure {
                for _ in 0..<operations { count += try context.count(request) }
            }
            guard count == 0 else { throw ValidationError("An empty store has matches.") }
            if number > 0 { samples.append(round.nanoseconds(per: operations)) }
        }
        let median = samples.sorted()[samples.count / 2]
        print(
            "A predicate of five terms, median of \(rounds) rounds: "
                + String(format: "%.1f µs", median / 1_000))
        try output.write([
            Measurement(workload: "compile", objects: 0, median: ["placeskit": median])
        ])
    }
}
