import ArgumentParser
import CAllocation
import PlacesKit

/// Measures the memory that a step to undo takes: another value of one attribute.
struct UndoMemoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo-memory",
        abstract: "Tells the bytes that a small step takes as long as it can be undone.")

    @Option(help: "How many steps there are.")
    var steps = 200_000

    @Option(help: "How many photos are changed, turn by turn.")
    var photos = 1_000

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard steps > 0, photos > 0 else {
            throw ValidationError("Steps and photos are numbers from 1.")
        }
    }

    func run() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Photo.self, Place.self]))
        let photos = (0..<photos).map { number in
            let photo = Photo(context: context)
            photo.uniqueID = "\(number)"
            return photo
        }
        try context.save()
        context.isUndoEnabled = true
        context.undoLimit = 0
        context.undoByteLimit = 0
        let before = allocated_bytes()
        for step in 0..<steps {
            photos[step % photos.count].views += 1
            context.processPendingChanges()
        }
        let after = allocated_bytes()
        print("\((Int(after) - Int(before)) / steps) bytes for each of \(steps) steps to undo")
        for _ in 0..<steps { context.undo() }
        guard photos.allSatisfy({ $0.views == 0 }), !context.canUndo else { throw UndoFailure() }
        try output.write([
            Measurement(
                workload: "undo-memory", objects: steps, unit: "bytes/step",
                median: ["placeskit": Double(Int(after) - Int(before)) / Double(steps)])
        ])
    }
}
