import Foundation

/// The figures of a run.
struct Report: CustomStringConvertible {
    /// A figure in the shape of the benchmarks' others.
    private struct Measurement: Encodable {
        let workload: String
        let objects: Int
        let unit: String
        let median: [String: Double]
    }

    let browsers: Int
    let rows: Int
    let changes: Int
    let seconds: Int
    /// How many nanoseconds each event took, from the shortest to the longest.
    let latencies: [Double]
    let memoryBefore: Int
    let memoryAfter: Int
    let memoryPeak: Int
    let processorTime: Double

    private func latency(_ share: Double) -> Double {
        latencies.isEmpty ? 0 : latencies[Int(share * Double(latencies.count - 1))]
    }

    var description: String {
        let expected = changes * browsers
        let lines = [
            ("events", "\(latencies.count) of \(expected)"),
            ("median", Self.milliseconds(latency(0.5))),
            ("99 %", Self.milliseconds(latency(0.99))),
            ("99.9 %", Self.milliseconds(latency(0.999))),
            ("longest", Self.milliseconds(latency(1))),
            ("processor time an event", Self.microseconds(processorTime / Double(expected))),
            (
                "memory",
                "\(memoryBefore >> 20) MB before, \(memoryAfter >> 20) MB after, \(memoryPeak >> 20) MB at most"
            ),
        ]
        let width = lines.map(\.0.count).max() ?? 0
        let table = lines.map {
            $0.0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.1
        }
        return """
            \(browsers) browsers on a list of \(rows) rows, \(changes / seconds) changes a second for \(seconds) s

            \(table.joined(separator: "\n"))
            """
    }

    private static func milliseconds(_ nanoseconds: Double) -> String {
        String(format: "%.2f ms", nanoseconds / 1e6)
    }

    private static func microseconds(_ seconds: Double) -> String {
        String(format: "%.1f µs", seconds * 1e6)
    }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let figures = [
            ("web-live", "ns/op", latency(0.5)), ("web-live-99", "ns/op", latency(0.99)),
            ("web-live-memory", "B", Double(memoryPeak)),
        ]
        return try encoder.encode(
            figures.map {
                Measurement(workload: $0.0, objects: rows, unit: $0.1, median: ["PlacesKit": $0.2])
            })
    }
}
