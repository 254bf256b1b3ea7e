import Foundation
import PlacesKit

/// PlacesKit without the index of words: every title is searched.
final class ScanContestant: Contestant {
    let name = "placeskit-scan"

    private let world: World
    private lazy var loaded = Result { [world] in
        let store = try PlacesKitContestant.makeEmpty()
        try PlacesKitContestant.insert(world, into: store)
        return ManagedObjectContext(store)
    }

    init(_ world: World) {
        self.world = world
    }

    func trial(for workload: Workload) -> Trial? { workload == .search ? search : nil }

    private func search(_ round: inout Round) throws -> Checksum {
        let context = try loaded.get()
        return try round.measure {
            var checksum = Checksum()
            for words in world.searches {
                var request = FetchRequest<Photo>(
                    sortBy: [SortDescriptor(\.dateUploaded, order: .reverse)], limit: world.limit)
                request.search = TextSearch(words.joined(separator: " "), in: \.title)
                for photo in try context.fetch(request) { checksum.append(photo.uniqueID.utf8) }
            }
            return checksum
        }
    }
}
