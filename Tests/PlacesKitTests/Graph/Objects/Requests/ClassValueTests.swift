import Foundation
import PlacesKit
import Testing

/// Classes that are values: where they are given, only a superclass of them is known.
@Suite struct ClassValueTests {
    typealias Animal = AnimalModel.Animal

    private let context: ManagedObjectContext
    /// Two dogs, between them a puppy and a cat.
    private let animals: [Animal]
    private let dogs: Animal.Type = AnimalModel.Dog.self

    init() throws {
        context = try AnimalModel.context()
        animals = try context.addAnimals()
    }

    private func names(_ animals: some Sequence<Animal>) -> [String] {
        animals.map(\.name).sorted()
    }

    @Test func `a new object is one of the class that is given`() throws {
        let types: [ManagedObject.Type] = [
            AnimalModel.Cat.self, AnimalModel.Puppy.self, AnimalModel.Person.self,
        ]
        for type in types {
            let object = try context.insert(type)
            #expect(Swift.type(of: object) == type)
            #expect(context.insertedObjects.contains(object))
        }
        let stranger: ManagedObject.Type = Stranger.self
        #expect(throws: ContextError.unknownClass("Stranger")) { try context.insert(stranger) }
        #expect(context.insertedObjects.count == 3)
    }

    @Test func `a fetch finds the objects of the class that is given`() throws {
        #expect(names(try context.fetch(dogs)) == ["Bo", "Rex", "Tiny"])
        // Cats have another property of that name.
        #expect(names(try context.fetch(dogs, where: "trick == 'sit'")) == ["Bo", "Rex", "Tiny"])
        #expect(names(try context.fetch(dogs, where: "name BEGINSWITH 'T'")) == ["Tiny"])
        #expect(names(try context.fetch(dogs, searching: "t", in: \.name)) == ["Tiny"])
        let cats: ManagedObject.Type = AnimalModel.Cat.self
        #expect(try context.fetch(cats).map(\.objectID) == [animals[2].objectID])
        let stranger: ManagedObject.Type = Stranger.self
        #expect(throws: ContextError.unknownClass("Stranger")) { try context.fetch(stranger) }
    }

    @Test func `only objects of the class that is given are updated`() throws {
        #expect(try context.updateAll(dogs) { $0.weight = 1 } == 3)
        #expect(try context.updateAll(dogs, where: "weight == 1") { $0.weight = 2 } == 3)
        #expect(try context.updateAll(dogs, where: #Predicate { $0.name == "Tom" }) { _ in } == 0)
        #expect(try context.updateAll(dogs, set: \.weight, to: 3) == 3)
        #expect(animals.map(\.weight) == [3, 3, 5, 3])
    }

    @Test func `only objects of the class that is given are deleted`() throws {
        let puppies: Animal.Type = AnimalModel.Puppy.self
        #expect(try context.deleteAll(puppies, where: "weight > 4") == 0)
        #expect(try context.deleteAll(puppies) == 1)
        #expect(names(try context.fetch(Animal.self)) == ["Bo", "Rex", "Tom"])
        #expect(try context.deleteAll(dogs, where: #Predicate { $0.name != "Rex" }) == 1)
        #expect(names(try context.fetch(Animal.self)) == ["Rex", "Tom"])
        let cats: ManagedObject.Type = AnimalModel.Cat.self
        #expect(try context.deleteAll(cats) == 1)
        #expect(names(try context.fetch(Animal.self)) == ["Rex"])
    }

    @Test func `an identifier leads only to an object of the class that is given`() throws {
        let identifiers = animals.map(\.objectID)
        #expect(names(context.objects(dogs, with: identifiers)) == ["Bo", "Rex", "Tiny"])
        #expect(try context.existingObject(dogs, with: identifiers[1]) === animals[1])
        #expect(throws: ContextError.otherClass(identifiers[2], expected: "Dog")) {
            try context.existingObject(dogs, with: identifiers[2])
        }
        #expect(context.objects(ManagedObject.self, with: identifiers).count == 4)
    }

    /// A class that is in no model.
    final class Stranger: ManagedObject {}
}
