import PlacesKit
import Testing

@Suite struct LookupTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    @Test func `an identifier leads to the one handle of its object`() throws {
        let town = Town(context: context)
        #expect(context.object(with: town.objectID) === town)
        #expect(try context.existingObject(with: town.objectID) === town)
        #expect(try context.existingObject(Town.self, with: town.objectID) === town)
        #expect(try Array(context.fetch(Town.self)) == [town])
    }

    @Test func `an identifier of another class, or of no object, leads nowhere`() throws {
        let town = Town(context: context)
        let error = ContextError.otherClass(town.objectID, expected: "Land")
        #expect(throws: error) { try context.existingObject(Land.self, with: town.objectID) }
        #expect(error.description.hasPrefix("Town/0 is no Land, and was asked for as one."))
        for id in [
            ObjectID(entity: "Town", number: 99), ObjectID(entity: "Town", number: -1),
            ObjectID(entity: "Town", number: .max), ObjectID(entity: "Moon", number: 0),
        ] {
            #expect(context.object(with: id) == nil)
            #expect(throws: ContextError.noSuchObject(id)) { try context.existingObject(with: id) }
        }
    }

    @Test func `the identifier of a deleted insert leads nowhere`() {
        let town = Town(context: context)
        context.delete(town)
        #expect(context.object(with: town.objectID) == nil)
    }

    @Test func `registered are the objects that somebody holds`() {
        #expect(context.registeredObjects.isEmpty)
        let town = Town(context: context)
        _ = Town(context: context)
        let land = context.land("A")
        #expect(context.registeredObjects == [town, land])
        withExtendedLifetime([town, land]) {}
    }

    @Test func `objects are made in generic code`() {
        func make<Object: ManagedObject>(_ type: Object.Type) -> Object {
            type.init(context: context)
        }
        #expect(make(Town.self).name == "Nameless")
        #expect(make(Citizen.self).isInserted)
    }

    @Test func `what is gone for good is not registered, whoever holds it`() throws {
        let saved = Town(context: context)
        try context.save()
        let (deleted, rolledBack) = (Town(context: context), Town(context: context))
        context.delete(saved)
        context.delete(deleted)
        #expect(context.registeredObjects == [saved, rolledBack])
        context.rollback()
        #expect(context.registeredObjects == [saved])
        context.delete(saved)
        #expect(context.registeredObjects == [saved])
        try context.save()
        #expect(context.registeredObjects.isEmpty)
        withExtendedLifetime([saved, deleted, rolledBack]) {}
    }

    @Test func `an identity is read from its description, and from no other text`() throws {
        for text in ["Photo/17", "Photo/0", "Ort/9223372036854775807", "a/b/17"] {
            #expect(ObjectID(text)?.description == text)
        }
        for text in [
            "", "/", "Photo", "Photo/", "/17", "Photo/x", "Photo/17/", "Photo/+17", "Photo/017",
            "Photo/ 17", "Photo/9223372036854775808",
        ] { #expect(ObjectID(text) == nil, "\(text)") }
    }
}
