import Foundation
import PlacesKit

@testable import PlacesGraph
@testable import PlacesKitTests

/// All parts of the random tests over one store, driven by one generator: contexts that merge, a child,
/// undo, hooks, listeners, lists, counters, the time and a document.
///
/// The graph and its naive twin are those of `RandomGraphRun`; each other part stands in a file of its own.
final class RandomMachine {
    typealias Difference = RandomGraphRun.Difference

    private(set) var graph: RandomGraphRun
    private(set) var clerks: MachineClerks
    private let document: MachineDocument
    private let time: TestTime
    private let ear: Ear
    private let intruder: MachineIntruder
    private let lists: [WatchedMachineList]
    /// The steps so far, in words.
    private(set) var history: [String] = []

    /// Makes a machine whose document is at a URL where nothing is yet.
    init(seed: UInt64, at url: URL) async throws {
        let time = TestTime()
        self.time = time
        document = try await MachineDocument(at: url) { time.now }
        let store = document.document.store
        let world = MachineModel.world { time.now }
        ear = MachineModel.ear(world)
        var graph = RandomGraphRun(seed: seed, world: world, store: store)
        clerks = try MachineClerks(&graph, store)
        let context = graph.sides[0].context
        // One listener hears of changes before the lists do, and one after them.
        let intruder = MachineIntruder()
        self.intruder = intruder
        _ = context.addListener { _ in intruder.hearFirst() }
        lists = try MachineList.all.map { try WatchedMachineList($0, in: context) }
        _ = context.addListener { _ in intruder.hearLast() }
        self.graph = graph
    }

    /// Makes one step, and compares all that should be the same afterwards.
    func step() async throws {
        try Ear.$current.withValue(Ear.UnsafeEar(ear: ear)) {
            history.append(try change())
            try compare()
        }
        guard history.count.isMultiple(of: 100) else { return }
        let store = document.document.store
        let reopened = try await document.reopened(
            isCompacted: history.count.isMultiple(of: 700))
        try graph.compare(reopened)
        if let finding = try clerks.finding(store) { throw graph.fail(finding) }
    }

    private func change() throws -> String {
        switch graph.generator.below(100) {
        case ..<74: return try graph.step(population: 6)
        case ..<77: return try graph.undo(side)
        case ..<79: return try graph.redo(side)
        case ..<81: return graph.name(side)
        case ..<84: return try graph.repairAndSave(side)
        case ..<86: return try graph.refreshAndSave(side)
        case ..<88: return try graph.increment("views", of: "Photo", side)
        case ..<92: return try clerks.step(&graph)
        case ..<95: return try intrude()
        case ..<98: return passTime()
        case ..<99: return rest()
        default: return try graph.insertTwins()
        }
    }

    private var side: Int { graph.generator.pick([0, 0, 0, 1, RandomGraphRun.child]) }

    /// Lets listeners write while they are told of a change.
    private func intrude() throws -> String {
        let photos = graph.sides[0].naive.living("Photo")
        guard photos.count > 1 else { return "nothing" }
        let (id, other) = (graph.generator.pick(photos), graph.generator.pick(photos))
        let titles = graph.generator.below(2) == 0 ? ["b", nil] : ["a", "c"]
        intruder.photo = try graph.object(id, 0) as? MachineModel.Photo
        let text = try graph.write("views", other, 0)
        let former = graph.title(of: id)
        intruder.titles = titles.map { $0 ?? former }
        graph.process(0)
        graph.sides[0].context.processPendingChanges()
        if intruder.hasWritten, let title = intruder.titles.last {
            graph.sides[0].naive.set("title", of: id, to: .string(title))
        }
        intruder.photo = nil
        return "\(text), and listeners let the title of \(id) be \(intruder.titles)"
    }

    /// Lets time pass, mostly forward, of which lists hear when a context processes its changes.
    private func passTime() -> String {
        time.now += graph.generator.pick([0.25, 0.5, 1, 3, 7, -2])
        graph.process(0)
        graph.sides[0].context.processPendingChanges()
        intruder.isTold = true
        return "it is \(time.now.timeIntervalSinceReferenceDate)"
    }

    /// Lets a list stay as it is, or go on.
    private func rest() -> String {
        graph.process(0)
        let list = graph.generator.pick(lists)
        intruder.isTold = true
        return list.rest()
    }

    private func compare() throws {
        for side in graph.sides.indices { try graph.compareAll(side) }
        try graph.checkIntegrity()
        guard intruder.isTold else { return }
        intruder.isTold = false
        for list in lists {
            if let finding = list.finding(graph.sides[0].processed, time.now) {
                throw graph.fail(finding)
            }
        }
    }
}

/// Two listeners of a context, of which one hears of changes before all lists, and one after them: both write
/// what lists look at, now and then.
final class MachineIntruder {
    /// The photo of which the titles are written, if any.
    var photo: MachineModel.Photo? {
        didSet { if photo != nil { (hasBegun, hasWritten) = (false, false) } }
    }
    /// The title that the first listener writes, and that of the last one.
    var titles: [String] = []
    private var hasBegun = false
    private(set) var hasWritten = false
    /// Whether the lists have been told of anything.
    var isTold = false

    func hearFirst() {
        guard let photo, !hasBegun, let title = titles.first else { return }
        hasBegun = true
        photo.title = title
    }

    func hearLast() {
        isTold = true
        guard let photo, hasBegun, !hasWritten, let title = titles.last else { return }
        hasWritten = true
        photo.title = title
    }
}

extension RandomGraphRun {
    /// Compares another store with what this one should hold.
    mutating func compare(_ store: GraphStore) throws {
        sides.append(Side(ManagedObjectContext(store), head))
        defer { sides.removeLast() }
        try compareAll(sides.count - 1, isReopened: true)
    }

    /// Reads a number of some object, and writes one more.
    mutating func increment(_ name: String, of entity: String, _ side: Int) throws -> String {
        let living = sides[side].naive.living(entity)
        guard !living.isEmpty else { return "nothing" }
        let id = generator.pick(living)
        guard let photo = try object(id, side) as? MachineModel.Photo else { return "nothing" }
        photo.views += 1
        sides[side].naive.increment(name, of: id)
        return "\(id).\(name) += 1 in \(side)"
    }

    /// Lets two contexts insert objects of one unique value, of which one is saved, and seen by the other before
    /// that saves too.
    mutating func insertTwins() throws -> String {
        let entity = generator.pick(world.inserted)
        guard let name = world.required.first(where: { access[entity]?.write[$0] != nil }) else {
            return "nothing"
        }
        let twins = [try insert(entity, 1), try insert(entity, 0)]
        let value = generator
        var texts = [try write(name, twins[0], 1)]
        texts.append(try repairAndSave(1))
        // The same value again.
        let later = generator
        generator = value
        texts.append(try write(name, twins[1], 0))
        generator = later
        texts.append(try refreshAndSave(0))
        return texts.joined(separator: "; ")
    }

    /// The title of an object of the first context.
    func title(of id: ObjectID) -> String {
        if case .string(let title) = sides[0].naive.objects[id]?.attributes["title"] {
            title
        } else {
            ""
        }
    }
}
