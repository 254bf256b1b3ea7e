import ArgumentParser
import CAllocation
import Foundation
import PlacesKit

/// Measures the memory that a queue takes through which many objects pass: it has to be that of those which wait.
struct QueueMemoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue-memory",
        abstract: "Tells by how many bytes a queue grows through which many objects pass.")

    @Option(help: "How many objects pass.")
    var inserts = 1_000_000

    @Option(help: "How many objects wait.")
    var waiting = 1_000

    @Option(help: "How many objects come in one save.")
    var batch = 100

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard inserts >= 200_000, waiting > 0, batch > 0 else {
            throw ValidationError("At least 200,000 objects pass; others are numbers from 1.")
        }
    }

    func run() async throws {
        let store = try GraphStore(model: [Photo.self, Place.self])
        let context = ManagedObjectContext(store, isolation: nil)
        let view = ManagedObjectContext(store, isolation: nil)
        view.isUndoEnabled = true
        let list = try FetchedResultsController(
            FetchRequest<Photo>(sortBy: [SortDescriptor(\.views)], limit: 20), in: view)
        let places = try FetchedResultsController(FetchRequest<Place>(), in: view)
        var commits = store.commits(waiting: 16).makeAsyncIterator()
        var before: UInt = 0
        let began = ContinuousClock.now
        for first in stride(from: 0, to: inserts, by: batch) {
            for number in first..<first + batch {
                let photo = Photo(context: context)
                photo.uniqueID = "\(number)"
                photo.title = "The photo of number \(number), of which somebody wrote a line"
                photo.views = number
            }
            let bound = first + batch - waiting
            let done = FetchRequest<Photo>(predicate: #Predicate { $0.views < bound })
            for photo in try context.fetch(done) { context.delete(photo) }
            try context.save()
            view.refreshAllObjects()
            _ = await commits.next()
            if before == 0, first + batch >= 100_000 { before = UInt(allocated_bytes()) }
        }
        let growth = Int(allocated_bytes()) - Int(before)
        let time = (ContinuousClock.now - began) / inserts
        print(
            """
            \(growth) bytes more after \(inserts) inserts than after the first 100,000, \
            \(waiting) waiting; \(time) an insert
            """)
        guard list.objects.count == 20, places.objects.isEmpty,
            try view.count(Photo.self) == waiting
        else { throw QueueFailure() }
        try output.write([
            Measurement(
                workload: "queue-memory", objects: inserts, unit: "bytes",
                median: ["placeskit": Double(growth)])
        ])
    }
}

/// The queue does not hold what it should.
private struct QueueFailure: Error {}
