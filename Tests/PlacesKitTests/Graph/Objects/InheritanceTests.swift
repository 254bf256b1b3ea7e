import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Objects of classes that inherit from each other.
@Suite struct InheritanceTests {
    typealias Animal = AnimalModel.Animal
    typealias Dog = AnimalModel.Dog
    typealias Puppy = AnimalModel.Puppy
    typealias Cat = AnimalModel.Cat
    typealias Person = AnimalModel.Person

    let context: ManagedObjectContext
    let animals: [Animal]

    init() throws {
        context = try AnimalModel.context()
        animals = try context.addAnimals()
    }

    private func names(_ predicate: Predicate<Animal>) throws -> [String] {
        try context.fetch(FetchRequest(predicate: predicate)).map(\.name)
    }

    // MARK: - Conflicts

    @Test func `who deletes an object that is gone everywhere meets no conflict`() throws {
        let identity = Dog(context: context).objectID
        let child = ManagedObjectContext(parent: context, isolation: nil)
        let dog = try child.existingObject(Dog.self, with: identity)
        dog.name = "Nobody's"
        context.rollback()
        child.refreshAllObjects()
        #expect(child.conflicts().map(\.object) == [identity])
        child.delete(dog)
        try child.save()
        #expect(dog.isDeleted && !child.hasChanges && !context.hasChanges)
    }

    // MARK: - Undo

