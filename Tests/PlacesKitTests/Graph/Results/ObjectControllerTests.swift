import Foundation
import Observation
import PlacesKit
import PlacesKitTesting
import Testing

/// One object that is found by a key, and comes and goes.
@Suite struct ObjectControllerTests {
    final class Item: ManagedObject {
        @Attribute(.unique) var key: String?
        @Attribute var value = 0
        @Attribute var text = ""
        @Relationship(inverse: \Box.items) var box: Box?
    }

    /// Keys of types by which controllers are found, and of one by which they are not.
    final class Parcel: ManagedObject {
        @Attribute(.unique) var number: Int?
        @Attribute(.unique) var tag: UUID?
        @Attribute(.unique) var sent: Date?
        @Attribute(.unique) var weight: Double?
    }

    final class Box: ManagedObject {
        @Attribute(.unique) var number = 0
        @Relationship var items: ObjectSet<Item>
    }

    private let store: GraphStore
    private let context: ManagedObjectContext

    init() throws {
        store = try GraphStore(model: [Item.self, Parcel.self, Box.self])
        context = ManagedObjectContext(store)
        context.isUndoEnabled = true
    }

    @discardableResult
    private func item(_ key: String?, in context: ManagedObjectContext? = nil) -> Item {
        let item = Item(context: context ?? self.context)
        item.key = key
        return item
    }

    private func watch(_ key: String) throws -> (controller: ObjectController<Item>, log: Log) {
        let controller = try ObjectController(Item.self, \.key, is: key, in: context)
        return (controller, Log(controller))
    }

    /// What a controller told since it was asked last.
    private final class Log {
        private var events: [ObjectControllerEvent] = []

        init(_ controller: ObjectController<Item>) {
            controller.onChange = { [weak self] in self?.events.append($0) }
        }

        func take() -> [ObjectControllerEvent] {
            defer { events = [] }
            return events
        }
    }

    @Test func `an object appears, changes and goes`() throws {
        let (controller, log) = try watch("a")
        #expect(controller.object == nil)
        let item = item("a")
        item.value = 1
        context.processPendingChanges()
        #expect(controller.object === item)
        #expect(log.take() == [.appeared(item.objectID)])
        (item.value, item.box) = (2, Box(context: context))
        self.item("b")
        try context.save()
        #expect(log.take() == [.changed(item.objectID, ["value", "box"])])
        context.delete(item)
        context.processPendingChanges()
        #expect(controller.object == nil)
        #expect(log.take() == [.gone(item.objectID)])
        context.undo()
        context.processPendingChanges()
        #expect(controller.object === item)
        #expect(log.take() == [.appeared(item.objectID)])
    }

    @Test func `the key passes to another object`() throws {
        let (first, second) = (item("a"), item("b"))
        try context.save()
        let (controller, log) = try watch("a")
        #expect(controller.object === first)
        first.key = "c"
        context.processPendingChanges()
        #expect(controller.object == nil)
        second.key = "a"
        context.processPendingChanges()
        #expect(controller.object === second)
        #expect(log.take() == [.gone(first.objectID), .appeared(second.objectID)])
        (first.key, second.key) = ("a", "c")
        context.processPendingChanges()
        #expect(controller.object === first)
        #expect(log.take() == [.gone(second.objectID), .appeared(first.objectID)])
        context.rollback()
        #expect(log.take() == [.changed(first.objectID, ["key"])] || log.take() == [])
        #expect(controller.object === first)
    }

    @Test func `an identifier is followed before this context has the object`() throws {
        let other = ManagedObjectContext(store)
        let theirs = item("a", in: other)
        let controller = try ObjectController(Item.self, theirs.objectID, in: context)
        let log = Log(controller)
        #expect(controller.object == nil)
        try other.save(shownTo: context)
        #expect(controller.object?.key == "a")
        #expect(log.take() == [.appeared(theirs.objectID)])
        theirs.value = 5
        try other.save(shownTo: context)
        #expect(log.take() == [.changed(theirs.objectID, ["value"])])
    }

    @Test func `an object that takes the row of a deleted one is not it`() throws {
        let id: ObjectID
        do {
            let item = item("a")
            try context.save()
            id = item.objectID
        }
        let controller = try ObjectController(Item.self, id, in: context)
        let log = Log(controller)
        if let object = controller.object { context.delete(object) }
        context.isUndoEnabled = false
        try context.save()
        context.releaseKeptObjects()
        #expect(log.take() == [.gone(id)])
        for number in 0..<5 {
            item("\(number)")
            try context.save()
        }
        #expect(controller.object == nil)
        #expect(log.take() == [])
    }

