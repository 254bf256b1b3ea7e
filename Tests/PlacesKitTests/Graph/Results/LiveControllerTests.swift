import Foundation
import Observation
import PlacesKit
import PlacesKitTesting
import Testing

/// What one may do to a live controller.
@Suite struct LiveControllerTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture

    init() throws {
        world = try ResultsFixture()
    }

    // MARK: - Asking something else

    @Test func `another predicate is told as what comes and goes`() throws {
        for (number, title) in ["A", "B", "C", "D"].enumerated() {
            world.photo(title, views: number)
        }
        let log = try world.watch(where: #Predicate { $0.views < 2 })
        try log.results.setRequest(
            FetchRequest(
                predicate: #Predicate { $0.views > 0 }, sortBy: [SortDescriptor(\Photo.title)]))
        #expect(log.titles == "B C D")
        #expect(log.takeEvents() == [["delete 0/0", "insert 0/1", "insert 0/2"]])
        #expect(log.mismatches == [])
    }

    @Test func `another order is told as the fewest moves, without updates`() throws {
        for (number, title) in ["C", "A", "B", "D"].enumerated() {
            world.photo(title, views: number)
        }
        let log = try world.watch()
        try log.results.setRequest(FetchRequest(sortBy: [SortDescriptor(\Photo.views)]))
        #expect(log.titles == "C A B D")
        #expect(log.takeEvents() == [["move 0/2 to 0/0"]])
        #expect(log.mismatches == [])
        world.photo("E", views: 1)
        world.context.processPendingChanges()
        #expect(log.titles == "C A E B D")
    }

    @Test func `another window is told, and stays exact`() throws {
        for title in ["A", "B", "C", "D", "E"] { world.photo(title) }
        let log = try world.watch(limit: 2)
        var request = log.results.request
        request.limit = 3
        request.offset = 1
        try log.results.setRequest(request)
        #expect(log.titles == "B C D")
        world.context.delete(log.results.objects[0])
        world.context.processPendingChanges()
        #expect(log.titles == "C D E")
        #expect(
            log.takeEvents() == [
                ["delete 0/0", "insert 0/1", "insert 0/2"], ["delete 0/0", "insert 0/2"],
            ])
    }

    @Test func `a request that asks the same tells nothing`() throws {
        world.photo("A")
        let log = try world.watch()
        try log.results.setRequest(log.results.request)
        #expect(log.takeEvents() == [])
    }

    @Test func `a predicate that is not understood changes nothing`() throws {
        world.photo("A")
        let log = try world.watch()
        var request = log.results.request
        request.format = try PredicateFormat("nothing == 3")
        #expect(throws: ContextError.self) { try log.results.setRequest(request) }
        #expect(log.titles == "A")
        world.photo("B")
        world.context.processPendingChanges()
        #expect(log.titles == "A B")
    }

    @Test func `another request while being told leads to the same as later`() throws {
        world.photo("A", views: 1)
        let log = try world.watch()
        let other = try world.watch()
        let replay = log.results.onChange
        log.results.onChange = { [world, unowned log] change in
            replay?(change)
            guard log.results.request.limit == nil else { return }
            world.photo("0")
            world.context.processPendingChanges()
            var request = log.results.request
            request.limit = 1
            try? log.results.setRequest(request)
        }
        world.photo("B")
        world.context.processPendingChanges()
        #expect(log.titles == "0")
        #expect(other.titles == "0 A B")
        #expect(log.mismatches + other.mismatches == [])
    }

    // MARK: - Pausing

    @Test func `what happens in a pause is told as one change`() throws {
        let arch = world.photo("Arch")
        let bay = world.photo("Bay")
        let log = try world.watch()
        log.results.isPaused = true
        arch.title = "Cave"
        try world.context.save()
        #expect(log.titles == "Cave Bay")
        #expect(log.results.position(of: arch) == ItemPosition(section: 0, item: 0))
        world.context.delete(bay)
        world.photo("Dome")
        world.context.delete(world.photo("gone"))
        try world.context.save()
        #expect(log.takeEvents() == [])
        log.results.isPaused = false
        #expect(log.titles == "Cave Dome")
        #expect(log.takeEvents() == [["delete 0/1", "insert 0/1", "update 0/0"]])
        #expect(log.mismatches == [])
        log.results.isPaused = false
        #expect(log.takeEvents() == [])
    }

    @Test func `a pause without changes tells nothing`() throws {
        world.photo("Arch")
        let log = try world.watch()
        log.results.isPaused = true
        log.results.isPaused = false
        #expect(log.takeEvents() == [])
    }

    @Test func `a pause that ends while others are told ends when all are`() throws {
        let first = try world.watch()
        let paused = try world.watch()
        let last = try world.watch()
        paused.results.isPaused = true
        let replay = last.results.onChange
        last.results.onChange = { [world] change in
            replay?(change)
            guard paused.results.isPaused else { return }
            paused.results.isPaused = false
            world.photo("Bay")
            world.context.processPendingChanges()
        }
        world.photo("Arch")
        world.context.processPendingChanges()
        for log in [first, paused, last] {
            #expect(log.titles == "Arch Bay")
            #expect(log.mismatches == [])
        }
        #expect(!paused.results.isPaused)
        world.photo("Cave")
        world.context.processPendingChanges()
        #expect(paused.titles == "Arch Bay Cave")
    }

    @Test func `a list that moved its rows itself is not told of that`() throws {
        let arch = world.photo("Arch", views: 1)
        world.photo("Bay", views: 2)
        let sort = [SortDescriptor(\Photo.views)]
        let (log, other) = (try world.watch(by: sort), try world.watch(by: sort))
        log.results.withoutTelling { arch.views = 3 }
        #expect(log.titles == "Bay Arch")
        #expect(log.takeEvents() == [])
        #expect(other.takeEvents() == [["move 0/0 to 0/1"]])
        let before = log.results.snapshot
        var next: ResultsChange<ObjectID>?
        log.results.onChange = { next = $0 }
        world.photo("Cave", views: 4)
        world.context.processPendingChanges()
        #expect(next?.before == before)
        #expect(next?.difference.itemInserts.map(\.position.item) == [2])
    }

    @Test func `what others saved is told, though a list that moved its rows itself rolls back`()
        throws
    {
        world.photo("Arch", views: 1)
        let bay = world.photo("Bay", views: 2)
        try world.context.save()
        let log = try world.watch(by: [SortDescriptor(\Photo.views)])
        let other = ManagedObjectContext(world.store)
        let cave = Photo(context: other)
        (cave.title, cave.views) = ("Cave", 3)
        try other.save()
        log.results.withoutTelling {
            bay.views = 0
            world.context.processPendingChanges()
            world.context.rollback()
        }
        #expect(log.titles == "Arch Bay Cave")
        #expect(log.takeEvents() == [["insert 0/2"]])
    }

    // MARK: - Snapshots

    @Test func `results of a snapshot that looked at the time stay as they are after a pause`()
        throws
    {
        let time = TestTime()
        let store = try time.store()
        let context = ManagedObjectContext(store)
        TimedModel.Photo(context: context).expires = time.now + 10
        try context.save()
        let results = try FetchedResultsController(
            TimedModel.Request { now in
                let past = Date.distantPast
                return #Predicate { ($0.expires ?? past) > now }
            }, in: store.snapshot())
        time.now += 20
        results.isPaused = true
        results.isPaused = false
        #expect(results.objects.count == 1)
    }

    @Test func `results of a snapshot stay as they are`() throws {
        let nice = world.place("Nice", in: "France")
        let arch = world.photo("Arch", at: nice)
        try world.context.save()
        let results = try FetchedResultsController(
            FetchRequest<Photo>(), sectionBy: \.takenAt?.country, in: world.store.snapshot())
        world.context.delete(arch)
        try world.context.save()
        #expect(results.objects.map(\.title) == ["Arch"])
        #expect(results.sections.map(\.name) == ["France"])
        #expect(
            try FetchedResultsController(FetchRequest<Photo>(), in: world.store.snapshot())
                .objects.isEmpty)
    }

    // MARK: - Sections

    @Test func `sections have names, titles, counts and objects`() throws {
        for (title, country) in [("B", "italy"), ("A", "Iran"), ("C", "France"), ("D", "Italy")] {
            world.photo(title, at: world.place(title, in: country))
        }
        world.photo("E")
        let results = try world.watchCountries().results
        #expect(results.sections.map(\.name) == ["", "France", "Iran", "Italy", "italy"])
        #expect(results.sections.map(\.indexTitle) == ["", "F", "I", "I", "I"])
        #expect(results.sections.map(\.objects.count) == [1, 1, 1, 1, 1])
        #expect(results.sections[3].objects.map(\.title) == ["D"])
        #expect(results.sectionIndexTitles == ["", "F", "I"])
        #expect(results.section(forSectionIndexTitle: "I") == 2)
        #expect(results.section(forSectionIndexTitle: "X") == nil)
        results.sectionIndexTitle = { String($0.count) }
        #expect(results.sectionIndexTitles == ["0", "6", "4", "5"])
        #expect(results.section(forSectionIndexTitle: "5") == 3)
    }

    @Test func `index paths are positions`() throws {
        let photo = world.photo("Arch", at: world.place("Nice", in: "France"))
        world.photo("Bay")
        let results = try world.watchCountries().results
        #expect(results.indexPath(of: photo) == IndexPath(indexes: [1, 0]))
        #expect(results.object(at: IndexPath(indexes: [1, 0])) === photo)
        #expect(results.object(at: IndexPath(indexes: [1, 1])) == nil)
        #expect(results.object(at: IndexPath(indexes: [1])) == nil)
        let other = try FetchedResultsController(FetchRequest<Photo>(), in: world.store.snapshot())
        #expect(other.position(of: photo) == nil)
    }

    // MARK: - Being told

    @Test func `a delegate is told in brackets, sections first`() throws {
        let (rome, nice) = (world.place("Rome", in: "Italy"), world.place("Nice", in: "France"))
        let arch = world.photo("Arch", at: nice)
        let results = try world.watchCountries().results
        let delegate = Listing()
        results.delegate = delegate
        arch.takenAt = rome
        world.photo("Bay", at: rome)
        world.context.processPendingChanges()
        #expect(
            delegate.calls == [
                "will [\"France\"]", "delete section France", "insert section Italy", "insert",
                "move",
                "1 insert", "did [\"Italy\"]",
            ])
        delegate.calls = []
        world.context.processPendingChanges()
        #expect(delegate.calls == [])
        results.delegate = nil
        world.photo("Cave", at: rome)
        world.context.processPendingChanges()
        #expect(delegate.calls == [])
    }

    private final class Listing: FetchedResultsControllerDelegate {
        var calls: [String] = []

        func controllerWillChangeContent(_ controller: FetchedResultsController<Photo>) {
            calls.append("will \(controller.sections.map(\.name))")
        }

        func controller(
            _ controller: FetchedResultsController<Photo>,
            didChange section: ResultsDifference<ObjectID>.SectionEvent
        ) {
            switch section {
            case .delete(let section): calls.append("delete section \(section.name)")
            case .insert(let section): calls.append("insert section \(section.name)")
            case .move(let section): calls.append("move section \(section.name)")
            case .rename(let section): calls.append("rename section \(section.name)")
            }
        }

        func controller(
            _ controller: FetchedResultsController<Photo>,
            didChange item: ResultsDifference<ObjectID>.ItemEvent
        ) {
            switch item {
            case .delete: calls.append("delete")
            case .insert: calls.append("insert")
            case .move: calls.append("move")
            case .update: calls.append("update")
            }
        }

        func controller(
            _ controller: FetchedResultsController<Photo>,
            didChangeContentWith change: ResultsChange<ObjectID>
        ) {
            calls.append("\(change.difference.itemInserts.count) insert")
        }

        func controllerDidChangeContent(_ controller: FetchedResultsController<Photo>) {
            calls.append("did \(controller.sections.map(\.name))")
        }
    }

    @Test func `whoever reads the results is told by observation that they change`() throws {
        final class Count { var value = 0 }
        let results = try world.watch().results
        nonisolated(unsafe) let count = Count()
        func observe(_ read: () -> Void) {
            withObservationTracking(read) { count.value += 1 }
        }
        for read in [
            { _ = results.objects.count }, { _ = results.sections.count },
            { _ = results.snapshot }, { _ = results.object(at: ItemPosition(section: 0, item: 0)) },
        ] {
            count.value = 0
            observe(read)
            _ = world.place("Nowhere")
            world.context.processPendingChanges()
            #expect(count.value == 0)
            world.photo("Arch")
            world.context.processPendingChanges()
            #expect(count.value == 1)
        }
    }

    @Test func `events name the properties that changed, of related objects too`() throws {
        let nice = world.place("Nice", in: "France")
        let arch = world.photo("Arch", at: nice)
        let log = try world.watchCountries()
        arch.views = 3
        arch.isFavorite = true
        world.context.processPendingChanges()
        #expect(
            log.changes.first?.difference.itemUpdates.map(\.properties)
                == [["views", "isFavorite"]])
        nice.country = "Monaco"
        nice.name = "Nizza"
        world.context.processPendingChanges()
        let change = try #require(log.changes.last)
        #expect(change.difference.itemUpdates.map(\.properties) == [["takenAt.country"]])
        #expect(change.difference.sectionRenames.map(\.name) == ["Monaco"])
        #expect(change.reloadedIdentifiers == [arch.objectID])
        arch.takenAt = nil
        world.context.processPendingChanges()
        #expect(log.changes.last?.difference.itemMoves.map(\.properties) == [["takenAt"]])
    }

    @Test func `of several properties of a related object, those are named that changed`() throws {
        let nice = world.place("Nice", in: "France")
        world.photo("Arch", at: nice)
        let log = try world.watch(
            where: #Predicate { $0.takenAt?.country == "France" },
            by: [SortDescriptor(\.takenAt?.name)])
        func names(_ change: () -> Void) -> [Set<String>]? {
            change()
            world.context.processPendingChanges()
            return log.changes.last?.difference.itemUpdates.map(\.properties)
        }
        #expect(names { nice.name = "Nizza" } == [["takenAt.name"]])
        let request = FetchRequest<ResultsModel.Photo>(
            sortBy: [SortDescriptor(\.takenAt?.country), SortDescriptor(\.takenAt?.name)])
        let all = ControllerLog(try FetchedResultsController(request, in: world.context))
        nice.country = "Monaco"
        nice.name = "Monte"
        world.context.processPendingChanges()
        #expect(
            all.changes.last?.difference.itemUpdates.map(\.properties)
                == [["takenAt.country", "takenAt.name"]])
    }

    @Test func `a section that its only object left by itself is not renamed`() throws {
        let (rome, nice) = (world.place("Rome", in: "Italy"), world.place("Nice", in: "France"))
        let arch = world.photo("Arch", at: nice)
        let log = try world.watchCountries()
        arch.takenAt = rome
        world.context.processPendingChanges()
        #expect(
            log.takeEvents() == [
                ["delete section 0 France", "insert section 0 Italy", "move 0/0 to 0/0"]
            ])
    }

    @Test func `old positions stay readable`() throws {
        let photos = ["Arch", "Bay", "Cave"].map { world.photo($0) }
        let log = try world.watch()
        photos[0].title = "Dome"
        world.context.processPendingChanges()
        photos[1].title = "East"
        world.context.processPendingChanges()
        let before = try #require(log.changes.first?.before)
        #expect(photos.map { before.position(of: $0.objectID)?.item } == [0, 1, 2])
        #expect(Array(before.identifiers) == photos.map(\.objectID))
    }
}
