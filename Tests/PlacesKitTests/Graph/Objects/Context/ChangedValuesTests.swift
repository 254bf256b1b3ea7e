import Foundation
import PlacesKit
import Testing

@Suite struct ChangedValuesTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    @Test func `an insert is inserted until it is saved, whatever is changed meanwhile`() throws {
        let town = Town(context: context)
        #expect(town.isInserted && !town.isUpdated && !town.isDeleted && town.hasChanges)
        context.processPendingChanges()
        town.name = "Ulm"
        #expect(town.isInserted && !town.isUpdated)
        try context.save()
        #expect(!town.isInserted && !town.isUpdated && !town.isDeleted && !town.hasChanges)
    }

    @Test func `a changed object is updated until it is saved or changed back`() throws {
        let town = Town(context: context)
        try context.save()
        town.name = "Ulm"
        #expect(town.isUpdated && !town.isInserted && town.hasChanges)
        context.processPendingChanges()
        #expect(town.isUpdated)
        town.name = "Nameless"
        #expect(!town.isUpdated && !town.hasChanges)
        town.name = "Ulm"
        try context.save()
        #expect(!town.isUpdated && !town.hasChanges)
    }

    @Test func `a deleted object has changes until the delete is saved`() throws {
        let (saved, unsaved) = (Town(context: context), Town(context: context))
        context.delete(unsaved)
        #expect(!unsaved.isInserted && !unsaved.hasChanges)
        try context.save()
        context.delete(saved)
        #expect(saved.isDeleted && saved.hasChanges && !saved.isUpdated)
        #expect(saved.changedValues().isEmpty)
        try context.save()
        #expect(saved.isDeleted && !saved.hasChanges)
    }

    @Test(arguments: [false, true])
    func `what was inserted, undone and done again was never saved`(isHeld: Bool) throws {
        context.isUndoEnabled = true
        if !isHeld { context.keptObjectLimit = 0 }
        let other = Town(context: context)
        try context.save()
        func insert() -> Town? {
            let town = Town(context: context)
            town.name = "Ulm"
            context.processPendingChanges()
            return isHeld ? town : nil
        }
        let held = insert()
        context.undo()
        context.disableUndoRegistration()
        other.name = "Bonn"
        try context.save()
        context.enableUndoRegistration()
        context.redo()
        let town = try #require(
            try context.fetch(FetchRequest<Town>(predicate: #Predicate { $0.name == "Ulm" })).first)
        #expect(held.map { $0 === town } ?? true)
        #expect(town.isInserted && town.changedValues() == ["name": .attribute(.string("Ulm"))])
        #expect(try town.committedValue(of: \.name) == "Nameless")
        try context.save()
        #expect(try town.changedValues() == [:] && town.committedValue(of: \.name) == "Ulm")
        context.delete(other)
        try context.save()
        context.undo()
        // It was saved, and is to be saved again.
        #expect(try other.isInserted && other.committedValue(of: \.name) == "Bonn")
    }

    @Test func `changed values are the new ones, and committed values the old ones`() throws {
        let town = Town(context: context)
        town.name = "Ulm"
        try context.save()
        town.name = "Bonn"
        context.processPendingChanges()
        town.founded = .distantPast
        #expect(
            town.changedValues() == [
                "name": .attribute(.string("Bonn")), "founded": .attribute(.date(.distantPast)),
            ])
        #expect(
            town.committedValues(forKeys: ["name", "founded", "nothing"]) == [
                "name": .attribute(.string("Ulm")), "founded": .attribute(.null),
            ])
        #expect(try town.committedValue(of: \.name) == "Ulm")
        #expect(try town.committedValue(of: \.founded) == nil)
        try context.save()
        #expect(town.changedValues().isEmpty)
        #expect(try town.committedValue(of: \.name) == "Bonn")
    }

    @Test func `values changed of an insert are those that differ from the defaults`() throws {
        let citizen = context.citizen("Ada")
        #expect(citizen.changedValues() == ["name": .attribute(.string("Ada"))])
        context.processPendingChanges()
        citizen.age = 36
        #expect(citizen.changedValues().keys.sorted() == ["age", "name"])
        #expect(try citizen.committedValue(of: \.age) == 30)
    }

    @Test func `a new object shows nothing of a deleted one whose row it has`() throws {
        let writer = ManagedObjectContext(context.store)
        let land = writer.land("Clock")
        for round in 0..<5 {
            for _ in 0..<100 { Town(context: writer).name = "Secret" }
            try writer.save()
            try writer.deleteAll(Town.self)
            try writer.save()
            land.number = round
            try writer.save()
        }
        let old = ManagedObjectContext(context.store)
        // From now on nobody shows those towns: saves clear their rows and use them again.
        context.refreshAllObjects()
        for number in 5..<8 {
            land.number = number
            try writer.save()
        }
        let towns = (0..<300).map { _ in Town(context: old) }
        #expect(towns.contains { $0.objectID.number > Int64(Int32.max) }, "no row was used again")
        #expect(towns.allSatisfy { $0.changedValues().isEmpty })
        let committed = ["name": PropertyValue.attribute(.string("Nameless"))]
        #expect(towns.allSatisfy { $0.committedValues(forKeys: ["name"]) == committed })
        #expect(try towns.allSatisfy { try $0.committedValue(of: \.name) == "Nameless" })
    }

    @Test func `an object of a hierarchy has the values and defaults of its own class`() throws {
        let context = try AnimalModel.context()
        let cat = AnimalModel.Cat(context: context)
        #expect(cat.changedValues().isEmpty, "\(cat.changedValues())")
        #expect(cat.committedValues(forKeys: ["lives"]) == ["lives": .attribute(.integer(9))])
        #expect(try cat.committedValue(of: \.lives) == 9)
        cat.lives = 8
        #expect(cat.changedValues() == ["lives": .attribute(.integer(8))])
        try context.save()
        #expect(
            cat.committedValues().keys.sorted()
                == ["chip", "hunters", "lives", "name", "owner", "trick", "weight"])
        #expect(cat.committedValues(forKeys: ["weeks", "license"]).isEmpty)
    }

    @Test func `a changed relationship is a change of both sides`() throws {
        let town = Town(context: context)
        let (first, second) = (context.land("A"), context.land("B"))
        town.land = first
        try context.save()
        town.land = second
        #expect(town.changedValues() == ["land": .object(second.objectID)])
        #expect(first.changedValues() == ["towns": .objects([])])
        #expect(second.changedValues() == ["towns": .objects([town.objectID])])
        #expect(
            first.committedValues()["towns"] == .objects([town.objectID]),
            "\(first.committedValues())")
        second.towns.remove(town)
        first.towns.insert(town)
        #expect(!context.hasChanges && !town.hasChanges && !first.hasChanges && !second.hasChanges)
    }

    @Test func `only attributes have one committed value`() {
        let town = Town(context: context)
        #expect(throws: ContextError.notAProperty(entity: "Town", keyPath: "\(\Town.shout)")) {
            try town.committedValue(of: \.shout)
        }
    }

    @Test func `what changed is told however many batches came before and since`() throws {
        context.isUndoEnabled = true
        let towns = (0..<40).map { _ in Town(context: context) }
        try context.save()
        for town in towns { town.name = "Ulm" }
        context.processPendingChanges()
        for (number, town) in towns.enumerated() {
            switch number % 4 {
            case 0: town.name = "Nameless"
            case 1: town.founded = .distantPast
            case 2:
                context.undoGroup { context.delete(town) }
                context.undo()
            default: break
            }
            context.processPendingChanges()
            let names = number % 4 == 0 ? [] : number % 4 == 1 ? ["founded", "name"] : ["name"]
            #expect(town.changedValues().keys.sorted() == names && town.isUpdated != names.isEmpty)
        }
        #expect(context.updatedObjects == Set(towns.filter(\.isUpdated)))
        #expect(context.brokenInvariants == [])
    }

    @Test func `asking one object what changed does not go through all changes`() throws {
        let towns = (0..<2_000).map { _ in Town(context: context) }
        try context.save()
        for town in towns { town.name = "Ulm" }
        context.processPendingChanges()
        // A pass over all changes for each object would take minutes.
        for _ in 0..<20 { #expect(towns.allSatisfy { $0.isUpdated }) }
    }
}

extension Town {
    fileprivate var shout: String { name.uppercased() }
}
