import Foundation
import PlacesKit
import Testing

/// What a schema says of entities that inherit from each other, and which it refuses.
@Suite struct InheritanceSchemaTests {
    private func entity(
        _ name: String, from superentity: String? = nil, isAbstract: Bool = false,
        _ properties: PropertyDescription...
    ) -> EntityDescription {
        EntityDescription(
            name: name, properties: properties, superentity: superentity, isAbstract: isAbstract)
    }

    private func attribute(_ name: String) -> PropertyDescription {
        .attribute(AttributeDescription(name: name, type: .string))
    }

    private func error(_ entities: EntityDescription...) -> SchemaError? {
        SchemaError.thrown { () throws(SchemaError) in _ = try Schema(entities: entities) }
    }

    // MARK: - Descriptions

    @Test func `an unknown superentity is refused`() {
        let error = error(entity("Dog", from: "Animal"))
        #expect(error == .unknownSuperentity(entity: "Dog", superentity: "Animal"))
        #expect(error?.description.contains("Dog inherits from Animal") == true)
    }

    @Test func `superentities that lead round in a circle are refused`() {
        #expect(error(entity("Dog", from: "Dog")) == .inheritanceCycle(entity: "Dog"))
        let error = error(entity("A"), entity("B", from: "C"), entity("C", from: "B"))
        #expect(error == .inheritanceCycle(entity: "B"))
        #expect(error?.description.contains("round in a circle") == true)
    }

    @Test func `a property that is inherited already is refused`() {
        let error = error(
            entity("Animal", attribute("name")), entity("Dog", from: "Animal"),
            entity("Puppy", from: "Dog", attribute("name")))
        #expect(
            error
                == .redeclaredProperty(entity: "Puppy", property: "name", superentity: "Animal"))
        #expect(error?.description.contains("Puppy declares name") == true)
    }

    @Test func `siblings may have properties of one name`() throws {
        let schema = try Schema(entities: [
            entity("Cat", from: "Animal", attribute("trick")), entity("Animal"),
            entity("Dog", from: "Animal", attribute("trick")),
        ])
        #expect(schema.entities.map { $0.properties.map(\.name) } == [["trick"], [], ["trick"]])
    }

    @Test func `an abstract entity without subentities is refused`() {
        let error = error(entity("Animal", isAbstract: true))
        #expect(error == .abstractWithoutSubentity("Animal"))
        #expect(error?.description.contains("Animal is abstract") == true)
    }

    @Test func `an inverse that the destination only inherits is refused`() {
        let owner = RelationshipDescription(name: "owner", destination: "Person")
        let dogs = RelationshipDescription(
            name: "dogs", destination: "Dog", inverse: "owner", isToMany: true)
        #expect(
            error(
                entity("Animal", .relationship(owner)), entity("Dog", from: "Animal"),
                entity("Person", .relationship(dogs)))
                == .mismatchedInverse(
                    entity: "Person", relationship: "dogs", inverse: "Animal.owner"))
    }

    // MARK: - Classes

    class Base: ManagedObject {
        @Attribute var created = 1
    }

    class Middle: Base {
        @Attribute var title = "t"
    }

    final class Leaf: Middle {
        @Attribute var leaf = true
    }

    final class Branch: Base {
        @Attribute var branch = 2
    }

    class Forgetful: ManagedObject {
        override class var isAbstract: Bool { true }
    }

    final class Heir: Forgetful {}

    final class Wrong: ManagedObject {
        @Relationship(inverse: \AnimalModel.Dog.owner) var pet: AnimalModel.Dog?
    }

    @Test func `a class has the properties that its superclass in the model has not`() throws {
        let schema = try ObjectModel(AnimalModel.types).schema
        let puppy = try #require(schema.entity(named: "Puppy"))
        #expect(puppy.superentity == "Dog" && !puppy.isAbstract)
        #expect(puppy.properties.map(\.name) == ["weeks"])
        #expect(schema.lineage(of: puppy).map(\.name) == ["Puppy", "Dog", "Animal"])
        let animal = try #require(schema.entity(named: "Animal"))
        #expect(animal.isAbstract && animal.superentity == nil)
        #expect(animal.properties.map(\.name) == ["chip", "name", "weight", "owner"])
        #expect(animal.relationships[0].inverse == "pets")
    }

    @Test func `a superclass that is not listed gives its properties to every subclass`() throws {
        let store = try GraphStore(model: [Leaf.self, Branch.self])
        let schema = store.model.schema
        #expect(schema.entities.map(\.superentity) == [nil, nil])
        #expect(schema.entities[0].properties.map(\.name) == ["leaf", "title", "created"])
        #expect(schema.entities[1].properties.map(\.name) == ["branch", "created"])
        let context = ManagedObjectContext(store)
        let leaf = Leaf(context: context)
        leaf.created = 5
        leaf.title = "five"
        #expect(leaf.leaf && leaf.created == 5 && leaf.title == "five")
        #expect(Branch(context: context).created == 1)
        #expect(leaf.objectID.number == 0)
        #expect(throws: ContextError.unknownClass("Base")) { try context.fetch(Base.self) }
    }

    @Test func `an unlisted class between two listed ones belongs to the lower one`() throws {
        let store = try GraphStore(model: [Leaf.self, Base.self])
        #expect(store.model.schema.entities[0].properties.map(\.name) == ["leaf", "title"])
        #expect(store.model.schema.entities[0].superentity == "Base")
        let context = ManagedObjectContext(store)
        let leaf = Leaf(context: context)
        leaf.created = 5
        leaf.title = "five"
        leaf.leaf = false
        #expect(try context.fetch(Base.self).map(\.created) == [5])
        #expect(try context.fetch(Leaf.self).map(\.title) == ["five"])
        #expect(leaf.leaf == false)
    }

    @Test func `one class may be part of several models`() throws {
        for types in [
            [Leaf.self], [Base.self, Middle.self, Leaf.self], [Branch.self, Leaf.self, Base.self],
        ] as [[ManagedObject.Type]] {
            let context = ManagedObjectContext(try GraphStore(model: types))
            let leaf = Leaf(context: context)
            leaf.title = "a"
            let request = FetchRequest<Leaf>(
                predicate: #Predicate { $0.title == "a" && $0.created == 1 && $0.leaf },
                sortBy: [SortDescriptor(\.title)])
            #expect(try context.fetch(request).map { $0 } == [leaf])
        }
    }

    @Test func `a subclass that inherits being abstract is told how to say it`() throws {
        let error = #expect(throws: SchemaError.self) {
            try GraphStore(model: [Forgetful.self, Heir.self])
        }
        #expect(error == .abstractWithoutSubentity("Heir"))
        #expect(error?.description.contains("self == Animal.self") == true)
    }

    @Test func `a class may not be the inverse of what only its superclass declares`() {
        #expect(throws: SchemaError.self) {
            try GraphStore(model: AnimalModel.types + [Wrong.self])
        }
    }
}
