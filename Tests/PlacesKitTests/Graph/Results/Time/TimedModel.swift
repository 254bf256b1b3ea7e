import Foundation
import PlacesKit
import Synchronization

/// Classes whose objects have dates, with an index and without.
enum TimedModel {
    final class Photo: ManagedObject {
        @Attribute var title = ""
        @Attribute var isFavorite = false
        @Attribute(.indexed) var lastViewed: Date?
        @Attribute var expires: Date?
        @Attribute var taken = Date(timeIntervalSinceReferenceDate: 0)
        @Relationship(inverse: \Place.photos) var takenAt: Place?

        /// Computed, so that a query must ask each object.
        var isOld: Bool { taken.timeIntervalSinceReferenceDate < 100 }
    }

    final class Place: ManagedObject {
        @Attribute var name = ""
        @Attribute var visited: Date?
        @Relationship var photos: ObjectSet<Photo>
    }

    typealias Request = FetchRequest<Photo>

    /// Requests of every kind, by name; made anew, since what a global keeps in an enum looks like a leak.
    static var requests: [(name: String, request: Request)] {
        [
            (
                "viewed within 48 s",
                Request { now in
                    let (limit, past) = (now - 48, Date.distantPast)
                    return #Predicate { ($0.lastViewed ?? past) > limit }
                }
            ),
            (
                "not viewed for 0.1 s",
                Request { now in
                    let limit = now.addingTimeInterval(-0.1)
                    return #Predicate { $0.lastViewed.flatMap { $0 <= limit } ?? true }
                }
            ),
            (
                "favourite, and expired",
                Request { now in
                    let future = Date.distantFuture
                    return #Predicate { $0.isFavorite && ($0.expires ?? future) < now }
                }
            ),
            (
                "expires within ten seconds",
                Request { now in
                    let limit = now + 10
                    return #Predicate { photo in
                        photo.expires.flatMap { now <= $0 && $0 < limit } ?? false
                    }
                }
            ),
            (
                "taken just now, or at a place visited lately",
                Request { now in
                    let limit = now - 20
                    return #Predicate { photo in
                        photo.taken == now
                            || photo.takenAt?.visited.flatMap { $0 >= limit } ?? false
                    }
                }
            ),
            (
                "taken at a place with a photo viewed lately",
                Request { now in
                    let (limit, past) = (now - 5, Date.distantPast)
                    return #Predicate { photo in
                        photo.takenAt.flatMap { place in
                            place.photos.contains { ($0.lastViewed ?? past) > limit }
                        } ?? false
                    }
                }
            ),
            (
                "without a date as good as viewed at 70",
                Request { now in
                    let (limit, seventy) = (now - 30, Date(timeIntervalSinceReferenceDate: 70))
                    return #Predicate { ($0.lastViewed ?? seventy) > limit }
                }
            ),
            (
                "viewed since the last full ten seconds",
                Request { now in
                    let seconds = (now.timeIntervalSinceReferenceDate / 10).rounded(.down) * 10
                    let limit = Date(timeIntervalSinceReferenceDate: seconds)
                    return #Predicate { $0.lastViewed.flatMap { $0 >= limit } ?? false }
                }
            ),
            (
                "viewed in the later half of the time",
                Request { now in
                    let limit = Date(
                        timeIntervalSinceReferenceDate: now.timeIntervalSinceReferenceDate / 2)
                    return #Predicate { $0.lastViewed.flatMap { $0 >= limit } ?? false }
                }
            ),
            (
                "viewed in this very instant or the next",
                Request { now in
                    let instants = [now, now + 1]
                    return #Predicate { $0.lastViewed.flatMap { instants.contains($0) } ?? false }
                }
            ),
            (
                "old and viewed lately",
                Request { now in
                    let (limit, past) = (now - 3, Date.distantPast)
                    return #Predicate { $0.isOld && ($0.lastViewed ?? past) > limit }
                }
            ),
            ("in a format", format("isFavorite == YES OR lastViewed > now() - 7.5")),
            ("between in a format", format("expires BETWEEN {now() - 3, NOW() + 4}")),
            ("across a relationship in a format", format("takenAt.visited < now() - 6")),
            (
                "in a part of what was put together",
                compound(
                    !CompoundPredicate(#Predicate { $0.isFavorite })
                        && .any(formats("lastViewed > now() - 4", "expires < now() - 30")))
            ),
            ("without time", Request(predicate: #Predicate { $0.isFavorite })),
        ]
    }

    private static func formats(_ formats: String...) -> [CompoundPredicate<Photo>] {
        formats.compactMap { try? CompoundPredicate($0) }
    }

    private static func compound(_ compound: CompoundPredicate<Photo>) -> Request {
        var request = Request()
        request.compound = compound
        return request
    }

    private static func format(_ format: String) -> Request {
        var request = Request()
        request.format = try? PredicateFormat(format)
        return request
    }
}

