import PlacesKit
import Testing

@Suite struct RelationshipTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    @Test func `setting one side of a one-to-many relationship sets the other`() {
        let land = context.land("A")
        let town = Town(context: context)
        town.land = land
        #expect(Array(land.towns) == [town])
        let second = context.land("B")
        second.towns.insert(town)
        #expect(town.land === second)
        #expect(land.towns.isEmpty)
        town.land = nil
        #expect(second.towns.isEmpty)
    }

    @Test func `assigning a new partner frees both old ones`() {
        let (first, second) = (Town(context: context), Town(context: context))
        let (anna, bert) = (context.citizen("Anna"), context.citizen("Bert"))
        first.mayor = anna
        second.mayor = bert
        #expect(anna.governs === first)
        first.mayor = bert
        #expect(first.mayor === bert && bert.governs === first)
        #expect(anna.governs == nil && second.mayor == nil)
        anna.governs = first
        #expect(first.mayor === anna && bert.governs == nil)
        first.mayor = nil
        #expect(anna.governs == nil)
        #expect(context.brokenInvariants == [])
    }

    @Test func `adding on one side of a many-to-many relationship adds on the other`() {
        let (chess, choir) = (Club("Chess", in: context), Club("Choir", in: context))
        let (anna, bert) = (context.citizen("Anna"), context.citizen("Bert"))
        chess.members.insert(anna)
        bert.clubs.insert(chess)
        bert.clubs.insert(choir)
        #expect(Array(chess.members) == [anna, bert])
        #expect(Array(bert.clubs) == [chess, choir])
        #expect(!chess.members.insert(bert))
        #expect(chess.members.remove(bert))
        #expect(Array(bert.clubs) == [choir])
        #expect(chess.members.contains(anna) && !chess.members.contains(bert))
    }

    @Test func `an object may be its own parent`() throws {
        let anna = context.citizen("Anna")
        anna.guardian = anna
        #expect(Array(anna.wards) == [anna])
        try context.save()
        context.delete(anna)
        #expect(anna.isDeleted)
        try context.save()
        #expect(context.brokenInvariants == [])
    }

    @Test func `following a relationship backwards is in insertion order and up to date`() {
        let home = Town(context: context)
        let people = ["Mark", "Diane", "Hannah"].map(context.citizen)
        for person in people { person.home = home }
        #expect(home.residents.map(\.name) == ["Mark", "Diane", "Hannah"])
        people[0].home = nil
        #expect(home.residents.map(\.name) == ["Diane", "Hannah"])
    }

    @Test func `an object of another context is not linked, and the save says so`() throws {
        let other = ManagedObjectContext(context.store)
        let stranger = other.land("Far")
        let town = Town(context: context)
        town.land = stranger
        #expect(town.land == nil)
        let error = ContextError.objectFromAnotherContext(
            town.objectID, property: "land", stranger.objectID)
        #expect(throws: error) { try context.save() }
        #expect(throws: error) { try context.save() }
        #expect(error.description.contains("Town/0.land cannot lead to Land/0 of another context"))
        context.rollback()
        try context.save()
    }

    @Test func `a deleted object is not linked, and the save says so`() throws {
        let land = context.land("Gone")
        let town = Town(context: context)
        try context.save()
        context.delete(land)
        town.land = land
        #expect(town.land == nil)
        #expect(
            throws: ContextError.deletedObjectRelated(
                town.objectID, property: "land", land.objectID)
        ) { try context.save() }
    }

    @Test func `a thousand members and more are moved one by one`() {
        let (first, second) = (context.land("A"), context.land("B"))
        let towns = (0..<2_100).map { _ in Town(context: context) }
        for town in towns { town.land = first }
        for town in towns.reversed() { second.towns.insert(town) }
        #expect(first.towns.isEmpty && second.towns.count == 2_100)
        #expect(Array(second.towns) == towns.reversed())
        #expect(context.brokenInvariants == [])
    }

    @Test func `a lazy filter of a relationship's members is live`() {
        let home = Town(context: context)
        let people = ["Mark", "Diane"].map(context.citizen)
        for (person, age) in zip(people, [43, 20]) {
            person.home = home
            person.age = age
        }
        let grown = home.residents.lazy.filter { $0.age > 25 }
        #expect(grown.map(\.name) == ["Mark"])
        people[0].home = nil
        #expect(grown.isEmpty)
        people[1].age = 26
        #expect(grown.map(\.name) == ["Diane"])
    }
}
