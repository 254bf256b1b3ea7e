import PlacesKit

/// A small hierarchy: an abstract class, a concrete one with a subclass, and a leaf.
enum AnimalModel {
    class Animal: ManagedObject {
        override class var isAbstract: Bool { self == Animal.self }
        @Attribute(.unique) var chip: String?
        @Attribute var name = "Nameless"
        @Attribute var weight: Int?
        @Relationship(inverse: \Person.pets) var owner: Person?
    }

    class Dog: Animal {
        @Attribute var trick = "sit"
        @Attribute(.unique) var license = 100
        @Relationship(inverse: \Cat.hunters) var prey: Cat?
    }

    final class Puppy: Dog {
        @Attribute var weeks: Int

        /// A puppy of some weeks.
        convenience init(weeks: Int, in context: ManagedObjectContext) {
            self.init(context: context)
            self.weeks = weeks
        }
    }

    final class Cat: Animal {
        @Attribute var trick: Int?
        @Attribute var lives = 9
        @Relationship var hunters: ObjectSet<Dog>
        let mark = "not plain"
    }

    final class Person: ManagedObject {
        @Attribute var name = ""
        @Relationship(deleteRule: .cascade) var pets: ObjectSet<Animal>
        @Relationship var favorite: Animal?
    }

    static let types: [ManagedObject.Type] = [
        Person.self, Puppy.self, Cat.self, Animal.self, Dog.self,
    ]

    static func store() throws -> GraphStore { try GraphStore(model: types) }

    static func context() throws -> ManagedObjectContext { ManagedObjectContext(try store()) }
}

extension ManagedObjectContext {
    /// A saved dog, puppy, cat and dog of these names, in this order.
    func addAnimals() throws -> [AnimalModel.Animal] {
        let animals = [
            AnimalModel.Dog(context: self), AnimalModel.Puppy(weeks: 7, in: self),
            AnimalModel.Cat(context: self), AnimalModel.Dog(context: self),
        ]
        for (number, animal) in animals.enumerated() {
            animal.name = ["Rex", "Tiny", "Tom", "Bo"][number]
            animal.weight = [30, 3, 5, nil][number]
            (animal as? AnimalModel.Dog)?.license = number
        }
        try save()
        return animals
    }
}