    @Test func `a fetch from before an undo still knows of which class an object was`()
        throws
    {
        context.isUndoEnabled = true
        context.keptObjectLimit = 0
        try context.save()
        func insert() { Dog(context: context).name = "Undone" }
        insert()
        context.processPendingChanges()
        let found = try context.fetch(
            FetchRequest<Animal>(predicate: #Predicate { $0.name == "Undone" }))
        context.undo()
        try context.save()
        let first = found[0]
        #expect(first is Dog && first.isDeleted)
        context.redo()
        let again = try context.fetch(
            FetchRequest<Animal>(predicate: #Predicate { $0.name == "Undone" }))
        #expect(again.count == 1 && again[0] === first)
        let dog = try #require(first as? Dog)
        #expect(try dog.isInserted && dog.committedValue(of: \.name) == "Nameless")
        #expect(try dog.committedValue(of: \.trick) == "sit" && dog.trick == "sit")
    }

    // MARK: - Fetching

    @Test func `a fetch of a superclass gives the objects of its subclasses as they were inserted`()
        throws
    {
        #expect(try context.fetch(Animal.self).map(\.name) == ["Rex", "Tiny", "Tom", "Bo"])
        let kept = Array(try context.fetch(Animal.self))
        #expect(kept == animals)
        #expect((kept[1] as? Puppy)?.weeks == 7)
        #expect((kept[2] as? Cat)?.lives == 9)
        #expect(kept[2] as? Dog == nil)
    }

    @Test func `a fetch of a subclass gives its objects and those of its own subclasses`() throws {
        #expect(try context.fetch(Dog.self).map(\.name) == ["Rex", "Tiny", "Bo"])
        #expect(try context.fetch(Puppy.self).map(\.name) == ["Tiny"])
        #expect(try context.fetch(Cat.self).map(\.name) == ["Tom"])
        #expect(try context.count(Animal.self) == 4)
        #expect(try context.count(Dog.self) == 3)
        #expect(try context.count(Cat.self) == 1)
        #expect(try context.store.snapshot().count(Dog.self) == 3)
    }

    @Test func `walking a fetch makes handles of the right classes, kept or not`() throws {
        var classes: [String] = []
        for animal in try context.fetch(Animal.self) {
            classes.append(String(describing: type(of: animal)))
        }
        #expect(classes == ["Dog", "Puppy", "Cat", "Dog"])
        let other = ManagedObjectContext(context.store)
        classes = []
        for animal in try other.fetch(Animal.self) {
            classes.append(String(describing: type(of: animal)))
            #expect((animal as? Cat)?.mark ?? "not plain" == "not plain")
            try other.checkIntegrity()
        }
        #expect(classes == ["Dog", "Puppy", "Cat", "Dog"])
        classes = try other.fetch(Dog.self).map { String(describing: type(of: $0)) }
        #expect(classes == ["Dog", "Puppy", "Dog"])
    }

    @Test func `predicates and sort descriptors read own and inherited properties`() throws {
        let heavy = FetchRequest<Dog>(
            predicate: #Predicate { $0.name != "Rex" && $0.trick == "sit" },
            sortBy: [SortDescriptor(\.weight), SortDescriptor(\.name)])
        #expect(try context.fetch(heavy).map(\.name) == ["Bo", "Tiny"])
        #expect(try context.count(heavy) == 2)
        #expect(try heavy.explain(in: context).notCompiled == [])
        let light = FetchRequest<Puppy>(
            predicate: #Predicate { $0.weight ?? 0 < 10 && $0.weeks > 2 && $0.license == 1 })
        #expect(try context.fetch(light).map(\.name) == ["Tiny"])
        let lively = FetchRequest<Cat>(
            predicate: #Predicate { $0.trick == nil && $0.lives > 8 && $0.chip == nil })
        #expect(try context.fetch(lively).map(\.name) == ["Tom"])
        #expect(try lively.explain(in: context).notCompiled == [])
    }

    private func named<Object: Animal>(_ name: String, _ type: Object.Type) throws -> [Animal] {
        Array(
            try context.fetch(
                FetchRequest<Object>(
                    predicate: #Predicate { $0.name == name }, sortBy: [SortDescriptor(\.name)])))
    }

    @Test func `a generic function asks any subclass`() throws {
        #expect(try named("Tom", Cat.self) == [animals[2]])
        #expect(try named("Tom", Dog.self) == [])
        #expect(try named("Tom", Animal.self) == [animals[2]])
    }

    @Test func `a format reads own and inherited properties, and finds objects of its class`()
        throws
    {
        let dogs = try context.fetch(Dog.self, where: "name != %@ AND trick == 'sit'", "Rex")
        #expect(dogs.map(\.name) == ["Tiny", "Bo"])
        #expect(try context.fetch(Cat.self, where: "trick == nil").map(\.name) == ["Tom"])
        #expect(try context.fetch(Puppy.self, where: "TRUEPREDICATE").map(\.name) == ["Tiny"])
        (animals[0] as? Dog)?.prey = animals[2] as? Cat
        let hunters = try context.fetch(Dog.self, where: "prey.lives == 9 AND prey.weight == 5")
        #expect(hunters.map(\.name) == ["Rex"])
        #expect(throws: ContextError.self) { try context.fetch(Animal.self, where: "lives == 9") }
        _ = try FetchRequest<Puppy>(where: "weeks > 1 AND owner.name == 'Ann'")
    }

    @Test func `a predicate may ask for the class of an object`() throws {
        let isDog = #Predicate<Animal> { $0 is Dog }
        #expect(try names(isDog) == ["Rex", "Tiny", "Bo"])
        #expect(try FetchRequest(predicate: isDog).explain(in: context).notCompiled == [])
        #expect(try names(#Predicate { !($0 is Puppy) && $0 is Dog }) == ["Rex", "Bo"])
        #expect(try names(#Predicate { ($0 as? Dog)?.trick == "sit" }) == ["Rex", "Tiny", "Bo"])
        #expect(try names(#Predicate { ($0 as? Cat)?.lives == 9 }) == ["Tom"])
        let person = Person(context: context)
        person.favorite = animals[1]
        let fond = FetchRequest<Person>(predicate: #Predicate { $0.favorite is Dog })
        #expect(try context.fetch(fond).map { $0 } == [person])
        person.favorite = nil
        #expect(try context.count(fond) == 0)
    }

    @Test func `a superclass' identifier finds any subclass, and only those`() throws {
        for animal in animals {
            #expect(try context.existingObject(Animal.self, with: animal.objectID) === animal)
        }
        let tiny = animals[1]
        #expect(try context.existingObject(Dog.self, with: tiny.objectID) === tiny)
        #expect(throws: ContextError.otherClass(tiny.objectID, expected: "Cat")) {
            try context.existingObject(Cat.self, with: tiny.objectID)
        }
    }

    @Test func `pending objects of subclasses are fetched, unless the predicate leaves them out`()
        throws
    {
        let puppy = Puppy(weeks: 2, in: context)
        puppy.license = 9
        puppy.name = "Dot"
        context.delete(animals[3])
        let others = #Predicate<Dog> { !($0 is Puppy) }
        #expect(try context.fetch(Dog.self).map(\.name) == ["Rex", "Tiny", "Dot"])
        #expect(try context.fetch(FetchRequest(predicate: others)).map(\.name) == ["Rex"])
        #expect(try context.count(FetchRequest(predicate: others)) == 1)
        #expect(try context.count(Animal.self) == 4)
    }

    // MARK: - Identity

    @Test func `an object has the identifier of its own class`() throws {
        #expect(animals.map(\.objectID.entity) == ["Dog", "Puppy", "Cat", "Dog"])
        #expect(animals.map(\.objectID.number) == [0, 1, 2, 3])
        for animal in animals {
            #expect(try context.existingObject(with: animal.objectID) === animal)
        }
        let wrong = ObjectID(entity: "Cat", number: 1)
        #expect(throws: ContextError.noSuchObject(wrong)) {
            try context.existingObject(with: wrong)
        }
        let id = animals[2].objectID
        #expect(try names(#Predicate { $0.objectID == id }) == ["Tom"])
        #expect(try names(#Predicate { $0.objectID == wrong }) == [])
    }

    @Test func `a context tells its changes by objects of their own classes`() throws {
        let puppy = Puppy(weeks: 1, in: context)
        animals[2].name = "Thomas"
        context.delete(animals[0])
        #expect(context.insertedObjects == [puppy])
        #expect(context.updatedObjects == [animals[2]])
        #expect(context.deletedObjects == [animals[0]])
    }

    // MARK: - Unique attributes

    @Test func `an attribute of a superclass is unique among all its subclasses`() throws {
        animals[0].chip = "x"
        let cat = Cat(context: context)
        cat.chip = "x"
        let duplicate = ValidationFailure(
            object: cat.objectID, property: "chip",
            reason: .duplicateValue(.string("x"), other: animals[0].objectID))
        #expect(throws: ContextError.invalid([duplicate])) { try context.save() }
        #expect(try context.find(Animal.self, \.chip, "x") === animals[0])
        #expect(try context.find(Dog.self, \.chip, "x") === animals[0])
        #expect(try context.find(Puppy.self, \.chip, "x") == nil)
        #expect(try context.find(Cat.self, \.chip, "x") === cat)
    }

    @Test func `findOrInsert of another subclass inserts, and the save refuses it`() throws {
        animals[0].chip = "x"
        let cat = try context.findOrInsert(Cat.self, \.chip, "x")
        #expect(try context.count(Cat.self) == 2)
        #expect(throws: ContextError.self) { try context.save() }
        cat.chip = "y"
        try context.save()
        #expect(try context.findOrInsert(Cat.self, \.chip, "y") === cat)
    }

    @Test func `a subclass's unique attribute with a default concerns its objects alone`() throws {
        let dog = Dog(context: context)
        #expect(try context.find(Dog.self, \.license, 100) === dog)
        _ = [Cat(context: context), Cat(context: context)]
        try context.save()
        _ = Puppy(weeks: 3, in: context)
        #expect(throws: ContextError.self) { try context.save() }
    }

    // MARK: - Relationships

    @Test func `a relationship to a superclass holds objects of its subclasses`() throws {
        let person = Person(context: context)
        for animal in animals { person.pets.insert(animal) }
        #expect(Array(person.pets) == animals)
        #expect(animals.allSatisfy { $0.owner === person })
        (animals[0] as? Dog)?.prey = animals[2] as? Cat
        #expect((animals[2] as? Cat)?.hunters.map(\.name) == ["Rex"])
        let owners = FetchRequest<Person>(
            predicate: #Predicate { $0.pets.contains { $0.name == "Tom" } })
        #expect(try context.fetch(owners).map { $0 } == [person])
        let hunted = FetchRequest<Cat>(predicate: #Predicate { $0.hunters.count == 1 })
        #expect(try context.fetch(hunted).map(\.name) == ["Tom"])
        context.delete(person)
        let survivors = animals.filter { !$0.isDeleted }
        #expect(survivors.isEmpty)
        try context.save()
        #expect(try context.count(Animal.self) == 0)
    }

    @Test func `deleting an object clears the references to it, whatever their type`() throws {
        let person = Person(context: context)
        person.favorite = animals[2]
        (animals[0] as? Dog)?.prey = animals[2] as? Cat
        context.delete(animals[2])
        #expect(person.favorite == nil)
        #expect((animals[0] as? Dog)?.prey == nil)
        try context.checkIntegrity()
    }

    // MARK: - Saving

    @Test func `an object of an abstract class is refused by the save`() throws {
        let animal = Animal(context: context)
        let failure = ValidationFailure(
            object: animal.objectID, property: "", reason: .abstractEntity)
        #expect(throws: ContextError.invalid([failure])) { try context.save() }
        #expect(failure.description.contains("Animal/4 is of an abstract class"))
        context.delete(animal)
        #expect(!context.hasChanges)
        try context.save()
    }

    @Test func `only the properties of its own class are required of an object`() throws {
        let puppy = Puppy(context: context)
        puppy.license = 5
        let failure = ValidationFailure(
            object: puppy.objectID, property: "weeks", reason: .missingValue)
        #expect(throws: ContextError.invalid([failure])) { try context.save() }
        puppy.weeks = 1
        _ = Cat(context: context)
        try context.save()
    }

    @Test func `commits of another context arrive with their classes`() throws {
        let other = ManagedObjectContext(context.store)
        let cat = Cat(context: other)
        cat.name = "Felix"
        let felix = cat.objectID
        try other.save()
        let dog = Dog(context: context)
        dog.license = 50
        try context.save()
        #expect(try context.fetch(Cat.self).map(\.name) == ["Tom", "Felix"])
        #expect(try context.existingObject(with: felix) is Cat)
        #expect(try context.fetch(Dog.self).map(\.license) == [0, 1, 3, 50])
        try context.checkIntegrity()
    }

    @Test func `objects of a fetch that were rolled back are still of a class that fits`() throws {
        let kept = Cat(context: context)
        _ = Dog(context: context)
        _ = Cat(context: context)
        let all = try context.fetch(Animal.self)
        let dogs = try context.fetch(Dog.self)
        let cats = try context.fetch(Cat.self)
        context.rollback()
        #expect(all.count == 7 && dogs.count == 4 && cats.count == 3)
        let first = Array(all)
        #expect(first[4] === kept)
        #expect(first[5].isDeleted && first[6].isDeleted)
        #expect(dogs[3].isDeleted && dogs[3].trick == "")
        #expect(cats[2].isDeleted && cats[2].lives == 0)
        #expect(kept.isDeleted && kept.objectID.entity == "Cat")
        try context.checkIntegrity()
        #expect(first.count == 7)
    }

    // MARK: - Results

    @Test func `a results controller of a superclass follows all subclasses`() throws {
        let results = try FetchedResultsController(
            FetchRequest<Animal>(sortBy: [SortDescriptor(\.name)]), in: context)
        let dogs = try FetchedResultsController(
            FetchRequest<Dog>(sortBy: [SortDescriptor(\.name)]), in: context)
        var recorder = ResultsRecorder(results.snapshot)
        results.onChange = { change in
            do { try recorder.replay(change) } catch { Issue.record(error) }
        }
        #expect(results.objects.map(\.name) == ["Bo", "Rex", "Tiny", "Tom"])
        let cat = Cat(context: context)
        cat.name = "Felix"
        context.processPendingChanges()
        #expect(results.objects.map(\.name) == ["Bo", "Felix", "Rex", "Tiny", "Tom"])
        #expect(results.snapshot.identifiers[1] == cat.objectID)
        #expect(dogs.objects.map(\.name) == ["Bo", "Rex", "Tiny"])
        context.rollback()
        #expect(results.objects.map(\.name) == ["Bo", "Rex", "Tiny", "Tom"])
        animals[0].name = "Zeus"
        try context.save()
        #expect(results.objects.map(\.name) == ["Bo", "Tiny", "Tom", "Zeus"])
        #expect(dogs.objects.map(\.name) == ["Bo", "Tiny", "Zeus"])
        #expect(recorder.changes.count == 3)
    }
}
