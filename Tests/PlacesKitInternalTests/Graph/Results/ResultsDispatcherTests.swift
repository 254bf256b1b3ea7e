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
