import ArgumentParser
import Foundation
import PlacesKit

/// Shows how PlacesKit answers three queries.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Prints the plans of three queries and what came of them."
    )

    @Option(help: "How many photos the world has.")
    var photos = 200_000

    func validate() throws {
        guard photos > 0, photos <= Int(UInt32.max) else {
            throw ValidationError("A world has from 1 to \(UInt32.max) photos.")
        }
    }

    func run() throws {
        let world = World(photos: photos, places: 1_000, seed: 2026)
        let context = try Library.loaded(with: world)
        let start = Date(timeIntervalSinceReferenceDate: 300_000_000)
        let requests = [
            FetchRequest<Library.Photo>(
                predicate: #Predicate { $0.takenAt?.name.starts(with: "San") == true },
                sortBy: [SortDescriptor(\.dateUploaded, order: .reverse)], limit: 50),
            try FetchRequest(
                where: "dateUploaded BETWEEN %@ AND title CONTAINS[cd] 'zurich'",
                [start, start.addingTimeInterval(604_800)], sortBy: [SortDescriptor(\.views)]),
            FetchRequest(
                predicate: #Predicate { $0.views > 90_000 && $0.title.count > 40 }),
        ]
        for request in requests {
            // The first time, the text is folded and the memory is cold.
            _ = try request.explain(in: context)
            print("\(try request.explain(in: context))\n")
        }
    }
}
