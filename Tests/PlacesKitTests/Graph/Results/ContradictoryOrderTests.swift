import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Live lists and groups in an order of somebody's own that contradicts itself.
@Suite struct ContradictoryOrderTests {
    private typealias Photo = ResultsModel.Photo

    @Test func `a change takes no look at the whole window, whoever's order that is`() throws {
        let context = ManagedObjectContext(try ResultsModel.store())
        let photos = try (0..<20_000).map { number in
            let photo = try context.insert(Photo.self)
            photo.title = "\(10_000_000 + number * 10)"
            return photo
        }
        let list = try FetchedResultsController(
            FetchRequest(sortBy: [SortDescriptor(\Photo.title, comparator: .lexical)], offset: 1),
            in: context)
        // Each goes behind the next one; the first two change places over the edge of the window.
        for number in 0..<4_000 {
            photos[number * 2].title = "\(10_000_000 + number * 20 + 15)"
            context.processPendingChanges()
        }
        var expected = photos.map(\.objectID)
        for number in 0..<4_000 { expected.swapAt(number * 2, number * 2 + 1) }
        #expect(Array(list.snapshot.identifiers) == Array(expected.dropFirst()))
    }

    @Test(arguments: UInt64(1)...6)
    func `they show what matches, each once, and tell changes that lead from one to the next`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let context = ManagedObjectContext(try ResultsModel.store())
        let order = [SortDescriptor(\Photo.views, comparator: Nonsense())]
        func request(_ limit: Int? = nil) -> FetchRequest<Photo> {
            FetchRequest(predicate: #Predicate { $0.title != "" }, sortBy: order, limit: limit)
        }
        let lists = [
            try FetchedResultsController(request(), in: context),
            try FetchedResultsController(request(), sectionBy: \.title, in: context),
            try FetchedResultsController(request(9), in: context),
            try FetchedResultsController(request(9), sectionBy: \.title, in: context),
        ]
        var told = lists.map { Set($0.snapshot.identifiers) }
        for (index, list) in lists.enumerated() {
            list.onChange = { told[index] = Set($0.after.identifiers) }
        }
        var photos: [Photo] = []
        for round in 0..<300 {
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let photo = photos.randomElement(using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where photos.count < 60: photos.append(try context.insert(Photo.self))
                case 1:
                    guard let photo else { continue }
                    context.delete(photo)
                    photos.removeAll { $0 === photo }
                default: photo?.views = Int.random(in: 0..<100, using: &generator)
                }
                photo?.title = ["A", "B", "C", ""].randomElement(using: &generator) ?? ""
            }
            photos.removeAll(where: \.isDeleted)
            context.processPendingChanges()
            let matching = Set(photos.filter { !$0.title.isEmpty }.map(\.objectID))
            for (index, list) in lists.enumerated() {
                let place = "seed \(seed), round \(round), list \(index)"
                let shown = Array(list.snapshot.identifiers)
                #expect(Set(shown).count == shown.count && Set(shown) == told[index], "\(place)")
                #expect(Set(shown).isSubset(of: matching), "\(place)")
                #expect(shown.count == min(matching.count, index < 2 ? .max : 9), "\(place)")
                #expect(list.objects.map(\.objectID) == shown, "\(place)")
                #expect(
                    list.sections.flatMap { $0.objects.map(\.objectID) } == shown, "\(place)")
            }
        }
    }

    @Test func `an object of which a rule makes another section meanwhile is listed once`() throws {
        let (time, context) = (TestTime(), ManagedObjectContext(try ResultsModel.store()))
        let photo = try context.insert(Photo.self)
        photo.title = "A"
        let rule = SectionRule<Photo>(\.title) { title in
            "\(title) at \(Int(time.now.timeIntervalSinceReferenceDate))"
        }
        let list = try FetchedResultsController(FetchRequest(), sectionBy: rule, in: context)
        #expect(list.sections.map(\.name) == ["A at 50"])
        time.now += 1
        photo.views = 1
        context.processPendingChanges()
        #expect(list.sections.map(\.name) == ["A at 51"])
        #expect(Array(list.snapshot.identifiers) == [photo.objectID])
    }

    @Test(arguments: UInt64(1)...3)
    func `live groups show each group once, and none when its objects are gone`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let context = ManagedObjectContext(try ResultsModel.store())
        let titles = ["A", "B", "C", "D", "E"]
        let photos = titles.map { title in
            let photo = Photo(context: context)
            photo.title = title
            return photo
        }
        let live = try LiveGroups(
            GroupRequest(by: \Photo.title, .max(\.views))
                .sorted { _, views in Roughly(number: views) }, in: context)
        for round in 0..<400 {
            for photo in photos where Bool.random(using: &generator) {
                photo.views = Int.random(in: 0..<20, using: &generator)
            }
            context.processPendingChanges()
            #expect(live.groups.map { $0.0 }.sorted() == titles, "seed \(seed), round \(round)")
        }
        for photo in photos { context.delete(photo) }
        context.processPendingChanges()
        #expect(live.groups.isEmpty && live.snapshot.identifiers.isEmpty)
    }

    @Test(arguments: UInt64(1)...3)
    func `the objects of live groups are all that match, each once`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let context = ManagedObjectContext(try ResultsModel.store())
        let objects = FetchRequest<Photo>(
            sortBy: [SortDescriptor(\Photo.views, comparator: Nonsense())])
        let live = try LiveGroups(
            GroupRequest(of: objects, by: \Photo.title, .identifiers), in: context)
        var photos = (0..<30).map { _ in Photo(context: context) }
        for round in 0..<200 {
            for photo in photos where Bool.random(using: &generator) {
                photo.views = Int.random(in: 0..<100, using: &generator)
                photo.title = ["A", "B", "C"].randomElement(using: &generator) ?? ""
            }
            if photos.count > 5, let photo = photos.randomElement(using: &generator) {
                context.delete(photo)
                photos.removeAll { $0 === photo }
            }
            context.processPendingChanges()
            let shown = live.groups.flatMap { $0.1 }
            #expect(shown.count == photos.count, "seed \(seed), round \(round)")
            #expect(Set(shown) == Set(photos.map(\.objectID)), "seed \(seed), round \(round)")
        }
    }
}

/// Equal where numbers are near: as people write such things.
private struct Roughly: Comparable {
    var number: Int

    static func == (left: Self, right: Self) -> Bool { abs(left.number - right.number) <= 2 }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number - 2 }
}
