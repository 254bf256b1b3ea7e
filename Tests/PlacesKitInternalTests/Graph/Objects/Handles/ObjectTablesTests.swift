import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite final class ObjectTablesTests {
    private let context: ManagedObjectContext
    private var tables: ObjectTables

    init() throws {
        context = ManagedObjectContext(try TownModel.store(), isolation: nil)
        tables = context.state.tables
    }

    @Test func `the table of the latest insert is not taken for that of another class`() {
        for type in [Land.self, Land.self, Town.self, Land.self] as [ManagedObject.Type] {
            let table = tables.table(insertedInto: type, of: context.store.model)
            #expect(table?.takeUnretainedValue().type == type)
        }
        let foreign = tables.table(insertedInto: QueueModel.Job.self, of: context.store.model)
        #expect(foreign?.takeUnretainedValue() == nil)
        #expect(tables.brokenInvariants == [])
    }

    @Test func `classes of a hierarchy learn once where relationships lead, and each other`() throws
    {
        let context = ManagedObjectContext(try AnimalModel.store(), isolation: nil)
        for table in context.state.tables where table.isShared {
            let root = context.state.tables[table.number]
            #expect(table.relationships == root.relationships)
            let kinds = table.kinds.map { $0.takeUnretainedValue().entityNumber }
            #expect(kinds == root.layout.entities && kinds.count == 4)
        }
    }

    @Test func `a key path is looked up again as it was the first time`() throws {
        let model = context.store.model
        let first = try tables.uniqueLookup(Land.self, \Land.name, of: model)
        let second = try tables.uniqueLookup(Land.self, \Land.name, of: model)
        #expect(first.table.takeUnretainedValue() === second.table.takeUnretainedValue())
        #expect(first.slot == second.slot)
        let animals = ManagedObjectContext(try AnimalModel.store(), isolation: nil)
        for type in [AnimalModel.Dog.self, AnimalModel.Animal.self, AnimalModel.Dog.self] {
            let lookup = try animals.state.tables.uniqueLookup(
                type, \AnimalModel.Animal.chip, of: animals.store.model)
            #expect(lookup.table.takeUnretainedValue().type == type)
        }
        #expect(throws: ContextError.self) {
            try tables.uniqueLookup(Town.self, \Town.name, of: model)
        }
    }
}
