import ArgumentParser
import Foundation
import PlacesKit

/// Measures how soon a batch of new photos is in the list of top regions.
struct RegionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "regions-live",
        abstract: "Adds photos to a library until the live top regions are there, beside SQLite.",
        discussion: """
            SQLite is in memory; PlacesKit saves to disk, too, after its list has told of the photos. The \
            lists are compared each time. There are \(RegionsWorld.photographers) photographers and \(RegionsWorld.regions) regions.
            """)

    @Option(
        parsing: .upToNextOption, help: "How many photos the small library and the large one have.")
    var sizes = [100_000, 1_000_000]

    @Option(help: "How many photos come at a time.")
    var batch = 250

    @Option(help: "How many batches count, after three that warm up.")
    var rounds = 15

    @Option(help: "The directory to write in.")
    var directory = TemporaryFolder.standardParent

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard sizes.count == 2, sizes.allSatisfy({ $0 >= RegionsWorld.places }), batch > 0,
            rounds > 0
        else {
            throw ValidationError(
                "There are two sizes from \(RegionsWorld.places), a batch and rounds from 1.")
        }
    }

    func run() async throws {
        print(
            "microseconds for \(batch) new photos until the list shows them, medians of \(rounds)\n"
        )
        var medians: [Double] = []
        var measurements: [Measurement] = []
        for size in sizes {
            let (shown, saved, sqlite) = try await measure(size)
            medians.append(shown)
            measurements.append(
                Measurement(
                    workload: "regions-live", objects: size, unit: "µs/batch",
                    median: ["placeskit": shown, "placeskit-disk": saved, "sqlite": sqlite]))
            print(
                "\(size) photos: placeskit \(format(shown)), and on disk after \(format(saved)); "
                    + "sqlite \(format(sqlite)), \(String(format: "%.1f×", sqlite / shown))")
        }
        print("large to small: \(String(format: "%.2f×", medians[1] / medians[0]))")
        try output.write(measurements)
    }

    /// The times of a batch in a library of a size, and in a database.
    private func measure(_ size: Int) async throws -> (shown: Double, saved: Double, sqlite: Double)
    {
        let folder = try TemporaryFolder(in: directory)
        defer { folder.remove() }
        let library = try await RegionsLibrary(at: folder.url.appending(path: "library"))
        let database = try RegionsDatabase()
        var world = RegionsWorld()
        var missing = size
        while missing > 0 {
            let photos = world.next(min(50_000, missing))
            missing -= photos.count
            _ = try await library.add(photos)
            try database.insert(photos)
            FileHandle.standardError.write(Data("\(size - missing) of \(size) photos\n".utf8))
        }
        try database.analyze()
        try await library.reopen()
        var times: (shown: [Duration], saved: [Duration], sqlite: [Duration]) = ([], [], [])
        let clock = ContinuousClock()
        for round in 0..<rounds + 3 {
            let photos = world.next(batch)
            let live = try await library.add(photos)
            let start = clock.now
            let asked = try database.add(photos)
            let end = clock.now
            guard live.list == asked else {
                throw Harness.Failure.contestantsDisagree(
                    "regions-live", ["placeskit": checksum(live.list), "sqlite": checksum(asked)])
            }
            guard round >= 3 else { continue }
            times.shown.append(live.shown)
            times.saved.append(live.saved)
            times.sqlite.append(end - start)
        }
        try await library.close()
        return (times.shown.median, times.saved.median, times.sqlite.median)
    }

    private func checksum(_ regions: [RankedRegion]) -> Checksum {
        var checksum = Checksum()
        for region in regions {
            checksum.append(region.name.utf8)
            checksum.append(region.photographers)
        }
        return checksum
    }

    private func format(_ microseconds: Double) -> String {
        String(format: "%.0f", microseconds)
    }
}
