import PlacesKit
import PlacesKitTesting
import Testing

/// The partner of a new object in a one-to-one relationship, when the new one becomes one that is there.
@Suite struct ClashPartnerTests {
    final class Seat: ManagedObject {
        @Attribute(.unique(onClash: .keep)) var number: Int?
        @Attribute(.unique) var code: Int?
        @Relationship(inverse: \Ticket.seat) var ticket: Ticket?
        @Relationship(inverse: \Seat.below) var above: Seat?
        @Relationship var below: Seat?
    }

    final class Ticket: ManagedObject {
        @Relationship(minimumCount: 1) var seat: Seat?
    }

    final class LooseTicket: ManagedObject {
        @Relationship(inverse: \Chair.ticket) var chair: Chair?
    }

    final class Chair: ManagedObject {
        @Attribute(.unique(onClash: .keep)) var number: Int
        @Relationship var ticket: LooseTicket?
        @Relationship(deleteRule: .cascade, inverse: \Cover.chair) var cover: Cover?
    }

    final class Cover: ManagedObject {
        @Relationship var chair: Chair?
    }

    private let store: GraphStore
    private let context: ManagedObjectContext

    init() throws {
        store = try GraphStore(
            model: [Seat.self, Ticket.self, LooseTicket.self, Chair.self, Cover.self])
        context = ManagedObjectContext(store)
    }

    private func chair() -> Chair {
        let chair = Chair(context: context)
        chair.number = 1
        return chair
    }

    @Test func `the partner of a new object becomes that of the one that keeps its values`() throws
    {
        let saved = Seat(context: context)
        saved.number = 1
        try context.save()
        let (seat, ticket) = (Seat(context: context), Ticket(context: context))
        seat.number = 1
        ticket.seat = seat
        try context.save()
        #expect(seat.isDeleted && ticket.seat === saved && saved.ticket === ticket)
        try context.checkIntegrity()
    }

    @Test(arguments: MergePolicy.allCases.filter { $0 != .error })
    func `the partner of a new object becomes that of the one another context saved first`(
        policy: MergePolicy
    ) throws {
        context.mergePolicy = policy
        let other = ManagedObjectContext(store)
        Seat(context: other).code = 1
        let (seat, ticket) = (Seat(context: context), Ticket(context: context))
        seat.code = 1
        ticket.seat = seat
        try other.save()
        try context.save()
        let saved = try #require(try context.find(Seat.self, \.code, 1))
        #expect(seat.isDeleted && saved !== seat && ticket.seat === saved)
        try context.checkIntegrity()
    }

    @Test func `an object that keeps its values keeps its partner`() throws {
        let saved = chair()
        saved.ticket = LooseTicket(context: context)
        try context.save()
        let kept = saved.ticket
        let (new, ticket) = (chair(), LooseTicket(context: context))
        ticket.chair = new
        try context.save()
        #expect(new.isDeleted && saved.ticket === kept && ticket.chair == nil)
        #expect(!ticket.isDeleted)
        try context.checkIntegrity()
    }

    @Test func `what a new object cascades to goes with it, also where the other has nothing`()
        throws
    {
        let saved = chair()
        try context.save()
        let (new, cover) = (chair(), Cover(context: context))
        new.cover = cover
        try context.save()
        #expect(new.isDeleted && cover.isDeleted && saved.cover == nil)
        #expect(try context.count(Cover.self) == 0)
        try context.checkIntegrity()
    }

    @Test func `no object becomes a partner of itself where it keeps its values`() throws {
        let saved = Seat(context: context)
        saved.number = 1
        try context.save()
        let seat = Seat(context: context)
        seat.number = 1
        seat.above = saved
        try context.save()
        #expect(seat.isDeleted && saved.above == nil && saved.below == nil)
        try context.checkIntegrity()
    }
}
