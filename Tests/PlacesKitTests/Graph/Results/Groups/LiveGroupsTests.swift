import Foundation
import Observation
import PlacesKit
import PlacesKitTesting
import Testing

/// Live groups and totals: what they tell, and to whom.
@Suite struct LiveGroupsTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture

    init() throws {
        world = try ResultsFixture()
    }

    /// Countries by the views of their photos, most first.
    private var ranking: GroupRequest<Photo, String?, Int, Int> {
        GroupRequest(by: \Photo.takenAt?.country, .sum(\.views), .count)
            .sorted(.reverse) { _, views, _ in views }
    }

    private func text<Key>(_ change: ResultsChange<GroupID<Key>>) -> [String] {
        let difference = change.difference
        return difference.itemDeletes.map { "delete \($0.position.item)" }
            + difference.itemInserts.map { "insert \($0.position.item)" }
            + difference.itemMoves.map { "move \($0.oldPosition.item) to \($0.newPosition.item)" }
            + difference.itemUpdates.map { "update \($0.newPosition.item)" }
    }

    @Test func `groups come, go, move and are updated`() throws {
        let (rome, paris) = (world.place("Rome", in: "Italy"), world.place("Paris", in: "France"))
        let arch = world.photo("Arch", views: 3, at: rome)
        let live = try LiveGroups(ranking, in: world.context)
        var events: [[String]] = []
        live.onChange = { events.append(text($0)) }
        func told(_ change: () -> Void) -> [[String]] {
            change()
            world.context.processPendingChanges()
            defer { events = [] }
            return events
        }
        #expect(live.groups.map { $0.0 } == ["Italy"])
        var tower: Photo?
        #expect(told { tower = world.photo("Tower", views: 1, at: paris) } == [["insert 1"]])
        #expect(told { tower?.views = 2 } == [["update 1"]])
        #expect(told { tower?.views = 5 } == [["move 1 to 0"]])
        #expect(told { tower?.title = "Eiffel" } == [])
        #expect(told { paris.country = "Italy" } == [["delete 0", "update 0"]])
        #expect(live.groups.map { $0.1 } == [8])
        #expect(told { rome.country = nil } == [["insert 1", "update 0"]])
        #expect(live.groups.map { $0.0 } == ["Italy", nil])
        #expect(
            told {
                world.context.delete(arch)
                world.photo("Bay", views: 3, at: rome)
            } == [])
        #expect(told { for photo in rome.photos { world.context.delete(photo) } } == [["delete 1"]])
        #expect(live.snapshot.identifiers.map(\.key) == ["Italy"])
        #expect(live.notKept.isEmpty)
    }

    @Test func `a window and a condition on groups are exact`() throws {
        for (number, country) in ["A", "B", "C"].enumerated() {
            world.photo(country, views: number, at: world.place(country, in: country))
        }
        let live = try LiveGroups(
            ranking.having { _, views, _ in views < 10 }.limited(to: 2), in: world.context)
        var events: [[String]] = []
        live.onChange = { events.append(text($0)) }
        #expect(live.groups.map { $0.0 } == ["C", "B"])
        let photo = try #require(
            try world.context.first(FetchRequest<Photo>(predicate: #Predicate { $0.title == "C" })))
        photo.views = 10
        world.context.processPendingChanges()
        #expect(live.groups.map { $0.0 } == ["B", "A"])
        #expect(events == [["delete 0", "insert 1"]])
    }

    @Test func `objects of a group come, go and change places`() throws {
        let request = GroupRequest(
            of: FetchRequest<Photo>(sortBy: [SortDescriptor(\.views)]), by: \.takenAt?.country,
            .identifiers)
        let (rome, paris) = (world.place("Rome", in: "Italy"), world.place("Paris", in: "France"))
        let (arch, bay) = (
            world.photo("Arch", views: 1, at: rome), world.photo("Bay", views: 2, at: rome)
        )
        let live = try LiveGroups(request, in: world.context)
        var events: [[String]] = []
        live.onChange = { events.append(text($0)) }
        func members() -> [[String]] {
            world.context.processPendingChanges()
            return live.groups.map { world.context.objects(Photo.self, with: $0.1).map(\.title) }
        }
        #expect(members() == [["Arch", "Bay"]])
        arch.views = 3
        #expect(members() == [["Bay", "Arch"]])
        arch.title = "Arc"
        #expect(members() == [["Bay", "Arc"]] && events == [["update 0"]])
        bay.takenAt = paris
        #expect(Set(members()) == [["Bay"], ["Arc"]])
        // One goes and another comes: as many, but not the same.
        world.context.delete(arch)
        world.photo("Cave", at: rome)
        #expect(Set(members()) == [["Bay"], ["Cave"]])
        #expect(events.count == 3 && live.notKept.isEmpty)
    }

    @Test func `a condition is asked only of groups that have changed`() throws {
        nonisolated(unsafe) var asked: [String?] = []
        for country in ["A", "B", "C"] {
            world.photo(country, at: world.place(country, in: country))
        }
        let request = ranking.having { country, _, _ in
            asked.append(country)
            return country != "B"
        }
        let live = try LiveGroups(request, in: world.context)
        asked = []
        world.photo("More", at: world.place("Paris", in: "C"))
        world.context.processPendingChanges()
        #expect(asked == ["C"] && live.groups.count == 2)
    }

    @Test func `what is not a number is one key`() throws {
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        let live = try LiveGroups(GroupRequest(by: \Specimen.maybeDouble, .count), in: context)
        var recorder = ResultsRecorder(live.snapshot)
        var findings: [String] = []
        live.onChange = { change in
            do throws(ResultsMismatch) {
                try recorder.replay(change)
            } catch {
                findings.append(error.description)
            }
        }
        for value in [Double.nan, 0.0, -.nan, -0.0, nil] {
            Specimen(context: context).maybeDouble = value
            context.processPendingChanges()
        }
        #expect(live.groups.map { $0.1 } == [2, 2, 1])
        #expect(findings == [])
        #expect(recorder.changes.count == 5)
    }

    @Test func `what changes of a group while it is out of the window is told when it is back`()
        throws
    {
        let bay = world.photo("Bay")
        let request = GroupRequest(by: \Photo.title, .sum(\.views))
            .sorted { title, _ in title }
            .limited(to: 1)
        let live = try LiveGroups(request, in: world.context)
        var changes: [ResultsChange<GroupID<String>>] = []
        live.onChange = { changes.append($0) }
        let arch = world.photo("Arch")
        world.context.processPendingChanges()
        bay.views = 3
        world.context.processPendingChanges()
        world.context.delete(arch)
        world.context.processPendingChanges()
        #expect(changes.map { text($0) } == [["delete 0", "insert 0"], ["delete 0", "insert 0"]])
        #expect(text(changes[0].followed(by: changes[1])) == ["update 0"])
    }

    @Test func `a computed key that is not a number is one group, of which all changes are told`()
        throws
    {
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        let live = try LiveGroups(GroupRequest(by: \Specimen.halved, .count), in: context)
        var events: [[String]] = []
        live.onChange = { events.append(text($0)) }
        for value in [1, Double.nan, .nan] {
            Specimen(context: context).double = value
            context.processPendingChanges()
        }
        #expect(live.groups.map { $0.1 } == [1, 2])
        #expect(events == [["insert 0"], ["insert 1"], ["update 1"]])
    }

    @Test func `groups of a date that is not a number are described`() throws {
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        Specimen(context: context).maybeDate = Date(timeIntervalSinceReferenceDate: .nan)
        let live = try LiveGroups(GroupRequest(by: \Specimen.maybeDate, .count), in: context)
        let id = try #require(live.snapshot.identifiers.first)
        #expect(live.snapshot.description.contains(id.description))
    }

    @Test func `keys of which one is not a number are told apart by the others`() throws {
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        let live = try LiveGroups(
            GroupRequest(by: .keys(\Specimen.maybeDouble, \.maybeFlag), .count), in: context)
        #expect(live.notKept.isEmpty)
        var recorder = ResultsRecorder(live.snapshot)
        var findings: [String] = []
        live.onChange = { change in
            do throws(ResultsMismatch) {
                try recorder.replay(change)
            } catch {
                findings.append(error.description)
            }
        }
        for flag in [true, false, true] {
            let specimen = Specimen(context: context)
            specimen.maybeDouble = .nan
            specimen.maybeFlag = flag
            context.processPendingChanges()
        }
        #expect(live.groups.map { $0.1 } == [2, 1])
        #expect(Set(live.snapshot.identifiers).count == 2)
        #expect(findings == [])
        #expect(recorder.changes.count == 3)
    }

    @Test func `totals follow, and are told only when they change`() throws {
        let live = try LiveAggregate(
            FetchRequest<Photo>(predicate: #Predicate { $0.views > 1 }), .count, .sum(\.views),
            .max(\.title), in: world.context)
        var calls = 0
        live.onChange = { calls += 1 }
        #expect(live.value == nil)
        let photo = world.photo("Arch", views: 2)
        world.photo("Bay", views: 1)
        world.context.processPendingChanges()
        #expect(live.value.map { $0.0 } == 1 && live.value.map { $0.2 } == "Arch")
        photo.isFavorite = true
        world.context.processPendingChanges()
        #expect(calls == 1)
        photo.views = 7
        try world.context.save()
        #expect(live.value.map { $0.1 } == 7)
        world.context.delete(photo)
        world.context.processPendingChanges()
        #expect(live.value == nil)
        #expect(calls == 3)
    }

    @Test func `streams tell what happened as one change for each time they are read, and end`()
        async throws
    {
        var live: LiveGroups? = try LiveGroups(ranking, in: world.context)
        var total: LiveAggregate? = try LiveAggregate(
            FetchRequest<Photo>(), .count, in: world.context)
        let (changes, signals) = (try #require(live?.changes), try #require(total?.changes))
        let late = try #require(live?.changes)
        var iterator = changes.makeAsyncIterator()
        for country in ["A", "B", "C"] {
            world.photo(country, at: world.place(country, in: country))
            world.context.processPendingChanges()
            if country == "A" {
                #expect(await iterator.next()?.after.identifiers.count == 1)
            }
        }
        #expect(total?.value == 3)
        live = nil
        total = nil
        #expect(await iterator.next()?.difference.itemInserts.count == 2)
        #expect(await iterator.next() == nil)
        var counts: [Int] = []
        for await change in late { counts.append(change.after.identifiers.count) }
        #expect(counts == [3])
        var signalCount = 0
        for await _ in signals { signalCount += 1 }
        #expect(signalCount == 1)
    }

    @Test func `a stream asked for in a callback begins with what is shown there`() async throws {
        var live: LiveGroups? = try LiveGroups(ranking, in: world.context)
        var total: LiveAggregate? = try LiveAggregate(
            FetchRequest<Photo>(), .count, in: world.context)
        var changes: ChangeStream<ResultsChange<GroupID<String?>>>?
        var signals: AsyncStream<Void>?
        live?.onChange = { [weak live] _ in changes = live?.changes }
        total?.onChange = { [weak total] in signals = total?.changes }
        world.photo("Arch")
        world.context.processPendingChanges()
        (live, total) = (nil, nil)
        var consumer = try #require(changes).makeAsyncIterator()
        #expect(await consumer.next() == nil)
        for await _ in try #require(signals) { Issue.record("the value was known") }
    }

    @Test func `whoever reads groups under observation is told`() throws {
        let live = try LiveGroups(ranking, in: world.context)
        let total = try LiveAggregate(FetchRequest<Photo>(), .count, in: world.context)
        nonisolated(unsafe) var told = 0
        withObservationTracking {
            _ = live.groups
        } onChange: {
            told += 1
        }
        withObservationTracking {
            _ = total.value
        } onChange: {
            told += 10
        }
        world.photo("Arch")
        world.context.processPendingChanges()
        #expect(told == 11)
    }

    @Test func `groups that nobody keeps leave nothing behind`() throws {
        var live: LiveGroups? = try LiveGroups(ranking, in: world.context)
        weak let dropped = live
        #expect(live != nil)
        live = nil
        #expect(dropped == nil)
        world.photo("Arch")
        world.context.processPendingChanges()
    }

    @Test func `a class that is no part of the model is refused`() throws {
        #expect(throws: ContextError.self) {
            try LiveGroups(GroupRequest(by: \Specimen.text, .count), in: world.context)
        }
        let malformed = FetchRequest<Photo>()
        var request = malformed
        request.format = try PredicateFormat("titel == 'Arch'")
        #expect(throws: ContextError.self) {
            try LiveAggregate(request, .count, in: world.context)
        }
    }
}
