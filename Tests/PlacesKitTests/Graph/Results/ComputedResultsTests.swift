import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Results that look at computed properties are of the graph that a change leads to, whatever else is
/// changed while it is told.
@Suite struct ComputedResultsTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture
    private let first: Photo
    private let second: Photo

    init() throws {
        world = try ResultsFixture()
        first = world.photo("A1")
        second = world.photo("B2")
        world.context.processPendingChanges()
    }

    /// Lets a title be another one while those who come meanwhile are told of a change, and changes it
    /// back before the change was told.
    private func intrude(
        changing photo: Photo, to title: String, _ body: () throws -> Void
    ) rethrows -> [ChangeSubscription] {
        let old = photo.title
        var isDone = (false, false)
        let early = world.context.onChange { _ in
            if !isDone.0 { photo.title = title }
            isDone.0 = true
        }
        try body()
        let late = world.context.onChange { _ in
            if !isDone.1 { photo.title = old }
            isDone.1 = true
        }
        return [early, late]
    }

    /// Tells of a change of another photo.
    private func change() {
        world.photo("C3")
        world.context.processPendingChanges()
        // What was changed back comes to nothing.
        world.context.processPendingChanges()
    }

    private static let startsWithA = #Predicate<Photo> { $0.initial == "A" }
    private static let byInitial = SortDescriptor<Photo>(\.initial, order: .reverse)

    @Test func `a computed predicate is asked of the objects as they are after the change told`()
        throws
    {
        var log: ControllerLog?
        let intruders = try intrude(changing: first, to: "Z") {
            log = try world.watch(where: Self.startsWithA)
        }
        change()
        #expect(log?.titles == "A1")
        #expect(log?.changes.isEmpty == true)
        _ = intruders
    }

    @Test func `a computed order is that of the objects as they are after the change told`() throws
    {
        var log: ControllerLog?
        let intruders = try intrude(changing: first, to: "Z") {
            log = try world.watch(by: [Self.byInitial])
        }
        change()
        #expect(log?.titles == "C3 B2 A1")
        #expect(log?.takeEvents() == [["insert 0/0"]])
        _ = intruders
    }

    @Test func `computed sections are those of the objects as they are after the change told`()
        throws
    {
        var log: ControllerLog?
        let intruders = try intrude(changing: first, to: "Z") {
            log = ControllerLog(
                try FetchedResultsController(
                    FetchRequest(sortBy: [SortDescriptor(\Photo.title)]), sectionBy: \.initial,
                    in: world.context))
        }
        change()
        #expect(log?.results.snapshot.sections.map(\.name) == ["A", "B", "C"])
        #expect(log?.mismatches == [])
        _ = intruders
    }

    @Test func `groups that are asked for again are those after the change told`() throws {
        var groups: LiveGroups<Photo, String, Int>?
        let intruders = try intrude(changing: first, to: "Z") {
            groups = try LiveGroups(
                GroupRequest(by: \Photo.initial, .count), in: world.context)
        }
        #expect(groups?.notKept.isEmpty == false)
        change()
        #expect(groups.map { Set($0.groups.map(\.0)) } == ["A", "B", "C"])
        _ = intruders
    }

    @Test func `an aggregate over a computed predicate is that after the change told`() throws {
        var count: LiveAggregate<Photo, Int>?
        let intruders = try intrude(changing: first, to: "Z") {
            count = try LiveAggregate(
                FetchRequest(predicate: Self.startsWithA), .count, in: world.context)
        }
        change()
        #expect(count?.value == 1)
        _ = intruders
    }

    @Test
    func `an object that is deleted and undone while others are told stays among the results`()
        throws
    {
        world.context.isUndoEnabled = true
        let context = world.context
        let photo = first
        var isDone = false
        let early = context.onChange { _ in
            if !isDone { context.delete(photo) }
        }
        let log = try world.watch(where: Self.startsWithA, by: [Self.byInitial])
        let late = context.onChange { _ in
            if !isDone { context.undo() }
            isDone = true
        }
        change()
        context.processPendingChanges()
        #expect(log.titles == "A1")
        #expect(log.mismatches == [])
        _ = [early, late]
    }

    @Test func `a change that listeners save is told after the one at hand, each as it was`() throws
    {
        let context = world.context
        let photo = first
        var isDone = false
        let early = context.onChange { _ in
            guard !isDone else { return }
            isDone = true
            photo.title = "Z"
            try? context.save()
            photo.title = "A1"
            try? context.save()
        }
        let log = try world.watch(where: Self.startsWithA)
        change()
        #expect(log.titles == "A1")
        #expect(log.takeEvents() == [["delete 0/0"], ["insert 0/0"]])
        #expect(log.mismatches == [])
        _ = early
    }

    @Test func `a request that is changed by a listener is answered from what was told`() throws {
        let log = try world.watch()
        let photo = first
        var isDone = false
        let early = world.context.onChange { _ in
            guard !isDone else { return }
            isDone = true
            try? log.results.setRequest(
                FetchRequest(
                    predicate: Self.startsWithA, sortBy: [SortDescriptor(\Photo.title)]))
        }
        change()
        photo.title = "Z"
        photo.title = "A1"
        world.context.processPendingChanges()
        #expect(log.titles == "A1")
        #expect(log.mismatches == [])
        _ = early
    }

    @Test func `computed and compiled results agree whatever listeners write`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let context = world.context
        var photos = [first, second] + (0..<10).map { world.photo("C\($0)") }
        context.processPendingChanges()
        var generation = 0
        var subscriptions: [ChangeSubscription] = []
        var pairs: [(computed: ControllerLog, compiled: ControllerLog)] = []
        for _ in 0..<3 {
            subscriptions.append(
                context.onChange { _ in
                    generation += 1
                    guard generation % 12 != 0 else { return }
                    let photo = photos.randomElement(using: &generator)
                    photo?.title = ["A", "B", "C"].randomElement(using: &generator) ?? ""
                    photo?.views = Int.random(in: 0..<3, using: &generator)
                })
            pairs.append(
                (
                    try world.watch(where: #Predicate { $0.initial == "A" }),
                    try world.watch(where: #Predicate { $0.title.starts(with: "A") })
                ))
        }
        for round in 0..<100 {
            let photo = world.photo("A\(round)")
            photos.append(photo)
            context.processPendingChanges()
            context.processPendingChanges()
            for (computed, compiled) in pairs {
                #expect(
                    computed.results.snapshot == compiled.results.snapshot,
                    "seed \(seed), round \(round)")
                #expect(computed.mismatches == [], "seed \(seed), round \(round)")
            }
        }
    }
}
