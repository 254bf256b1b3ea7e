import ExampleSupport
import Foundation

/// Prints lists as tables that fit the terminal, or as JSON.
enum Listing {
    /// Prints a table.
    static func show(_ table: TextTable) {
        let (lines, omitted) = table.lines(fitting: Terminal.columns)
        for line in lines { print(line) }
        if !omitted.isEmpty {
            warn("no room for \(omitted.joined(separator: ", ")) in so narrow a terminal")
        }
    }

    /// Prints values as JSON.
    static func showJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// A number and what it counts.
    static func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
