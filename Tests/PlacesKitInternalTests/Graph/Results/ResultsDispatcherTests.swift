import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// How often those are called whom a change does not concern.
@Suite struct ResultsDispatcherTests {
    private final class Receiver: ResultsReceiver {
        var (received, followed) = (0, 0)

        func receive(_ touched: ContiguousArray<TouchedRow>, of changes: ChangeSet) {
            received += 1
        }

        func follow(to graph: Graph) { followed += 1 }
    }

    private let context: ManagedObjectContext
    private let dispatcher: ResultsDispatcher

    init() throws {
        context = try TownModel.context()
        dispatcher = ResultsDispatcher.of(context)
    }

    /// Someone who wants to know of one town.
    private func receiver(of id: ObjectID) throws -> Receiver {
        let receiver = Receiver()
        let key = Condition.comparison(.identity([]), .equal, .constant(.integer(id.number)))
        let table = try context.table(of: Town.self)
        _ = dispatcher.add(receiver, wanting: key, of: table.number)
        return receiver
    }

    @Test func `a change of an object is told to those who want that one`() throws {
        let towns = (0..<100).map { _ in Town(context: context) }
        try context.save()
        let receivers = try towns.map { try receiver(of: $0.objectID) }
        towns[3].name = "Ulm"
        context.delete(towns[7])
        try context.save()
        #expect(receivers.indices.filter { receivers[$0].received > 0 } == [3, 7])
    }

    /// Someone who wants to know of the towns that a request asks for.
    private func receiver(of request: FetchRequest<Town>) throws -> Receiver {
        let receiver = Receiver()
        let condition = try GraphReading(context).condition(of: request)
        let table = try context.table(of: Town.self)
        _ = dispatcher.add(receiver, wanting: condition, of: table.number)
        return receiver
    }

    /// The numbers of the receivers that were called since the last time.
    private func takeCalled(_ receivers: [Receiver]) -> [Int] {
        defer { for receiver in receivers { receiver.received = 0 } }
        return receivers.indices.filter { receivers[$0].received > 0 }
    }

    @Test func `a change is told by what few ask for, wherever it stands in the predicate`() throws
    {
        let land = Land(context: context)
        land.name = "L"
        let towns = (0..<50).map { number in
            let town = Town(context: context)
            (town.name, town.land) = ("T\(number)", land)
            return town
        }
        try context.save()
        let receivers = try towns.map {
            try receiver(of: FetchRequest(where: "land == %@ AND name == %@", land, $0.name))
        }
        towns[3].founded = Date(timeIntervalSinceReferenceDate: 0)
        try context.save()
        #expect(takeCalled(receivers) == [3])
        towns[4].name = "T5"
        try context.save()
        #expect(takeCalled(receivers) == [4, 5])
    }

    @Test func `a change is not told to those who only ask for the same name`() throws {
        let lands = (0..<50).map { number in
            let land = Land(context: context)
            land.name = "L\(number)"
            return land
        }
        let towns = lands.map { land in
            let town = Town(context: context)
            town.land = land
            return town
        }
        try context.save()
        let receivers = try lands.map {
            try receiver(of: FetchRequest(where: "name == 'Nameless' AND land == %@", $0))
        }
        towns[7].founded = Date(timeIntervalSinceReferenceDate: 0)
        try context.save()
        // The first did not know yet what the others ask for.
        #expect(takeCalled(receivers) == [0, 7])
    }

    @Test func `a change is told to those who ask for one of several values with OR`() throws {
        let towns = (0..<50).map { number in
            let town = Town(context: context)
            town.name = "T\(number)"
            return town
        }
        try context.save()
        let receivers = try towns.indices.map {
            try receiver(of: FetchRequest(where: "name == %@ OR name == %@", "T\($0)", "X\($0)"))
        }
        towns[3].founded = Date(timeIntervalSinceReferenceDate: 0)
        try context.save()
        #expect(takeCalled(receivers) == [3])
        towns[4].name = "X5"
        try context.save()
        #expect(takeCalled(receivers) == [4, 5])
    }

    @Test func `where objects go, many whom that does not concern are called once in a while`()
        throws
    {
        let town = Town(context: context)
        try context.save()
        let receivers = try (0..<100).map { _ in try receiver(of: town.objectID) }
        for _ in 0..<40 {
            let other = Town(context: context)
            try context.save()
            context.delete(other)
            try context.save()
        }
        #expect(receivers.allSatisfy { $0.received == 0 && $0.followed == 1 })
    }
}
