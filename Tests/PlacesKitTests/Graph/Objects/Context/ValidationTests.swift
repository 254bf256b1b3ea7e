import PlacesKit
import Testing

@Suite struct ValidationTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    @Test func `a required attribute without a value refuses the save`() throws {
        let citizen = Citizen(context: context)
        #expect(
            context.failures() == [
                ValidationFailure(object: citizen.objectID, property: "name", reason: .missingValue)
            ])
        #expect(context.hasChanges && context.store.commitNumber == 0)
        citizen.name = ""
        try context.save()
        #expect(context.store.commitNumber == 1)
    }

    @Test func `every broken rule is listed, with what to do`() {
        let land = context.land("A")
        let twin = context.land("A")
        let citizen = Citizen(context: context)
        let failures = context.failures()
        #expect(Set(failures.map(\.property)) == ["name"])
        #expect(failures.count == 2)
        let text = ContextError.invalid(failures).description
        #expect(text.contains("Citizen/0.name has no value"))
        #expect(
            text.contains(
                """
                \(twin.objectID).name is "A", as is that of \(land.objectID), and the attribute is \
                unique
                """))
        #expect(!citizen.isDeleted)
    }

    @Test func `a duplicate of a unique value refuses the save until one is changed`() throws {
        let first = context.land("A")
        let second = context.land("A")
        #expect(
            context.failures() == [
                ValidationFailure(
                    object: second.objectID, property: "name",
                    reason: .duplicateValue(.string("A"), other: first.objectID))
            ])
        first.name = "B"
        try context.save()
        #expect(try context.find(Land.self, \.name, "A") === second)
        #expect(try context.find(Land.self, \.name, "B") === first)
    }

    @Test func `deleting the first of two duplicates makes the second the one`() throws {
        let first = context.land("A")
        let second = context.land("A")
        context.delete(first)
        try context.save()
        #expect(try context.find(Land.self, \.name, "A") === second)
        #expect(context.store.snapshot().brokenInvariants == [])
    }

    @Test func `nil is never a duplicate`() throws {
        _ = context.land("A")
        _ = context.land("B")
        try context.save()
        #expect(try context.find(Land.self, \.number, nil) == nil)
    }

    @Test func `objects swap unique values within a save`() throws {
        let (first, second) = (context.land("A"), context.land("B"))
        try context.save()
        first.name = "B"
        second.name = "A"
        try context.save()
        #expect(try context.find(Land.self, \.name, "A") === second)
        #expect(try context.find(Land.self, \.name, "B") === first)
    }

    @Test func `canonically equal texts are duplicates`() {
        _ = context.land("Köln")
        _ = context.land("Ko\u{308}ln")
        #expect(context.failures().count == 1)
    }

    @Test func `findOrInsert finds what is there, and else inserts it`() throws {
        let first = try context.findOrInsert(Land.self, \.name, "A")
        #expect(first.name == "A")
        #expect(try context.findOrInsert(Land.self, \.name, "A") === first)
        #expect(try context.findOrInsert(Land.self, \.name, "B") !== first)
        #expect(try context.count(Land.self) == 2)
    }

    @Test func `finding by what is not unique is an error`() throws {
        #expect(throws: ContextError.notUnique(entity: "Town", keyPath: "name")) {
            try context.find(Town.self, \.name, "A")
        }
    }

    @Test func `a class that is not in the model is an error`() {
        #expect(throws: ContextError.unknownClass("Wide")) { try context.fetch(Wide.self) }
        #expect(throws: ContextError.unknownClass("Wide")) { try context.count(Wide.self) }
        #expect(throws: ContextError.unknownClass("Wide")) {
            try context.store.snapshot().count(Wide.self)
        }
    }

    final class Numbered: ManagedObject {
        @Attribute(.unique) var number = 0
        @Attribute(.unique) var ratio: Double?
    }

    @Test func `a unique default is a duplicate in the second object`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Numbered.self]))
        let first = Numbered(context: context)
        #expect(try context.find(Numbered.self, \.number, 0) === first)
        let second = Numbered(context: context)
        #expect(context.failures().count == 1)
        second.number = 1
        try context.save()
        #expect(context.brokenInvariants == [])
    }

    @Test func `zeros of either sign are duplicates, and not a number is none`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Numbered.self]))
        let objects = (0..<4).map { number in
            let object = Numbered(context: context)
            object.number = number
            return object
        }
        objects[0].ratio = 0
        objects[1].ratio = -0.0
        objects[2].ratio = .nan
        objects[3].ratio = .nan
        #expect(context.failures().map(\.object) == [objects[1].objectID])
        objects[0].ratio = nil
        objects[2].ratio = 1
        try context.save()
        #expect(context.brokenInvariants == [])
        #expect(try context.find(Numbered.self, \.ratio, 0) === objects[1])
    }
}
