import Foundation
import PlacesKit
import Testing

/// What is done with all objects of a fetch.
@Suite struct FetchedSetTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
        let lands = ["Atlantis", "Ys"].map(context.land)
        for number in 0..<9 {
            let town = Town(context: context)
            town.name = "Town \(number)"
            town.land = number.isMultiple(of: 3) ? nil : lands[number % 3 - 1]
            if number.isMultiple(of: 2) { town.mayor = context.citizen("Mayor \(number)") }
        }
        try context.save()
    }

    private var towns: FetchRequest<Town> { FetchRequest(sortBy: [SortDescriptor(\.name)]) }

    // MARK: - Pairs

    @Test func `each object comes with the one that a relationship leads to`() throws {
        let pairs = try context.fetch(towns).paired(with: \.land)
        let names = pairs.map { town, land in "\(town.name) \(land?.name ?? "-")" }
        #expect(
            names
                == (0..<9).map { number in
                    "Town \(number) " + ["-", "Atlantis", "Ys"][number % 3]
                })
        #expect(context.keptObjectCount == 0)
        #expect(context.brokenInvariants == [])
    }

    @Test func `a chain of relationships leads to the last one`() throws {
        let citizens = FetchRequest<Citizen>(sortBy: [SortDescriptor(\.name)])
        let pairs = try context.fetch(citizens).paired(with: \.governs?.land)
        #expect(pairs.map { $0.1?.name } == [nil, "Ys", "Atlantis", nil, "Ys"])
    }

    @Test func `objects of pairs that somebody holds stay themselves`() throws {
        var held: [(Town, Land?)] = []
        for (town, land) in try context.fetch(towns).paired(with: \.land) {
            held.append((town, land))
        }
        #expect(held.map(\.0.name) == (0..<9).map { "Town \($0)" })
        for (town, land) in held { #expect(town.land === land) }
        #expect(Set(held.compactMap(\.1)).count == 2)
        #expect(context.brokenInvariants == [])
    }

    @Test func `what leads to no object can't be paired`() throws {
        let citizens = try context.fetch(Citizen.self)
        #expect(throws: ContextError.self) { try citizens.paired(with: \.firstClub) }
        #expect(try context.fetch(Hall.self).paired(with: \.club).map(\.0).isEmpty)
    }

    // MARK: - Writes

    @Test func `all objects of a fetch are changed, those that are gone left out`() throws {
        let request = FetchRequest<Town>(predicate: #Predicate { $0.land?.name == "Ys" })
        let found = try context.fetch(request)
        context.delete(try #require(found.first))
        var count = 0
        context.updateAll(found) { town in
            town.name += "!"
            count += 1
        }
        #expect(count == 2)
        #expect(try context.fetch(towns).map(\.name).filter { $0.hasSuffix("!") }.count == 2)
        #expect(try context.fetch(request).count == 2)
    }

    @Test func `all objects of a fetch are deleted, with what goes with them`() throws {
        let ys = FetchRequest<Land>(predicate: #Predicate { $0.name == "Ys" })
        context.deleteAll(try context.fetch(ys))
        try context.save()
        #expect(try context.count(Town.self) == 6)
        let found = try context.fetch(towns)
        context.deleteAll(found)
        context.deleteAll(found)
        try context.save()
        #expect(try context.count(Town.self) == 0)
        #expect(context.brokenInvariants == [])
    }

    @Test func `objects of another context are refused`() throws {
        let others = try ManagedObjectContext(context.store).fetch(towns)
        context.updateAll(others) { $0.name = "Nowhere" }
        #expect(!context.hasChanges)
        #expect(throws: ContextError.self) { try context.save() }
        context.rollback()
        context.deleteAll(others)
        #expect(try context.count(Town.self) == 9)
        #expect(throws: ContextError.self) { try context.save() }
    }
}

extension Citizen {
    /// A computed property, which is no relationship.
    fileprivate var firstClub: Club? { clubs.first }
}