    @Test func `what is no unique attribute, or an object of another class, is refused`() throws {
        #expect(throws: ContextError.notUnique(entity: "Item", keyPath: "text")) {
            _ = try ObjectController(Item.self, \.text, is: "a", in: context)
        }
        let box = Box(context: context)
        #expect(throws: ContextError.otherClass(box.objectID, expected: "Item")) {
            _ = try ObjectController(Item.self, box.objectID, in: context)
        }
        let nobody = try ObjectController(Item.self, \.key, is: nil, in: context)
        item(nil)
        context.processPendingChanges()
        #expect(nobody.object == nil)
    }

    @Test func `a sequence tells what happens, and observers hear of it`() async throws {
        let controller = try ObjectController(Item.self, \.key, is: "a", in: context)
        var events = controller.changes.makeAsyncIterator()
        let signal = Signal()
        withObservationTracking {
            _ = controller.object
        } onChange: {
            signal.isGiven = true
        }
        let (first, second) = (item("a"), item("b"))
        try context.save()
        #expect(signal.isGiven)
        #expect(await events.next() == .appeared(first.objectID))
        (first.key, second.key) = ("b", "a")
        try context.save()
        second.value = 1
        try context.save()
        #expect(await events.next() == .gone(first.objectID))
        #expect(await events.next() == .appeared(second.objectID))
        #expect(await events.next() == .changed(second.objectID, ["value"]))
    }

    @Test func `a sequence tells of the object that is shown, while several have the key`()
        async throws
    {
        let (first, second) = (item("a"), item(nil))
        try context.save()
        let (controller, log) = try watch("a")
        var events = controller.changes.makeAsyncIterator()
        second.key = "a"
        context.processPendingChanges()
        first.key = nil
        context.processPendingChanges()
        for event in [ObjectControllerEvent.gone(first.objectID), .appeared(second.objectID)] {
            #expect(await events.next() == event)
        }
        #expect(log.take() == [.gone(first.objectID), .appeared(second.objectID)])
        first.key = "a"
        context.processPendingChanges()
        // The changes here are made again on what another context saved, so the key leads to the first.
        let other = ManagedObjectContext(store)
        item("b", in: other)
        try other.save(shownTo: context)
        first.value = 1
        context.processPendingChanges()
        second.value = 1
        context.processPendingChanges()
        #expect(log.take() == [.changed(second.objectID, ["value"])])
        #expect(await events.next() == .changed(second.objectID, ["value"]))
        #expect(controller.object === second)
    }

    @Test(.endsWaiting)
    func `a sequence asked for in a listener goes on from the object that the controller shows`()
        async throws
    {
        let item = item("a")
        try context.save()
        var controller: ObjectController<Item>?
        var events: ChangeStream<ObjectControllerEvent>?
        // He hears of changes before the controller does.
        let subscription = context.onChange { _ in events = events ?? controller?.changes }
        controller = try ObjectController(Item.self, \.key, is: "a", in: context)
        context.delete(item)
        context.processPendingChanges()
        #expect(controller?.object == nil)
        controller = nil
        var iterator = try #require(events).makeAsyncIterator()
        #expect(await iterator.next() == .gone(item.objectID))
        #expect(await iterator.next() == nil)
        subscription.cancel()
    }

    @Test func `a slow consumer is told of many changes as of one`() async throws {
        let item = item("a")
        try context.save()
        var controller: ObjectController? = try ObjectController(
            Item.self, \.key, is: "a", in: context)
        let events = try #require(controller?.changes)
        for number in 1...600 {
            item.value = number
            context.processPendingChanges()
        }
        item.key = "b"
        context.processPendingChanges()
        controller = nil
        var told: [ObjectControllerEvent] = []
        for await event in events { told.append(event) }
        #expect(told.last == .gone(item.objectID))
        #expect(
            told.dropLast().allSatisfy { $0 == .changed(item.objectID, ["value"]) }
                && told.count < 300)
    }

    @Test func `a key of any type is followed`() throws {
        let (tag, sent) = (UUID(), Date(timeIntervalSinceReferenceDate: 5))
        let controllers = [
            try ObjectController(Parcel.self, \.number, is: 7, in: context),
            try ObjectController(Parcel.self, \.tag, is: tag, in: context),
            try ObjectController(Parcel.self, \.sent, is: sent, in: context),
            try ObjectController(Parcel.self, \.weight, is: 2.5, in: context),
        ]
        var events: [ObjectControllerEvent] = []
        for controller in controllers { controller.onChange = { events.append($0) } }
        let (parcel, other) = (Parcel(context: context), Parcel(context: context))
        (other.number, other.weight) = (8, 1)
        (parcel.number, parcel.tag, parcel.sent, parcel.weight) = (7, tag, sent, 2.5)
        context.processPendingChanges()
        #expect(controllers.allSatisfy { $0.object === parcel })
        (parcel.number, parcel.tag, parcel.sent, parcel.weight) = (9, nil, nil, -0.0)
        context.processPendingChanges()
        #expect(controllers.allSatisfy { $0.object == nil })
        let id = parcel.objectID
        #expect(
            events == Array(repeating: .appeared(id), count: 4)
                + Array(repeating: .gone(id), count: 4))
    }

    private final class Signal: @unchecked Sendable {
        var isGiven = false
    }

    @Test(arguments: UInt64(1)...8)
    func `controllers of keys and identifiers follow whatever happens`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let other = ManagedObjectContext(store)
        let keys = ["a", "b", "c", "d"]
        var followed = try keys.map { key in
            let controller = try ObjectController(Item.self, \.key, is: key, in: context)
            // Of several objects of the key, which a save refuses, the one stays that had it.
            return try Followed(controller) { [context] shown in
                if let shown, !shown.isDeleted, shown.key == key { return shown }
                return try context.find(Item.self, \.key, key)
            }
        }
        var known: Set<ObjectID> = []
        for round in 0..<250 {
            let here = Bool.random(using: &generator) ? context : other
            let items = Array(try here.fetch(Item.self))
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                let item = items.randomElement(using: &generator) ?? item(nil, in: here)
                // An object of another context is known before this one has it.
                if known.insert(item.objectID).inserted {
                    let id = item.objectID
                    let controller = try ObjectController(Item.self, id, in: context)
                    followed.append(
                        try Followed(controller) { [context] _ in
                            context.object(with: id) as? Item
                        })
                }
                guard !item.isDeleted else { continue }
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: self.item(keys.randomElement(using: &generator), in: here)
                case 1: here.delete(item)
                case 2, 3: item.key = (keys + [nil]).randomElement(using: &generator) ?? nil
                case 4: item.text += "x"
                default: item.value = Int.random(in: 0..<3, using: &generator)
                }
            }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: here.rollback()
            case 1: context.undo()
            case 2: context.redo()
            case 3: context.refreshAllObjects()
            default:
                // Two objects of a key, and conflicts, are refused.
                do { try here.save() } catch { here.rollback() }
            }
            context.processPendingChanges()
            for followed in followed {
                let finding = try followed.finding()
                #expect(finding == nil, "seed \(seed), round \(round)")
                guard finding == nil else { return }
            }
        }
    }

    /// A controller whose events are compared with what is found by looking.
    private final class Followed {
        private let controller: ObjectController<Item>
        private let find: (_ shown: Item?) throws -> Item?
        private var events: [ObjectControllerEvent] = []
        private var state: (id: ObjectID, values: [String: String])?

        init(
            _ controller: ObjectController<Item>, find: @escaping (_ shown: Item?) throws -> Item?
        ) throws {
            (self.controller, self.find) = (controller, find)
            state = try find(nil).map { ($0.objectID, Self.values(of: $0)) }
            controller.onChange = { [weak self] in self?.events.append($0) }
        }

        private static func values(of item: Item) -> [String: String] {
            ["key": "\(item.key ?? "nil")", "value": "\(item.value)", "text": item.text]
        }

        /// What is wrong, if anything.
        func finding() throws -> String? {
            defer { events = [] }
            let found = try find(controller.object)
            guard controller.object === found else {
                return
                    "\(String(describing: controller.object)) is not \(String(describing: found))"
            }
            var id = state?.id
            var changed: Set<String> = []
            for event in events {
                switch event {
                case .appeared(let new) where id == nil:
                    // Whoever hears of it reads all of it.
                    (id, changed) = (new, ["key", "value", "text"])
                case .gone(let old) where id == old: (id, changed) = (nil, [])
                case .changed(let same, let names) where id == same && !names.isEmpty:
                    changed.formUnion(names)
                default: return "\(event) was told while there was \(String(describing: id))"
                }
            }
            let new = found.map { ($0.objectID, Self.values(of: $0)) }
            defer { state = new }
            guard id == new?.0 else { return "\(events) do not lead to \(String(describing: new))" }
            if let new, let old = state, old.id == new.0 {
                let names = new.1.keys.filter { new.1[$0] != old.values[$0] }
                if !changed.isSuperset(of: names) { return "nothing tells of \(names)" }
            }
            return nil
        }
    }
}
