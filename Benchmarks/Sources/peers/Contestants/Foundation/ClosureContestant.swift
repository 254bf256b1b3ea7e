import Foundation
import PlainModel

/// A closure written by hand over an array of plain classes.
final class ClosureContestant: Contestant {
    let name = "closure"

    private let world: World
    private lazy var photos = ListedPhoto.list(world)

    init(_ world: World) {
        self.world = world
    }

    func trial(for workload: Workload) -> Trial? {
        switch workload {
        case .scanCount: counting(world.viewBounds) { bound in { $0.views > bound } }
        case .scanString: counting(world.photographers) { name in { $0.photographer == name } }
        case .joinSortLimit: newestOfPlaces
        default: nil
        }
    }

    private func counting<Question>(
        _ questions: [Question], _ closure: @escaping (Question) -> (ListedPhoto) -> Bool
    ) -> Trial {
        let photos = photos
        return { round in
            round.measure {
                var checksum = Checksum()
                for question in questions {
                    checksum.append(photos.count(where: closure(question)))
                }
                return checksum
            }
        }
    }

    private func newestOfPlaces(_ round: inout Round) -> Checksum {
        let photos = photos
        return round.measure {
            var checksum = Checksum()
            for prefix in world.namePrefixes {
                let newest = photos.filter { $0.takenAt.name.hasPrefix(prefix) }
                    .sorted { $0.dateUploaded > $1.dateUploaded }
                for photo in newest.prefix(world.limit) {
                    checksum.append(photo.uniqueID.utf8)
                    checksum.append(photo.views)
                }
            }
            return checksum
        }
    }
}