/// A time that a test sets.
final class TestTime: Sendable {
    private let date = Mutex(Date(timeIntervalSinceReferenceDate: 50))

    var now: Date {
        get { date.withLock { $0 } }
        set { date.withLock { $0 = newValue } }
    }

    /// A store of photos and places for which it is this time.
    func store(sleepingOn clock: any Clock<Duration> = ContinuousClock()) throws -> GraphStore {
        try GraphStore(
            model: [TimedModel.Photo.self, TimedModel.Place.self], now: { self.now }, clock: clock)
    }
}

/// Photos and places of which dates change at random.
struct TimedWorld {
    typealias Photo = TimedModel.Photo
    typealias Place = TimedModel.Place

    let time = TestTime()
    let store: GraphStore
    let context: ManagedObjectContext
    var generator: SeededGenerator

    init(seed: UInt64, photos: Int = 12) throws {
        generator = SeededGenerator(seed: seed)
        store = try time.store()
        context = ManagedObjectContext(store)
        for number in 0..<3 { Place(context: context).name = "place \(number)" }
        for number in 0..<photos {
            try fill(Photo(context: context))
            try pick(Photo.self).title = "photo \(number)"
        }
        context.processPendingChanges()
    }

    mutating func pick<Object: ManagedObject>(_ type: Object.Type) throws -> Object {
        let objects = try context.fetch(type)
        return objects[Int.random(in: 0..<objects.count, using: &generator)]
    }

    /// Makes some changes of objects.
    mutating func edit() throws {
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let photo = try pick(Photo.self)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: try fill(Photo(context: context))
            case 1 where try context.count(Photo.self) > 4: context.delete(photo)
            case 2: photo.isFavorite.toggle()
            case 3: photo.takenAt = try pick(Place.self)
            case 4: try pick(Place.self).visited = date()
            case 5: photo.expires = date()
            case 6: photo.taken = date() ?? time.now
            default: photo.lastViewed = date()
            }
        }
    }

    private mutating func fill(_ photo: Photo) throws {
        photo.isFavorite = Bool.random(using: &generator)
        photo.lastViewed = date()
        photo.expires = date()
        photo.taken = date() ?? photo.taken
        photo.takenAt = Bool.random(using: &generator) ? try pick(Place.self) : nil
    }

    /// Dates that are near, and some that are none.
    private mutating func date() -> Date? {
        let near = time.now.timeIntervalSinceReferenceDate
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return nil
        case 1: return .distantPast
        case 2: return .distantFuture
        case 3: return Date(timeIntervalSinceReferenceDate: .nan)
        case 4: return Date(timeIntervalSinceReferenceDate: .infinity)
        case 5: return time.now
        case 6..<9:
            let seconds = Double.random(in: -60...20, using: &generator).rounded()
            return Date(timeIntervalSinceReferenceDate: near.rounded() + seconds)
        default:
            let seconds = Double.random(in: -60...20, using: &generator)
            return Date(timeIntervalSinceReferenceDate: near + seconds)
        }
    }

    /// Lets time pass, mostly forward.
    mutating func wait(until next: Date?) {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: time.now += Double.random(in: 0...3, using: &generator)
        case 1: time.now += Double.random(in: 0...30, using: &generator).rounded()
        case 2: time.now -= Double.random(in: 0...30, using: &generator)
        default: if let next { time.now = next }
        }
    }
}
