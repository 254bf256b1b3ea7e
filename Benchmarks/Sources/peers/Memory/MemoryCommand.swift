import ArgumentParser
import CAllocation
import Foundation
import GRDBSQLite
import PlacesKit

/// Measures the memory that a photo takes: its attributes, its place, and two indexes.
struct MemoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory",
        abstract: "Compares the bytes that a photo takes in PlacesKit and in SQLite.")

    @Option(help: "How many photos the world has.")
    var photos = 200_000

    @Option(help: "How many places the world has.")
    var places = 1_000

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard photos > 0, places > 0 else {
            throw ValidationError("Photos and places are numbers from 1.")
        }
    }

    func run() throws {
        let world = World(photos: photos, places: places, seed: 2026)
        let before = allocated_bytes()
        let store = try PlacesKitContestant.makeStore(of: world)
        let own = Int(allocated_bytes()) - Int(before)
        let connection = try SQLiteContestant.makeDatabase(of: world)
        let peer = withExtendedLifetime(connection) { Int(sqlite3_memory_used()) }
        print(
            """
            \(photos) photos, \(places) places, bytes for one photo

            placeskit  \(own / photos)
            sqlite     \(peer / photos)
            \(String(format: "%.2f×", Double(own) / Double(peer)))
            """)
        withExtendedLifetime(store) {}
        try output.write([
            Measurement(
                workload: "memory", objects: photos, unit: "bytes/photo",
                median: [
                    "placeskit": Double(own) / Double(photos),
                    "sqlite": Double(peer) / Double(photos),
                ])
        ])
    }
}
