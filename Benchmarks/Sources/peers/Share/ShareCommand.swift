import ArgumentParser
import Foundation
import PlacesKit
import PlacesPostgres

/// Measures what it costs to share a document by a PostgreSQL server.
struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Shares a document by PostgreSQL, beside rows that are written by hand.",
        discussion: """
            The server is that of the environment: .ci/check-postgres -- COMMAND starts one. Each save inserts a photo, and \
            is acknowledged when the server has it on disk. Those of share-local-…, share-insert and share-live-update do \
            not wait: "alone" is a document that is not shared, "outbox" one whose commits wait in its folder. All \
            members run in this process, each with a document and a connection of its own.
            """)

    @Option(help: "How many saves at a time count.")
    var saves = 5_000

    @Option(help: "How many saves that wait for each other count.")
    var turns = 500

    @Option(help: "How many members write at a time.")
    var members = 8

    @Option(help: "How many commits a member is behind that was away.")
    var behind = 100_000

    @Option(help: "How many saves a second are made while the other list is watched.")
    var rate = 1_000

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard saves > 0, turns > 0, members > 0, behind > 0, rate > 0 else {
            throw ValidationError("There are saves, members, commits and a rate, from 1.")
        }
    }

    @MainActor
    func run() async throws {
        let temporary = try TemporaryFolder()
        defer { temporary.remove() }
        var measurements: [Measurement] = []
        func add(_ workload: String, _ medians: [String: Double], unit: String = "µs/save") {
            measurements.append(
                Measurement(workload: workload, objects: saves, unit: unit, median: medians))
            let text = medians.sorted { $0.key < $1.key }.map { name, value in
                let rate = unit == "µs/save" ? String(format: " (%.0f a second)", 1e6 / value) : ""
                return String(format: "%@ %.1f %@%@", name, value, unit, rate)
            }
            print("\(workload): \(text.joined(separator: ", "))")
        }
        let world = SharedWorld(in: temporary.url)
        func addLocal(
            _ workload: String, unit: String = "µs/save",
            _ measure: (SharedWorld.Sharing) async throws -> Double
        ) async throws {
            var times: [String: [Double]] = [:]
            for _ in 0..<5 {
                for sharing in SharedWorld.Sharing.allCases {
                    times[sharing.rawValue, default: []].append(try await measure(sharing))
                }
            }
            add(workload, times.mapValues { $0.sorted()[$0.count / 2] }, unit: unit)
        }
        for (name, durability) in SavedDocument.durabilities {
            try await addLocal("share-local-\(name)") {
                try await world.saveLocally(turns, durability, $0)
            }
        }
        try await addLocal("share-insert", unit: "µs/object") {
            try await world.insertLocally(20_000, $0)
        }
        try await addLocal("share-live-update") {
            try await world.updateListLocally(turns, of: 20_000, $0)
        }
        let hand = try HandWrittenRows()
        add(
            "share-turns",
            [
                "placeskit": try await world.saveInTurn(turns),
                "sql": try hand.write(turns, connections: 1),
            ])
        add(
            "share-one-member",
            [
                "placeskit": try await world.save(saves, members: 1, tasks: 256),
                "sql": try hand.write(saves, connections: 8),
            ])
        add(
            "share-members",
            ["placeskit": try await world.save(saves, members: members, tasks: 32)])
        add(
            "share-members-same",
            ["placeskit": try await world.update(saves / 5, members: members, tasks: 8)])
        let (median, late) = try await world.delay(of: rate * 3, aSecond: rate)
        add("share-delay", ["placeskit": median, "placeskit-99": late], unit: "ms")
        add(
            "share-catching-up",
            ["placeskit": try await world.catchUp(with: behind)], unit: "µs/commit")
        try output.write(measurements)
    }
}
