import ArgumentParser
import CAllocation
import Foundation
import PlacesKit

/// Measures how much memory opening a document takes at its peak, beside the graph that stays.
struct PeakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peak",
        abstract: "Compares the memory at the peak of opening a document with that of its graph.",
        discussion: "It needs Linux, which tells the peak of a process.")

    @Option(help: "How many photos the world has.")
    var photos = 200_000

    @Option(help: "How many places the world has.")
    var places = 1_000

    @Option(help: "The document to open, in a process that did nothing else.")
    var document: String?

    @OptionGroup var output: JSONOutput

    func run() async throws {
        if let document {
            try await open(URL(filePath: document))
        } else {
            var measurements: [Measurement] = []
            for format in ManagedDocument.Format.allCases {
                measurements.append(try await compare(format))
            }
            try output.write(measurements)
        }
    }

    /// Makes a document, and has another process open it.
    private func compare(_ format: ManagedDocument.Format) async throws -> Measurement {
        let temporary = try TemporaryFolder()
        defer { temporary.remove() }
        let folder = temporary.url
        let world = World(photos: photos, places: places, seed: 2026)
        let stored = try await StoredDocument(at: folder, as: format, world)
        print("\(format.rawValue), \(photos) photos: ", terminator: "")
        fflush(nil)
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        let told = folder.appending(path: "peak.json").path(percentEncoded: false)
        process.arguments = [
            "peak", "--document", stored.url.path(percentEncoded: false), "--json", told,
        ]
        try process.run()
        process.waitUntilExit()
        let ratios = try JSONDecoder().decode(
            [Measurement].self, from: Data(contentsOf: URL(filePath: told)))
        guard let ratio = ratios.first?.median["placeskit"] else {
            throw ValidationError("The other process tells no peak.")
        }
        return Measurement(
            workload: "peak-\(format.rawValue)", objects: photos, unit: "peak/graph",
            median: ["placeskit": ratio])
    }

    private func open(_ url: URL) async throws {
        let (memory, allocated) = (try Self.peakMemory(), Int(allocated_bytes()))
        let document = try await StoredDocument(url: url).open()
        let (peak, graph) = (
            try Self.peakMemory() - memory, Int(allocated_bytes()) - allocated
        )
        print(
            "\(graph >> 20) MB of graph, \(peak >> 20) MB at the peak, "
                + String(format: "%.2f×", Double(peak) / Double(graph)))
        try await document.close()
        try output.write([
            Measurement(
                workload: "peak", objects: photos, unit: "peak/graph",
                median: ["placeskit": Double(peak) / Double(graph)])
        ])
    }

    /// The most memory that this process had until now, in bytes.
    private static func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw ValidationError("This system does not tell the peak.") }
        return kilobytes << 10
    }
}
