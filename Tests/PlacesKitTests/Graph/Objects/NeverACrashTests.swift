import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What a program may do wrong, or in large: each has an outcome, and none of them is a crash.
///
/// The documentation's article "Never a crash" lists them all, with those that other suites test.
@Suite struct NeverACrashTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    @Test func `an object of another store is not linked, not a member, and not deleted`() throws {
        let elsewhere = try TownModel.context()
        let town = Town(context: context)
        let land = Land(context: elsewhere)
        land.name = "Far"
        try elsewhere.save()
        town.land = land
        #expect(town.land == nil && land.towns.isEmpty)
        #expect(!land.towns.contains(town) && !land.towns.insert(town))
        #expect(
            ContextError.thrown(by: context.save)
                == .objectFromAnotherContext(town.objectID, property: "land", land.objectID))
        #expect(
            ContextError.thrown(by: elsewhere.save)
                == .objectFromAnotherContext(land.objectID, property: "towns", town.objectID))
        elsewhere.rollback()
        context.rollback()
        context.delete(land)
        #expect(!land.isDeleted)
        #expect(ContextError.thrown(by: context.save) == .noSuchObject(land.objectID))
        try elsewhere.save()
        #expect(try elsewhere.count(Land.self) == 1)
    }

    @Test func `a cascade goes round a circle of ten thousand`() throws {
        let citizens = (0..<10_000).map { _ in context.citizen("c") }
        for (ward, guardian) in zip(citizens, citizens.dropFirst() + citizens.prefix(1)) {
            ward.guardian = guardian
        }
        try context.save()
        context.delete(citizens[5_000])
        #expect(try context.count(Citizen.self) == 0)
        try context.save()
        #expect(!context.hasChanges)
    }

    @Test func `a rule broken in the middle of a save commits nothing`() throws {
        let before = context.store.commitNumber
        let towns = (0..<9).map { _ in Town(context: context) }
        let nameless = Citizen(context: context)
        let lands = ["A", "B", "A"].map { name in
            let land = Land(context: context)
            land.name = name
            return land
        }
        towns[0].land = lands[1]
        guard case .invalid(let failures) = ContextError.thrown(by: context.save)
        else { throw Unexpected("saved what breaks two rules") }
        #expect(Set(failures.map(\.property)) == ["name"])
        #expect(Set(failures.map(\.object)) == [nameless.objectID, lands[2].objectID])
        #expect(context.store.commitNumber == before)
        let other = ManagedObjectContext(context.store)
        #expect(try other.count(Town.self) == 0 && other.count(Land.self) == 0)
        #expect(context.insertedObjects.count == 13)
        nameless.name = "Ann"
        lands[2].name = "C"
        try context.save()
        #expect(try other.count(Town.self) == 0)
        other.refreshAllObjects()
        #expect(try other.fetch(Town.self).first?.land?.name == "B")
    }

    @Test func `a relationship of very many members is counted, asked, walked, cut and deleted`()
        throws
    {
        // The checks of a change to the library ask for a million.
        let variable = "PLACESKIT_MEMBERS"
        let count = ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? 20_000
        let guardian = context.citizen("many")
        for _ in 0..<count { guardian.wards.insert(context.citizen("w")) }
        try context.save()
        let members = guardian.wards
        #expect(members.count == count)
        var walked = 0
        for _ in members { walked += 1 }
        #expect(walked == count)
        let one = try #require(try context.fetch(Citizen.self).last)
        #expect(members.contains(one) && members.remove(one) && !members.contains(one))
        #expect(members.count == count - 1 && one.guardian == nil)
        try context.save()
        context.delete(guardian)
        #expect(try context.count(Citizen.self) == 1)
        try context.save()
        try context.checkIntegrity()
        #expect(members.isEmpty && Array(members) == [])
    }

    @Test func `the members of a deleted object are none`() throws {
        let land = Land(context: context)
        land.name = "L"
        let town = Town(context: context)
        let mayor = context.citizen("m")
        let club = Club("C", in: context)
        town.mayor = mayor
        town.residents.insert(mayor)
        mayor.clubs.insert(club)
        try context.save()
        let (residents, clubs) = (town.residents, mayor.clubs)
        context.delete(town)
        context.delete(mayor)
        #expect(residents.isEmpty && clubs.isEmpty && club.members.isEmpty)
        #expect(residents.first == nil && town.mayor == nil && mayor.governs == nil)
        try context.save()
        #expect(residents.isEmpty && clubs.isEmpty)
    }

    @Test func `objects of a closed document are read, and their changes refused`() async throws {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(at: url, model: TownModel.types)
            let context = document.viewContext
            let town = Town(context: context)
            town.name = "Paris"
            try await document.close()
            #expect(town.name == "Paris" && !town.isDeleted)
            town.name = "Rome"
            #expect(town.name == "Rome")
            #expect(ContextError.thrown(by: context.save) == .readOnly)
            let other = ManagedObjectContext(document.store)
            _ = Town(context: other)
            #expect(ContextError.thrown(by: other.save) == .readOnly)
            await #expect(throws: DocumentError.self) { try await document.save() }
            try await document.close()
            let reopened = try await ManagedDocument.open(at: url, model: TownModel.types)
            #expect(try reopened.viewContext.fetch(Town.self).map(\.name) == ["Paris"])
        }
    }

    @Test func `a new context has no changes, and saving nothing succeeds`() throws {
        #expect(!context.hasChanges && context.insertedObjects.isEmpty)
        try context.save()
        #expect(context.store.commitNumber == 0)
    }
}
