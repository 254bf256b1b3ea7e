import Foundation

/// A table of medians, and of how many times longer the others took than the first contestant.
struct Table: CustomStringConvertible {
    private let contestants: [String]
    private var lines: [[String]]

    init(contestants: [String]) {
        self.contestants = contestants
        let ratios = contestants.dropFirst().map { "\($0)/\(contestants[0])" }
        lines = [["workload", "per"] + contestants + ratios]
    }

    mutating func append(_ measurement: Measurement, per unit: String) {
        let medians = contestants.map { measurement.median[$0] }
        let ratios = medians.dropFirst().map { median in
            guard let median, let first = medians[0], first > 0 else { return "–" }
            return String(format: "%.2f×", median / first)
        }
        let times = medians.map { median in median.map(Self.time) ?? "–" }
        lines.append([measurement.workload, unit] + times + ratios)
    }

    var description: String {
        let widths = lines[0].indices.map { column in
            lines.map { $0[column].count }.max() ?? 0
        }
        return lines.map { line in
            line.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - line[column].count)
                return column < 2 ? line[column] + padding : padding + line[column]
            }
            .joined(separator: "  ")
        }
        .joined(separator: "\n")
    }

    private static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1_000: String(format: "%.1f ns", nanoseconds)
        case ..<1_000_000: String(format: "%.2f µs", nanoseconds / 1_000)
        default: String(format: "%.2f ms", nanoseconds / 1_000_000)
        }
    }
}
