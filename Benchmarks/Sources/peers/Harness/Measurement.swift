import Foundation

/// The medians of one workload, as they are written to JSON.
struct Measurement: Codable {
    let workload: String
    /// How many objects there are: photos, or parts.
    let objects: Int
    var unit = "ns/op"
    /// For each contestant that took part, how many units one operation took.
    let median: [String: Double]

    private enum CodingKeys: CodingKey {
        case workload, objects, unit, median
    }
}

extension [Measurement] {
    /// Writes the measurements to a file, as JSON.
    func write(to file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(filePath: file))
    }
}
