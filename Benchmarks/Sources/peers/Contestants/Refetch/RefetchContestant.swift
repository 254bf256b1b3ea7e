import PlacesKit

/// What one does without a results controller: fetch again, and compare with `CollectionDifference`.
final class RefetchContestant: Contestant {
    let name = "refetch"

    private let world: World

    init(_ world: World) {
        self.world = world
    }

    func trial(for workload: Workload) throws -> Trial? {
        guard case .liveUpdate = workload else { return nil }
        let store = try PlacesKitContestant.makeEmpty()
        try PlacesKitContestant.insert(world, into: store)
        let context = ManagedObjectContext(store)
        let photos = Array(try context.fetch(FetchRequest<Photo>()))
        var list = try context.identifiers(of: PlacesKitContestant.listed)
        return { [world] round in
            let updates = world.liveUpdates(inRound: round.number)
            var differences: [CollectionDifference<ObjectID>] = []
            var lists: [[ObjectID]] = []
            try round.measure {
                for (photo, views) in updates {
                    photos[photo].views = views
                    context.processPendingChanges()
                    let new = try context.identifiers(of: PlacesKitContestant.listed)
                    differences.append(new.difference(from: list).inferringMoves())
                    list = new
                    lists.append(list)
                }
            }
            var checksum = Checksum()
            for (update, list) in zip(updates, lists) {
                checksum.append(list.firstIndex(of: photos[update.photo].objectID) ?? -1)
            }
            return checksum
        }
    }
}
