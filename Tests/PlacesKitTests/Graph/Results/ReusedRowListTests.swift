import Foundation
import PlacesKit
import Testing

/// Lists that ask for objects by identifier, after such an object is gone and another one has its row.
@Suite struct ReusedRowListTests {
    private let context: ManagedObjectContext

    init() throws { context = ManagedObjectContext(try TownModel.store()) }

    /// Inserts a town with one citizen, and gives their identifiers.
    private func settle(_ name: String) throws -> (town: ObjectID, citizen: ObjectID) {
        let town = try context.insert(Town.self)
        town.name = name
        let citizen = context.citizen("citizen of \(name)")
        citizen.home = town
        try context.save()
        return (town.objectID, citizen.objectID)
    }

    private func delete(_ id: ObjectID) throws {
        context.delete(try context.existingObject(with: id))
        try context.save()
    }

    @Test func `a list of an object's members does not take those of an object that came later`()
        throws
    {
        let (first, member) = try settle("first")
        let requests: [(String, FetchRequest<Citizen>)] = [
            ("by key path", FetchRequest(predicate: #Predicate { $0.home?.objectID == first })),
            ("in a set", try FetchRequest(where: "home IN %@", [first])),
            ("by format", try FetchRequest(where: "home == %@", first)),
            ("itself", FetchRequest(predicate: #Predicate { $0.objectID == member })),
        ]
        let lists = try requests.map { name, request in
            (name, try FetchedResultsController(request, in: context))
        }
        for (name, list) in lists { #expect(list.snapshot.identifiers.count == 1, "\(name)") }
        try delete(member)
        try delete(first)
        for round in 0..<20 {
            let (town, citizen) = try settle("later")
            for (name, list) in lists {
                #expect(list.snapshot.identifiers.isEmpty, "\(name), round \(round)")
            }
            try delete(citizen)
            try delete(town)
        }
    }

    @Test func `an object that an undo brings back is in its list again`() throws {
        context.isUndoEnabled = true
        let (first, member) = try settle("first")
        let list = try FetchedResultsController(
            FetchRequest<Citizen>(predicate: #Predicate { $0.home?.objectID == first }), in: context
        )
        try delete(member)
        #expect(list.snapshot.identifiers.isEmpty)
        context.undo()
        context.processPendingChanges()
        #expect(list.snapshot.identifiers.count == 1)
    }
}
