import PlacesKit
import Testing

@Suite struct RollbackTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    @Test func `a rollback drops inserts, edits and deletes`() throws {
        let (alice, bob) = (context.citizen("Alice"), context.citizen("Bob"))
        try context.save()
        alice.name = "Alicia"
        let carol = context.citizen("Carol")
        context.delete(bob)
        context.processPendingChanges()
        alice.age = 99
        context.rollback()
        #expect(alice.name == "Alice" && alice.age == 30)
        #expect(carol.isDeleted && !bob.isDeleted)
        #expect(!context.hasChanges)
        #expect(Set(try context.fetch(Citizen.self)) == [alice, bob])
        #expect(try context.fetch(Citizen.self)[1] === bob)
    }

    @Test func `a rollback restores relationships on both sides`() throws {
        let land = context.land("A")
        let towns = (0..<3).map { _ in Town(context: context) }
        for town in towns { town.land = land }
        let club = Club("Chess", in: context)
        let anna = context.citizen("Anna")
        club.members.insert(anna)
        try context.save()
        towns[1].land = nil
        context.delete(towns[0])
        club.members.removeAll()
        context.rollback()
        #expect(Array(land.towns) == towns)
        #expect(Array(club.members) == [anna] && Array(anna.clubs) == [club])
        #expect(context.brokenInvariants == [])
    }

    @Test func `a rollback shows what others saved`() throws {
        let town = Town(context: context)
        try context.save()
        let other = ManagedObjectContext(context.store)
        try other.twin(of: town).name = "Ulm"
        try other.save()
        #expect(town.name == "Nameless")
        context.rollback()
        #expect(town.name == "Ulm")
    }

    @Test func `unique values are free again after a rollback`() throws {
        _ = context.land("A")
        context.rollback()
        #expect(try context.find(Land.self, \.name, "A") == nil)
        let land = context.land("A")
        try context.save()
        #expect(try context.find(Land.self, \.name, "A") === land)
    }

    @Test func `rows of a rolled back insert are not used again`() throws {
        let town = Town(context: context)
        let id = town.objectID
        context.rollback()
        #expect(Town(context: context).objectID != id)
        #expect(throws: ContextError.noSuchObject(id)) { try context.existingObject(with: id) }
    }

    @Test func `a rollback of thousands of inserts leaves nothing behind`() throws {
        for number in 0..<3_000 { context.land("\(number)").number = number }
        context.rollback()
        #expect(try context.count(Land.self) == 0)
        #expect(context.brokenInvariants == [])
        for number in 0..<3_000 { context.land("\(number)").number = number }
        try context.save()
        #expect(try context.find(Land.self, \.number, 2_999)?.name == "2999")
        #expect(context.brokenInvariants == [])
    }
}
