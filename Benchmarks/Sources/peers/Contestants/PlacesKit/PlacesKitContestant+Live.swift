import Foundation
import PlacesKit

extension PlacesKitContestant {
    /// The photos by views, as the workloads of live results list them.
    static let listed = FetchRequest<Photo>(
        sortBy: [SortDescriptor(\.views), SortDescriptor(\.uniqueID)])

    /// Changes photos one by one, each until the new list and the difference are there.
    static func updatingLive(in world: World) throws -> Trial {
        let store = try makeEmpty()
        try insert(world, into: store)
        let context = ManagedObjectContext(store)
        let photos = Array(try context.fetch(Photo.self))
        let results = try FetchedResultsController(listed, in: context)
        var changes: [ResultsChange<ObjectID>] = []
        results.onChange = { changes.append($0) }
        return { round in
            changes = []
            let updates = world.liveUpdates(inRound: round.number)
            withExtendedLifetime(results) {
                round.measure {
                    for (photo, views) in updates {
                        photos[photo].views = views
                        context.processPendingChanges()
                    }
                }
            }
            var checksum = Checksum()
            for (update, change) in zip(updates, changes) {
                let id = photos[update.photo].objectID
                checksum.append(change.after.position(of: id)?.item ?? -1)
            }
            return checksum
        }
    }
}
