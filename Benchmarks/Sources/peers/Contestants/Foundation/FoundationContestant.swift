import Foundation

/// `#Predicate`, evaluated by Foundation for each element of an array of plain classes.
final class FoundationContestant: Contestant {
    let name = "foundation"

    private let world: World
    private lazy var photos = ListedPhoto.list(world)

    init(_ world: World) {
        self.world = world
    }

    func trial(for workload: Workload) -> Trial? {
        switch workload {
        case .scanCount:
            counting(world.viewBounds) { bound in
                #Predicate<ListedPhoto> { $0.views > bound }
            }
        case .scanString:
            counting(world.photographers) { name in
                #Predicate<ListedPhoto> { $0.photographer == name }
            }
        case .scanContains: countTitles
        default: nil
        }
    }

    private func counting<Question>(
        _ questions: [Question], _ predicate: @escaping (Question) -> Predicate<ListedPhoto>
    ) -> Trial {
        let photos = photos
        return { round in
            try round.measure {
                var checksum = Checksum()
                for question in questions {
                    let predicate = predicate(question)
                    checksum.append(try photos.filter(predicate.evaluate).count)
                }
                return checksum
            }
        }
    }

    /// Foundation's search is called by itself: on Linux its predicates lack it, and would take longer.
    private func countTitles(_ round: inout Round) -> Checksum {
        let photos = photos
        return round.measure {
            var checksum = Checksum()
            for text in world.searchedTexts {
                checksum.append(photos.count { $0.title.localizedStandardContains(text) })
            }
            return checksum
        }
    }
}
