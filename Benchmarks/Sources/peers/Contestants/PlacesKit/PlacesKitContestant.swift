import Foundation
import PlacesKit

final class PlacesKitContestant: Contestant {
    let name = "placeskit"

    let world: World
    private(set) lazy var loaded = Result { [world] in
        let store = try Self.makeEmpty()
        try Self.insert(world, into: store)
        return ManagedObjectContext(store)
    }

    /// A context for look-ups: what it keeps of the photos is in nobody's way.
    private lazy var asked = Result { ManagedObjectContext(try loaded.get().store) }

    /// The photos in the order of their dates, as a camera has them.
    private lazy var chronological = Result { [world] in
        let store = try Self.makeEmpty()
        try Self.insert(world, inOrderOfDates: true, into: store)
        return ManagedObjectContext(store)
    }

    private(set) lazy var library = Result { [world] in try Library.loaded(with: world) }

    private(set) lazy var map = Result { [world] in try Spot.loaded(with: world) }

    init(_ world: World) {
        self.world = world
    }

    func trial(for workload: Workload) throws -> Trial? {
        switch workload {
        case .insert: insert
        case .relate: try Self.relating(in: world)
        case .updateDerived: try Self.updatingDerived(in: world)
        case .lookupUnique: lookUp
        case .findMany: findMany
        case .containsMany: containsMany
        case .scanCount: countViews
        case .scanString: countPhotographers
        case .scanRecent: countSpans
        case .scanContains: countTitles
        case .search: search
        case .searchRanked: searchRanked
        case .inBox: countInBoxes
        case .nearest: findNearest
        case .indexRangeLimit: firstOfSpans
        case .joinSortLimit: newestOfPlaces
        case .groupDistinct: topPlaces
        case .liveGroups: try Self.keepingTopPlaces(of: world)
        case .iterate: iterate
        case .attributeRead: read
        case .attributeWrite: write
        case .liveUpdate: try Self.updatingLive(in: world)
        }
    }

    static func makeEmpty() throws -> GraphStore {
        try GraphStore(model: [Photo.self, Place.self])
    }

    private func insert(_ round: inout Round) throws -> Checksum {
        let store = try Self.makeEmpty()
        try round.measure { try Self.insert(world, into: store) }
        return try Self.iterate(ManagedObjectContext(store))
    }

    static func insert(
        _ world: World, inOrderOfDates isSorted: Bool = false, into store: GraphStore
    ) throws {
        let context = ManagedObjectContext(store)
        let places = world.places.map { sample in
            let place = Place(context: context)
            place.name = sample.name
            place.country = sample.country
            return place
        }
        let samples =
            isSorted ? world.photos.sorted { $0.dateUploaded < $1.dateUploaded } : world.photos
        try context.insert(Photo.self, from: samples) { photo, sample in
            photo.uniqueID = sample.uniqueID
            photo.title = sample.title
            photo.subtitle = sample.subtitle
            photo.url = sample.url
            photo.views = sample.views
            photo.rating = sample.rating
            photo.latitude = sample.latitude
            photo.longitude = sample.longitude
            photo.isFavorite = sample.isFavorite
            photo.dateUploaded = sample.dateUploaded
            photo.lastViewed = sample.lastViewed
            photo.photographer = sample.photographer
            photo.takenAt = places[sample.place]
        }
        try context.save()
    }

    private func lookUp(_ round: inout Round) throws -> Checksum {
        let context = try asked.get()
        return try round.measure {
            var checksum = Checksum()
            for id in world.lookedUpIDs {
                if let photo = try context.find(Photo.self, \.uniqueID, id) {
                    checksum.add(photo.title.utf8.count)
                }
            }
            return checksum
        }
    }

    private func findMany(_ round: inout Round) throws -> Checksum {
        let context = try loaded.get()
        return try round.measure {
            var checksum = Checksum()
            for photo in try context.find(Photo.self, \.uniqueID, in: world.lookedUpIDs) {
                checksum.add(photo.title.utf8.count)
            }
            return checksum
        }
    }

    private func containsMany(_ round: inout Round) throws -> Checksum {
        let context = try loaded.get()
        let ids = world.askedIDs
        return try round.measure {
            var checksum = Checksum()
            for isThere in try context.contains(Photo.self, \.uniqueID, in: ids) {
                checksum.add(isThere ? 1 : 0)
            }
            return checksum
        }
    }

    private func countViews(_ round: inout Round) throws -> Checksum {
        let context = try loaded.get()
        return try round.measure {
            var checksum = Checksum()
            for bound in world.viewBounds {
                let request = FetchRequest<Photo>(predicate: #Predicate { $0.views > bound })
                checksum.append(try context.count(request))
            }
            return checksum
        }
    }

    private func countSpans(_ round: inout Round) throws -> Checksum {
        let context = try chronological.get()
        return try round.measure {
            var checksum = Checksum()
            for span in world.countedSpans {
                let (start, end) = (span.lowerBound, span.upperBound)
                let request = FetchRequest<Photo>(
                    predicate: #Predicate { $0.dateUploaded >= start && $0.dateUploaded < end })
                checksum.append(try context.count(request))
            }
            return checksum
        }
    }

    private func countPhotographers(_ round: inout Round) throws -> Checksum {
        let context = try loaded.get()
        return try round.measure {
            var checksum = Checksum()
            for photographer in world.photographers {
                let request = FetchRequest<Photo>(
                    predicate: #Predicate { $0.photographer == photographer })
                checksum.append(try context.count(request))
            }
            return checksum
        }
    }

    private func topPlaces(_ round: inout Round) throws -> Checksum {
        let context = try loaded.get()
        return try round.measure {
            var checksum = Checksum()
            let request = GroupRequest(by: \Photo.takenAt?.name, .countDistinct(\.photographer))
                .sorted(.reverse) { _, photographers in photographers }
                .sorted { name, _ in name }
                .limited(to: world.limit)
            for (name, photographers) in try context.groups(request) {
                checksum.append((name ?? "").utf8)
                checksum.append(photographers)
            }
            return checksum
        }
    }

    private func iterate(_ round: inout Round) throws -> Checksum {
        let context = try loaded.get()
        return try round.measure { try Self.iterate(context) }
    }

    static func iterate(_ context: ManagedObjectContext) throws -> Checksum {
        var checksum = Checksum()
        for photo in try context.fetch(Photo.self) {
            checksum.add(
                titleLength: photo.title.utf8.count, views: photo.views,
                latitude: photo.latitude)
        }
        return checksum
    }

    private func read(_ round: inout Round) throws -> Checksum {
        let photos = Array(try loaded.get().fetch(Photo.self))
        return round.measure { Self.sumOfViews(photos) }
    }

    private func write(_ round: inout Round) throws -> Checksum {
        let store = try Self.makeEmpty()
        try Self.insert(world, into: store)
        let context = ManagedObjectContext(store)
        let photos = Array(try context.fetch(Photo.self))
        var views = round.number
        round.measure {
            for photo in photos {
                photo.views = views
                views &+= 3
            }
        }
        return Self.sumOfViews(photos)
    }

    private static func sumOfViews(_ photos: [Photo]) -> Checksum {
        var checksum = Checksum()
        for photo in photos {
            checksum.add(photo.views)
        }
        return checksum
    }
}
