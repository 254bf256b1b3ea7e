import Foundation

/// Runs the contestants in turn, round by round, and refuses results that differ.
struct Harness {
    let rounds: Int

    /// Measures one workload of so many operations on so many objects.
    ///
    /// The first round warms up and is not counted. Each round begins with another contestant, so
    /// that none always runs in the wake of the same one.
    func measure(
        _ workload: String, of objects: Int, operations: Int,
        _ entries: [(name: String, trial: Trial)]
    ) throws -> Measurement {
        var samples: [String: [Double]] = [:]
        for number in 0...rounds {
            var answers: [String: Checksum] = [:]
            for turn in entries.indices {
                let entry = entries[(turn + number) % entries.count]
                var round = Round(number: number)
                answers[entry.name] = try entry.trial(&round)
                if number > 0 {
                    samples[entry.name, default: []].append(round.nanoseconds(per: operations))
                }
            }
            guard Set(answers.values.map(\.value)).count <= 1 else {
                throw Failure.contestantsDisagree(workload, answers)
            }
        }
        return Measurement(
            workload: workload, objects: objects, median: samples.mapValues(Self.median))
    }

    /// The middle of some samples, to a hundredth.
    static func median(of samples: [Double]) -> Double {
        let sorted = samples.sorted()
        let middle = sorted.count / 2
        let median =
            sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        return (median * 100).rounded() / 100
    }
}

extension Harness {
    /// Why there is no measurement.
    enum Failure: Error, CustomStringConvertible, LocalizedError {
        case contestantsDisagree(String, [String: Checksum])

        var description: String {
            switch self {
            case .contestantsDisagree(let workload, let answers):
                let list = answers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                return "\(workload): the contestants computed different things "
                    + "(\(list.joined(separator: ", "))), so their times mean nothing; "
                    + "correct the contestant that is off"
            }
        }

        var errorDescription: String? {
            description
        }
    }
}
