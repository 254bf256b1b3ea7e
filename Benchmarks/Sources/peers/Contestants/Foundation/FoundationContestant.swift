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
        case .search: search
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

    /// The titles that contain all texts: in this world these are the same.
    private func search(_ round: inout Round) -> Checksum {
        let photos = photos
        return round.measure {
            var checksum = Checksum()
            for words in world.searches {
                let found = photos.filter { photo in
                    words.allSatisfy(photo.title.localizedStandardContains)
                }
                let newest = found.sorted { $0.dateUploaded > $1.dateUploaded }
                for photo in newest.prefix(world.limit) { checksum.append(photo.uniqueID.utf8) }
            }
            return checksum
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
