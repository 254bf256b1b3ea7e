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
        let photos = Array(try context.fetch(Photo.self))
        var list = try context.identifiers(of: PlacesKitContestant.listed)
        return { [world] round in
            let updates = world.liveUpdates(inRound: round.number)
            var checksum = Checksum()
            for (photo, views) in updates {
                let difference = try round.measure {
                    photos[photo].views = views
                    context.processPendingChanges()
                    let new = try context.identifiers(of: PlacesKitContestant.listed)
                    defer { list = new }
                    return new.difference(from: list).inferringMoves()
                }
                guard difference.count <= 2 else { throw LiveFailure() }
                checksum.append(list.firstIndex(of: photos[photo].objectID) ?? -1)
            }
            return checksum
        }
    }
}
