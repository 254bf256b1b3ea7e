import Foundation
import PlacesKit

/// Photos with live results.
final class LiveStore {
    private let context: ManagedObjectContext
    private var photos: [Photo] = []
    private var places: [Place] = []
    private var controllers: [FetchedResultsController<Photo>] = []
    private var told = 0

    init(photos count: Int, places placeCount: Int) throws {
        context = ManagedObjectContext(try GraphStore(model: [Photo.self, Place.self]))
        for number in 0..<placeCount {
            let place = Place(context: context)
            place.name = "Place \(number)"
            places.append(place)
        }
        var random = SplitMix64(seed: 7)
        for number in 0..<count {
            let photo = Photo(context: context)
            photo.uniqueID = "\(number)"
            photo.title = "The photo of number \(number)"
            photo.views = random.index(below: 1_000_000)
            photo.takenAt = places[number % placeCount]
            if number.isMultiple(of: max(1, count / 1_000)) { photos.append(photo) }
        }
        try context.save()
    }

    private func watch(_ request: FetchRequest<Photo>) throws {
        let controller = try FetchedResultsController(request, in: context)
        controller.onChange = { [unowned self] _ in told += 1 }
        controllers.append(controller)
    }

    /// Changes photos of one list of all, one by one.
    func update(_ operations: Int) throws -> Trial {
        try watch(FetchRequest(sortBy: [SortDescriptor(\.views), SortDescriptor(\.uniqueID)]))
        var random = SplitMix64(seed: 8)
        return { [self] round in
            let views = (0..<operations).map { _ in random.index(below: 1_000_000) }
            told = 0
            round.measure {
                for (number, views) in views.enumerated() {
                    photos[number % photos.count].views = views
                    context.processPendingChanges()
                }
            }
            guard told >= operations * 9 / 10 else { throw LiveFailure() }
            return Checksum()
        }
    }

    /// Moves photos one by one between two places, each of which has a list, as have some others.
    func move(_ operations: Int, lists count: Int) throws -> Trial {
        for place in places.prefix(count) {
            let name = place.name
            try watch(
                FetchRequest(
                    predicate: #Predicate { $0.takenAt?.name == name },
                    sortBy: [SortDescriptor(\.title)]))
        }
        let moved = Array(places[0].photos)
        return { [self] round in
            told = 0
            let destination = places[(round.number + 1) % 2]
            round.measure {
                for number in 0..<operations {
                    moved[number % moved.count].takenAt = destination
                    context.processPendingChanges()
                }
            }
            guard told == 2 * operations else { throw LiveFailure() }
            return Checksum()
        }
    }
}

/// Live results were not told of what they should have been.
struct LiveFailure: Error {}
