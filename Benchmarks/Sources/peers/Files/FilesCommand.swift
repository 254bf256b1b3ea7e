import ArgumentParser
import Foundation
import PlacesKit

/// Measures opening a document and writing it as a whole, beside Foundation's coders and SQLite.
struct FilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: "Opens and writes whole documents, beside Foundation's coders and SQLite.",
        discussion: "All have the same rows. The contestants take turns; the table shows medians.")

    @Option(help: "How many photos the world has.")
    var photos = 200_000

    @Option(help: "How many places the world has.")
    var places = 1_000

    @Option(help: "How many rounds count, after one that warms up.")
    var rounds = 5

    @Option(help: "The directory to write in.")
    var directory = TemporaryFolder.standardParent

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard photos > 0, places > 0, rounds > 0 else {
            throw ValidationError("Photos, places and rounds are numbers from 1.")
        }
    }

    func run() async throws {
        let temporary = try TemporaryFolder(in: directory)
        defer { temporary.remove() }
        let folder = temporary.url
        let world = World(photos: photos, places: places, seed: 2026)
        let expected = StoredRows(world).checksum
        var table = Table(contestants: FileWorkload.contestants)
        var measurements: [Measurement] = []
        for workload in FileWorkload.allCases {
            FileHandle.standardError.write(Data("\(workload.rawValue) …\n".utf8))
            let trials = try await workload.trials(at: folder, world)
            var samples: [String: [Double]] = [:]
            for number in 0...rounds {
                for turn in trials.indices {
                    let (name, trial) = trials[(turn + number) % trials.count]
                    let (elapsed, checksum) = try await trial()
                    guard checksum == nil || checksum == expected else {
                        throw Harness.Failure.contestantsDisagree(
                            workload.rawValue, [name: checksum ?? expected, "world": expected])
                    }
                    guard number > 0 else { continue }
                    samples[name, default: []].append(
                        elapsed / .nanoseconds(1) / Double(photos))
                }
            }
            let measurement = Measurement(
                workload: workload.rawValue, objects: photos,
                median: samples.mapValues(Harness.median))
            table.append(measurement, per: "photo")
            measurements.append(measurement)
        }
        print("\(photos) photos, \(places) places, medians of \(rounds) rounds\n\n\(table)")
        try output.write(measurements)
    }
}
