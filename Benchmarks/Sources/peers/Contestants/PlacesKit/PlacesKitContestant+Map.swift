import Foundation
import PlacesKit

extension PlacesKitContestant {
    /// How many photos are in a box, and their views.
    func countInBoxes(_ round: inout Round) throws -> Checksum {
        let context = try map.get()
        return try round.measure {
            var checksum = Checksum()
            for box in world.boxes {
                var (count, views) = (0, 0)
                let request = try FetchRequest<Spot>(where: .located(in: .box(box), \.coordinate))
                for spot in try context.fetch(request) {
                    count += 1
                    views += spot.views
                }
                checksum.append(count)
                checksum.append(views)
            }
            return checksum
        }
    }

    /// The photos nearest to a point.
    func findNearest(_ round: inout Round) throws -> Checksum {
        let context = try map.get()
        return try round.measure {
            var checksum = Checksum()
            for center in world.mapCenters {
                let request = FetchRequest<Spot>(
                    sortBy: [SortDescriptor(\.coordinate, distanceFrom: center)],
                    limit: world.limit)
                for spot in try context.fetch(request) { checksum.append(spot.uniqueID.utf8) }
            }
            return checksum
        }
    }
}
