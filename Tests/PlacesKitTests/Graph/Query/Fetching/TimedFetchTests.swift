import Foundation
import PlacesKit
import Testing

/// Fetches whose predicates are functions of the time.
@Suite struct TimedFetchTests {
    private typealias Photo = TimedModel.Photo

    private let time = TestTime()
    private let store: GraphStore
    private let context: ManagedObjectContext

    init() throws {
        store = try time.store()
        context = ManagedObjectContext(store)
        for seconds in [10.0, 20, 30] {
            let photo = Photo(context: context)
            photo.title = "\(Int(seconds))"
            photo.lastViewed = Date(timeIntervalSinceReferenceDate: seconds)
        }
        try context.save()
    }

    private let recent = FetchRequest<Photo> { now in
        let (limit, past) = (now - 35, Date.distantPast)
        return #Predicate { ($0.lastViewed ?? past) > limit }
    }

    @Test func `a fetch asks the store's clock`() throws {
        #expect(try context.fetch(recent).map(\.title) == ["20", "30"])
        #expect(try context.first(recent)?.title == "20")
        time.now += 5
        #expect(try context.fetch(recent).map(\.title) == ["30"])
        #expect(try context.count(recent) == 1)
        #expect(try context.groups(GroupRequest(of: recent, by: \.title)).map(\.self) == ["30"])
        #expect(try store.snapshot().context().fetch(recent).map(\.title) == ["30"])
    }

    @Test func `now is the same in formats, however it is written`() throws {
        for now in ["now()", "NOW()", "Now( )"] {
            let request = try FetchRequest<Photo>(where: "lastViewed > \(now) - 35")
            #expect(try context.fetch(request).map(\.title) == ["20", "30"])
        }
        #expect(throws: PredicateFormatError.self) {
            try FetchRequest<Photo>(where: "lastViewed + 35 < now()")
        }
    }

    @Test func `a predicate beside one of the time counts too`() throws {
        var request = recent
        request.predicate = #Predicate { $0.title != "30" }
        #expect(try context.fetch(request).map(\.title) == ["20"])
        request.format = try PredicateFormat("title BEGINSWITH '3'")
        #expect(try context.fetch(request).isEmpty)
        request.predicate = #Predicate { $0.title.count == 2 && $0.isOld }
        #expect(try context.fetch(request).map(\.title) == ["30"])
    }

    @Test func `an explanation tells what moves with the time`() throws {
        let timing = try TimedModel.requests.map { name, request in
            (name, try request.explain(in: context).timing)
        }
        let told = Dictionary(uniqueKeysWithValues: timing)
        #expect(told["without time"] == [])
        #expect(told["viewed within 48 s"] == ["lastViewed > now - 48 s, followed by its index"])
        #expect(
            told["expires within ten seconds"] == [
                "expires >= now, followed by an order of its own",
                "expires < now + 10 s, followed by an order of its own",
            ])
        #expect(
            told["across a relationship in a format"] == [
                "takenAt.visited < now - 6 s, followed by an order of its own"
            ])
        #expect(
            told["viewed since the last full ten seconds"] == [
                "everything asked again at 2001-01-01T00:01:00Z, when it turns"
            ])
        #expect(
            told["viewed in this very instant or the next"] == [
                "asked again at each change, for the condition is another one from instant to instant"
            ])
        #expect(
            try recent.explain(in: context).description
                .hasSuffix("\ntime: lastViewed > now - 35 s, followed by its index"))
    }
}
