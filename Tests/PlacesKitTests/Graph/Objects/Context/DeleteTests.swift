import PlacesKit
import Testing

@Suite struct DeleteTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    @Test func `a deleted object is deleted at once, and gone after the save`() throws {
        let town = Town(context: context)
        try context.save()
        context.delete(town)
        #expect(town.isDeleted)
        #expect(try context.count(Town.self) == 0)
        #expect(context.deletedObjects == [town])
        try context.save()
        #expect(context.deletedObjects.isEmpty)
        #expect(town.isDeleted)
        #expect(try ManagedObjectContext(context.store).fetch(Town.self).isEmpty)
    }

    @Test func `a second delete does nothing`() throws {
        let town = Town(context: context)
        context.delete(town)
        context.delete(town)
        try context.save()
        #expect(context.store.snapshot().brokenInvariants == [])
    }

    @Test func `nullify leaves the other end without the link`() throws {
        let town = Town(context: context)
        let anna = context.citizen("Anna")
        anna.home = town
        town.mayor = anna
        context.delete(town)
        #expect(anna.home == nil && anna.governs == nil && !anna.isDeleted)
        #expect(town.residents.isEmpty && town.mayor == nil)
    }

    @Test func `cascade deletes the other ends`() throws {
        let land = context.land("A")
        let towns = (0..<3).map { _ in Town(context: context) }
        for town in towns { town.land = land }
        try context.save()
        context.delete(land)
        #expect(towns.allSatisfy { $0.isDeleted })
        try context.save()
        #expect(try context.count(Town.self) == 0)
    }

    @Test func `cascade goes round a circle once`() throws {
        let people = ["a", "b", "c"].map(context.citizen)
        people[1].guardian = people[0]
        people[2].guardian = people[1]
        people[0].guardian = people[2]
        try context.save()
        context.delete(people[1])
        #expect(people.allSatisfy { $0.isDeleted })
        try context.save()
        #expect(context.brokenInvariants == [])
    }

    @Test func `cascade goes down a chain of ten thousand`() throws {
        var person = context.citizen("first")
        let first = person
        for _ in 0..<10_000 {
            let ward = context.citizen("next")
            ward.guardian = person
            person = ward
        }
        context.delete(first)
        #expect(try context.count(Citizen.self) == 0)
        #expect(!context.hasChanges)
    }

    @Test func `a reference without an inverse reads nil once its object is deleted`() throws {
        let land = context.land("A")
        let club = Club("Chess", in: context)
        club.patron = land
        try context.save()
        context.delete(land)
        #expect(club.patron == nil)
        try context.save()
        #expect(context.store.snapshot().brokenInvariants == [])
    }

    // MARK: - Deny

    @Test func `deny refuses the save while another end remains`() throws {
        let club = Club("Chess", in: context)
        let hall = Hall(context: context)
        hall.club = club
        try context.save()
        context.delete(club)
        #expect(
            context.failures() == [
                ValidationFailure(object: club.objectID, property: "halls", reason: .deleteDenied)
            ])
        #expect(context.hasChanges)
        #expect(context.brokenInvariants == [])
        context.rollback()
        #expect(!club.isDeleted && hall.club === club)
    }

    @Test func `a denied delete that is undone and made again is told once`() throws {
        let club = Club("Chess", in: context)
        Hall(context: context).club = club
        try context.save()
        context.isUndoEnabled = true
        for _ in 0..<2 {
            context.delete(club)
            context.undo()
        }
        #expect(context.failures() == [])
        context.delete(club)
        #expect(context.failures().map(\.reason) == [.deleteDenied])
    }

    @Test func `deleting the other end lifts the denial`() throws {
        let club = Club("Chess", in: context)
        let hall = Hall(context: context)
        hall.club = club
        try context.save()
        context.delete(club)
        #expect(context.failures().count == 1)
        context.delete(hall)
        try context.save()
        #expect(context.brokenInvariants == [])
        #expect(context.store.snapshot().brokenInvariants == [])
    }

    @Test func `moving the other end away lifts the denial`() throws {
        let (club, other) = (Club("Chess", in: context), Club("Choir", in: context))
        let hall = Hall(context: context)
        hall.club = club
        try context.save()
        context.delete(club)
        context.processPendingChanges()
        hall.club = other
        try context.save()
        #expect(Array(other.halls) == [hall])
        #expect(context.updatedObjects.isEmpty && !context.hasChanges)
        #expect(context.store.snapshot().brokenInvariants == [])
        #expect(try ManagedObjectContext(context.store).fetch(Club.self).count == 1)
    }

    @Test func `a change of what a denied delete holds back is no update of the deleted object`()
        throws
    {
        let club = Club("Chess", in: context)
        let hall = Hall(context: context)
        hall.club = club
        try context.save()
        context.delete(club)
        context.processPendingChanges()
        hall.club = nil
        #expect(context.updatedObjects == [hall])
        #expect(context.deletedObjects == [club])
    }

    @Test func `deny refuses the delete of an object that was never saved, too`() throws {
        let club = Club("Chess", in: context)
        let hall = Hall(context: context)
        hall.club = club
        context.delete(club)
        #expect(context.failures().map(\.reason) == [.deleteDenied])
        hall.club = nil
        try context.save()
        #expect(context.store.snapshot().brokenInvariants == [])
    }

    final class Left: ManagedObject {
        @Relationship(deleteRule: .deny, inverse: \Right.left) var right: Right?
    }
    final class Right: ManagedObject {
        @Relationship(deleteRule: .deny) var left: Left?
    }

    @Test func `two objects that deny each other's delete are deleted together`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Left.self, Right.self]))
        let left = Left(context: context)
        let right = Right(context: context)
        left.right = right
        try context.save()
        context.delete(left)
        #expect(context.failures().map(\.property) == ["right"])
        context.delete(right)
        try context.save()
        #expect(context.store.snapshot().brokenInvariants == [])
    }

    // MARK: - Never saved

    @Test func `an object inserted and deleted leaves no change`() throws {
        let land = context.land("A")
        Town(context: context).land = land
        context.delete(land)
        #expect(!context.hasChanges)
        #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
        #expect(context.updatedObjects.isEmpty)
        try context.save()
        #expect(context.store.commitNumber == 0)
    }

    @Test func `an object inserted and deleted in two batches leaves no change`() throws {
        let town = Town(context: context)
        context.processPendingChanges()
        context.delete(town)
        #expect(!context.hasChanges)
        try context.save()
        #expect(context.store.commitNumber == 0)
    }

    @Test func `a deleted insert does not come back with a sibling's delete`() throws {
        let land = context.land("A")
        try context.save()
        let (first, second) = (Town(context: context), Town(context: context))
        first.land = land
        second.land = land
        context.delete(first)
        context.delete(second)
        #expect(!context.hasChanges)
        #expect(land.towns.isEmpty)
    }

    @Test func `a reference without an inverse to a deleted insert reads nil`() throws {
        let club = Club("Chess", in: context)
        try context.save()
        let land = context.land("A")
        club.patron = land
        context.delete(land)
        #expect(club.patron == nil && !club.isUpdated && !context.hasChanges)
        #expect(context.brokenInvariants == [])
    }

    @Test func `deleting an object of another context is a mistake that the save names`() throws {
        let other = ManagedObjectContext(context.store)
        let stranger = Town(context: other)
        context.delete(stranger)
        #expect(throws: ContextError.noSuchObject(stranger.objectID)) { try context.save() }
        #expect(!stranger.isDeleted)
    }

    final class Owner: ManagedObject {
        @Relationship(deleteRule: .noAction) var things: ObjectSet<Thing>
        @Relationship(deleteRule: .noAction) var best: Thing?
    }
    final class Thing: ManagedObject {
        @Relationship(deleteRule: .noAction, inverse: \Owner.things) var owner: Owner?
    }

    @Test func `with no action the others stay, and nothing leads to what is gone`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Owner.self, Thing.self]))
        let (owner, other) = (Owner(context: context), Owner(context: context))
        let things = (0..<3).map { _ in Thing(context: context) }
        for thing in things { owner.things.insert(thing) }
        owner.best = things[0]
        other.best = things[1]
        try context.save()
        context.delete(owner)
        #expect(things.allSatisfy { !$0.isDeleted && $0.owner == nil })
        context.delete(things[1])
        #expect(other.best == nil)
        try context.save()
        #expect(context.brokenInvariants == [])
        #expect(try context.count(Thing.self) == 2)
    }
}
