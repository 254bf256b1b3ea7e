import ArgumentParser
import Foundation

/// Measures what one changed object costs to save to disk.
struct SaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save-one",
        abstract: "Saves one changed object of a small document and of a large one, beside SQLite.")

    @Option(
        parsing: .upToNextOption, help: "How many photos the small document and the large one have."
    )
    var sizes = [10_000, 1_000_000]

    @Option(help: "How many saves count, after some that warm up.")
    var saves = 300

    @Option(help: "The directory to write in.")
    var directory = TemporaryFolder.standardParent

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard saves > 0, sizes.count == 2, sizes.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("There are two sizes, and a number of saves from 1.")
        }
    }

    func run() async throws {
        let temporary = try TemporaryFolder(in: directory)
        defer { temporary.remove() }
        let folder = temporary.url
        print("microseconds for one save of one changed object, medians of \(saves)\n")
        var medians: [String: [Double]] = [:]
        var measurements: [Measurement] = []
        for size in sizes {
            let document = try await SavedDocument(at: folder, photos: size)
            for (name, durability) in SavedDocument.durabilities {
                let median = try await document.median(of: saves, durability)
                medians[name, default: []].append(median)
                print("\(name), \(size) objects: \(format(median))")
            }
            try await document.close()
            measurements.append(
                Measurement(
                    workload: "save-one", objects: size, unit: "µs/save",
                    median: medians.compactMapValues(\.last)))
        }
        for (name, _) in SavedDocument.durabilities {
            guard let pair = medians[name], pair.count == 2 else { continue }
            print("\(name), large to small: \(String(format: "%.2f×", pair[1] / pair[0]))")
        }
        let sqlite = try SavedDatabase(at: folder, photos: sizes[0]).median(of: saves)
        print("SQLite, WAL and synchronous=FULL, \(sizes[0]) rows: \(format(sqlite))")
        if let disk = medians["disk"]?.first {
            print("disk to SQLite: \(String(format: "%.2f×", disk / sqlite))")
        }
        measurements.append(
            Measurement(
                workload: "save-one", objects: sizes[0], unit: "µs/save",
                median: ["sqlite": sqlite]))
        try output.write(measurements)
    }

    private func format(_ microseconds: Double) -> String {
        String(format: "%.1f", microseconds)
    }
}

extension [Duration] {
    /// The median in microseconds.
    var median: Double {
        sorted()[count / 2] / .microseconds(1)
    }
}
