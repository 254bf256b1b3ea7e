import Foundation
import PlacesKit
import Testing

/// What a fetch gives: its window, its collection, its handles.
@Suite struct FetchTests {
    @Test func `all objects come in the order of their insertion`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Visited.self]))
        let tags = (0..<3_000).map { _ in Visited(context: context) }
        #expect(Array(try context.fetch(Visited.self)) == tags)
        #expect(try context.count(Visited.self) == 3_000)
        context.delete(tags[1_024])
        #expect(try context.count(Visited.self) == 2_999)
        #expect(try context.fetch(Visited.self)[1_024] === tags[1_025])
    }

    @Test func `a window without an order is a part of the insertions`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Visited.self]))
        let tags = (0..<10).map { _ in Visited(context: context) }
        #expect(
            Array(try context.fetch(FetchRequest<Visited>(limit: 3, offset: 2)))
                == Array(tags[2..<5]))
        #expect(try context.count(FetchRequest<Visited>(limit: 3, offset: 2)) == 3)
        #expect(try context.count(FetchRequest<Visited>(limit: .max, offset: 4)) == 6)
        #expect(try context.fetch(FetchRequest<Visited>(limit: 3, offset: 20)).isEmpty)
    }

    @Test func `a request that says nothing asks for all objects`() {
        let request = FetchRequest<Visited>()
        #expect(request.predicate == nil && request.format == nil)
        #expect(request.sortDescriptors.isEmpty && request.limit == nil && request.offset == 0)
    }

    @Test func `a class and a condition ask for the same as a request`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Visited.self]))
        for number in 0..<10 { Visited(context: context).number = number }
        let order = [SortDescriptor(\Visited.number, order: .reverse)]
        func numbers(_ objects: FetchedResults<Visited>) -> [Int] { objects.map(\.number) }

        #expect(
            numbers(
                try context.fetch(
                    Visited.self, where: #Predicate { $0.number < 6 }, sortBy: order, limit: 3,
                    offset: 1)) == [4, 3, 2])
        #expect(
            numbers(
                try context.fetch(
                    Visited.self, where: "number < %d", 6, sortBy: order, limit: 3, offset: 1))
                == [4, 3, 2])
        #expect(
            numbers(try context.fetch(Visited.self, sortBy: order, limit: 2)) == [9, 8])
        #expect(
            try context.first(Visited.self, where: #Predicate { $0.number < 6 }, sortBy: order)?
                .number == 5)
        #expect(
            try context.first(Visited.self, where: "number < %d", 6, sortBy: order)?.number == 5)
        #expect(try context.first(Visited.self, where: #Predicate { $0.number > 9 }) == nil)

        let snapshot = context.snapshot()
        #expect(try snapshot.count(Visited.self) == 10)
        #expect(try snapshot.count(Visited.self, where: #Predicate { $0.number < 6 }) == 6)
        #expect(try snapshot.count(Visited.self, where: "number < %d", 6) == 6)
        #expect(try snapshot.exists(Visited.self))
        #expect(try !snapshot.exists(Visited.self, where: #Predicate { $0.number > 9 }))
        #expect(try !snapshot.exists(Visited.self, where: "number > %d", 9))
    }

    @Test func `a class and a format that does not fit it are refused`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Visited.self]))
        #expect(throws: ContextError.self) { try context.first(Visited.self, where: "colour == 1") }
        #expect(throws: ContextError.self) { try context.count(Visited.self, where: "colour == 1") }
        #expect(throws: ContextError.self) { try context.exists(Visited.self, where: "number ==") }
    }

    @Test func `a class outside the model is refused`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Remembering.self]))
        #expect(throws: ContextError.unknownClass("Visited")) { try context.fetch(Visited.self) }
        #expect(throws: ContextError.unknownClass("Visited")) { try context.count(Visited.self) }
    }

    @Test func `results keep the context and stay as they were fetched`() throws {
        var context: ManagedObjectContext? = ManagedObjectContext(
            try GraphStore(model: [Visited.self]))
        for number in [1, 2] {
            try #require(context.map { Visited(context: $0) }).number = number
        }
        let results = try #require(try context?.fetch(Visited.self))
        _ = context.map { Visited(context: $0) }
        context = nil
        #expect(results.count == 2)
        #expect(results.map(\.number) == [1, 2])
        #expect(results.last?.number == 2)
        #expect(results[1] === results[1])
    }

    // MARK: - Handles

    @Test func `a walk that keeps nothing makes few handles`() throws {
        let context = try filled(3_000) { Visited(context: $0) }
        var handles: Set<ObjectIdentifier> = []
        var numbers: [Int64] = []
        for object in try context.fetch(Visited.self) {
            handles.insert(ObjectIdentifier(object))
            numbers.append(object.objectID.number)
        }
        #expect(handles.count < 10)
        #expect(numbers == Array(0..<3_000))
    }

    @Test func `objects that are kept are each their own`() throws {
        let context = try filled(2_100) { Visited(context: $0) }
        var kept: [Visited] = []
        for object in try context.fetch(Visited.self) where object.objectID.number % 3 != 1 {
            kept.append(object)
        }
        let numbers: [Int64] = Array(0..<2_100)
        #expect(kept.map(\.objectID.number) == numbers.filter { $0 % 3 != 1 })
        for object in kept { #expect(try context.existingObject(with: object.id) === object) }
        #expect(Array(try context.fetch(Visited.self)).count == 2_100)
    }

    @Test func `objects that are kept weakly or unowned are each their own`() throws {
        let context = try filled(50) { Visited(context: $0) }
        weak var weakly: Visited?
        unowned var unowned: Visited
        var strong: Visited
        var iterator = try context.fetch(Visited.self).makeIterator()
        weakly = iterator.next()
        #expect(weakly?.objectID.number == 0)
        _ = iterator.next()
        // The object may be gone by now, but may not have become another.
        #expect(weakly == nil || weakly?.objectID.number == 0)
        let next = try #require(iterator.next() as Visited?)
        unowned = next
        strong = next
        _ = iterator.next()
        #expect(unowned.objectID.number == 2)
        #expect(strong.objectID.number == 2)
        strong = try #require(iterator.next() as Visited?)
        #expect(strong.objectID.number == 4)
    }

    @Test func `a handle that somebody holds is met on the walk`() throws {
        let context = try filled(20) { Visited(context: $0) }
        let held = try #require(try context.fetch(Visited.self).dropFirst(7).first)
        var met = false
        for object in try context.fetch(Visited.self) {
            if object.objectID.number == 7 { met = object === held }
        }
        #expect(met)
        #expect(held.objectID.number == 7)
    }

    @Test func `an object with properties of its own is not made into another`() throws {
        let context = try filled(50) { Remembering(context: $0) }
        for object in try context.fetch(Remembering.self) {
            #expect(object.note == "")
            object.note = "seen"
        }
    }

    @Test func `two walks at once do not meet`() throws {
        let context = try filled(40) { Visited(context: $0) }
        var first = try context.fetch(Visited.self).makeIterator()
        var second = try context.fetch(Visited.self).makeIterator()
        for number in 0..<40 {
            let (left, right) = (first.next(), second.next())
            #expect(left === right)
            #expect(left?.objectID.number == Int64(number))
        }
        #expect(first.next() == nil)
        #expect(first.next() == nil)
    }

    @Test func `a walk over what is deleted on the way reads what was`() throws {
        let context = try filled(30) { Visited(context: $0) }
        for object in try context.fetch(Visited.self) {
            #expect(!object.isDeleted)
            context.delete(object)
            #expect(object.isDeleted)
        }
        #expect(try context.count(Visited.self) == 0)
    }

    @Test func `a walk may insert`() throws {
        let context = try filled(1_000) { Visited(context: $0) }
        for object in try context.fetch(Visited.self) {
            let other = Visited(context: context)
            #expect(other !== object)
            #expect(other.objectID.number >= 1_000)
        }
        #expect(try context.count(Visited.self) == 2_000)
    }

    @Test func `the copy of an iterator goes its own way`() throws {
        let context = try filled(9) { Visited(context: $0) }
        var first = try context.fetch(Visited.self).makeIterator()
        _ = first.next()
        var second = first
        let numbers = (0..<8).map { _ in
            [first.next()?.objectID.number, second.next()?.objectID.number]
        }
        #expect(numbers.allSatisfy { $0[0] == $0[1] })
        #expect(numbers.last?[0] == 8)
    }

    private func filled<Object: ManagedObject>(
        _ count: Int, _ make: (ManagedObjectContext) -> Object
    ) throws -> ManagedObjectContext {
        let context = ManagedObjectContext(try GraphStore(model: [Object.self]))
        for _ in 0..<count { _ = make(context) }
        return context
    }
}

private final class Visited: ManagedObject {
    @Attribute var number = 0
}

private final class Remembering: ManagedObject {
    @Attribute var number = 0
    var note = ""
}
