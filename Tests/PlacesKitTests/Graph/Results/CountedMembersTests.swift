import Foundation
import PlacesKit
import Testing

/// A request that counts the members at the other end of a relationship.
@Suite struct CountedMembersTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture

    init() throws {
        world = try ResultsFixture()
    }

    /// Photos of places with more than two photos.
    private func watchBusyPlaces(
        by sort: [SortDescriptor<Photo>] = [SortDescriptor(\Photo.title)]
    ) throws -> ControllerLog {
        var request = FetchRequest<Photo>(sortBy: sort)
        request.format = try PredicateFormat("takenAt.photos.@count > 2")
        return ControllerLog(try FetchedResultsController(request, in: world.context))
    }

    @Test func `objects whose answer stays are not told of when the count changes`() throws {
        let place = world.place("Paris")
        for title in ["A", "B", "C"] { world.photo(title, at: place) }
        let log = try watchBusyPlaces()
        #expect(log.titles == "A B C")
        let fourth = world.photo("D", at: place)
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["insert 0/3"]])
        world.context.delete(fourth)
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["delete 0/3"]])
        #expect(log.mismatches == [])
    }

    @Test func `what members are asked is asked once for all of an owner, also in live results`()
        throws
    {
        let place = world.place("Paris")
        // Asked for this title eight times, a query gives up.
        world.photo(String(repeating: "a", count: 19) + "c", at: place)
        let others = (0..<20).map { world.photo("\($0)", at: place) }
        let request = try FetchRequest<Photo>(
            where: "SUBQUERY(takenAt.photos, $p, $p.title MATCHES %@).@count == 1", "(a+)+b|a+c")
        let results = try FetchedResultsController(request, in: world.context)
        let groups = try LiveGroups(
            GroupRequest(of: request, by: \.takenAt?.name, .count), in: world.context)
        others[0].title = "b"
        world.context.processPendingChanges()
        #expect(results.error == nil && results.snapshot.identifiers.count == 21)
        #expect(groups.error == nil && groups.groups.map { $0.1 } == [21])
        others[1].title = "aac"
        world.context.processPendingChanges()
        #expect(results.error == nil && results.snapshot.identifiers.count == 0)
        #expect(groups.error == nil && groups.groups.isEmpty)
        others[2].takenAt = nil
        others[1].title = "d"
        world.context.processPendingChanges()
        #expect(results.error == nil && results.snapshot.identifiers.count == 20)
        #expect(groups.error == nil && groups.groups.map { $0.1 } == [20])
    }

    @Test(arguments: [
        "SUBQUERY(takenAt.photos, $p, $p.title MATCHES %@).@count > views",
        "views + SUBQUERY(takenAt.photos, $p, $p.title MATCHES %@).@count == 1",
    ])
    func `what members come to is found once for all of an owner, whatever it is compared with`(
        format: String
    ) throws {
        let place = world.place("Paris")
        // Asked for this title eight times, a query gives up.
        world.photo(String(repeating: "a", count: 19) + "c", at: place)
        let others = (0..<20).map { world.photo("\($0)", views: $0 == 3 ? 1 : 0, at: place) }
        world.photo("nowhere", at: nil)
        let request = try FetchRequest<Photo>(where: format, "(a+)+b|a+c")
        #expect(try world.context.count(request) == 20)
        let results = try FetchedResultsController(request, in: world.context)
        #expect(results.snapshot.identifiers.count == 20)
        others[0].title = "b"
        others[3].views = 0
        world.context.processPendingChanges()
        #expect(results.error == nil && results.snapshot.identifiers.count == 21)
    }

    @Test(arguments: [
        // A number of members that each of the other members is compared with.
        "SUBQUERY(members, $p, $p.views < SUBQUERY(SELF.members, $q, $q.title MATCHES %@).@count)",
        // What is asked of the member alone, beside what compares it with the object.
        "20 + SUBQUERY(members, $p, $p.title MATCHES %@ AND $p.views == SELF.views)",
    ])
    func `what a subquery finds is found once for all of an owner, also where it reads the object`(
        format: String
    ) throws {
        let format = format.replacing("members", with: "takenAt.photos") + ".@count == 21"
        let place = world.place("Paris")
        // Asked for this title eight times, a query gives up.
        world.photo(String(repeating: "a", count: 19) + "c", at: place)
        for number in 0..<20 { world.photo("\(number)", at: place) }
        world.photo("nowhere", at: nil)
        #expect(try world.context.count(FetchRequest<Photo>(where: format, "(a+)+b|a+c")) == 21)
    }

    @Test(arguments: [
        ("views IN takenAt.photos.views", 3_000), ("ANY takenAt.photos.views == views + 1", 2_999),
        ("ANY takenAt.photos.views < views", 2_999), ("ALL takenAt.photos.title != title", 1),
        ("SUBQUERY(takenAt.photos, $p, $p.views > SELF.views).@count < 3", 3),
        ("SUBQUERY(takenAt.photos, $p, $p.views == views AND $p != SELF).@count > 0", 0),
        (
            "SUBQUERY(takenAt.photos, $p, $p.views > takenAt.photos.@avg.views).@count > views",
            1_500
        ),
        ("ALL takenAt.photos.views <= views", 2),
        ("ANY takenAt.photos.takenAt.photos.views == views + 1", 2_999),
        ("NONE takenAt.photos.takenAt.photos.views > views + 2", 4),
        ("SUBQUERY(takenAt.photos, $p, $p.views == 1 + views OR $p.title == '').@count > 0", 2_999),
    ])
    func `a value is looked up among those of an owner's members, each of which was asked`(
        format: String, count: Int
    ) throws {
        let place = world.place("Paris")
        for number in 0..<3_000 { world.photo("\(number)", views: number, at: place) }
        world.photo("nowhere", views: 1, at: nil)
        #expect(try world.context.count(FetchRequest<Photo>(where: format)) == count)
    }

    @Test func `objects whose answer changes come and go together`() throws {
        let place = world.place("Paris")
        for title in ["A", "B"] { world.photo(title, at: place) }
        let log = try watchBusyPlaces()
        #expect(log.titles == "")
        let third = world.photo("C", at: place)
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["insert 0/0", "insert 0/1", "insert 0/2"]])
        third.takenAt = nil
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["delete 0/0", "delete 0/1", "delete 0/2"]])
        #expect(log.mismatches == [])
    }

    @Test func `an object that changes itself, or is sorted by the count, is told of`() throws {
        let place = world.place("Paris")
        let photos = ["A", "B", "C"].map { world.photo($0, at: place) }
        let log = try watchBusyPlaces()
        let sorted = try watchBusyPlaces(by: [
            SortDescriptor(\.takenAt?.photos.count), SortDescriptor(\.title),
        ])
        photos[1].views = 7
        world.photo("D", at: place)
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["insert 0/3", "update 0/1"]])
        #expect(log.mismatches == [])
        #expect(sorted.takeEvents().first?.contains("update 0/0") == true)
        #expect(sorted.mismatches == [])
    }

    @Test func `what changed while the results were paused is told in the same way`() throws {
        let place = world.place("Paris")
        for title in ["A", "B", "C"] { world.photo(title, at: place) }
        let log = try watchBusyPlaces()
        log.results.isPaused = true
        world.photo("D", at: place)
        world.context.processPendingChanges()
        log.results.isPaused = false
        #expect(log.takeEvents() == [["insert 0/3"]])
        #expect(log.mismatches == [])
    }
}
