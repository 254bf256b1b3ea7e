import Foundation
import PlacesKit

extension PlacesKitContestant {
    /// Gives photos another photographer, and the next round their own again; after each the ranking of
    /// places is read as it was delivered.
    static func keepingTopPlaces(of world: World, changing count: Int? = nil) throws -> Trial {
        let store = try makeEmpty()
        try insert(world, into: store)
        let context = ManagedObjectContext(store)
        let request = GroupRequest(by: \Photo.takenAt?.name, .countDistinct(\.photographer))
            .sorted(.reverse) { _, photographers in photographers }
            .sorted { name, _ in name }
            .limited(to: world.limit)
        let live = try LiveGroups(request, in: context)
        let all = try context.fetch(Photo.self)
        let positions = count.map { Array(world.movedPhotos.prefix($0)) } ?? world.creditedPhotos
        let photos = positions.map { all[$0] }
        let names = positions.map { world.photos[$0].photographer }
        var delivered = 0
        live.onChange = { delivered += $0.difference.itemEventCount }
        return { round in
            var checksum = Checksum()
            for (photo, name) in zip(photos, names) {
                let other = round.number.isMultiple(of: 2) ? World.newcomer : name
                round.measure {
                    photo.photographer = other
                    context.processPendingChanges()
                }
                for (name, photographers) in live.groups {
                    checksum.append((name ?? "").utf8)
                    checksum.append(photographers)
                }
            }
            return checksum
        }
    }
}
