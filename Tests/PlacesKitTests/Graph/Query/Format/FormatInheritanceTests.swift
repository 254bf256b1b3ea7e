import Foundation
import PlacesKit
import Testing

/// Predicate formats over classes with subclasses, to which no relationship leads.
@Suite struct FormatInheritanceTests {
    private typealias Animal = AnimalModel.Animal
    private typealias Person = AnimalModel.Person

    @Test func `a format is checked for a class from which an abstract one is reached`() throws {
        for format in ["nmae == 'x'", "name == $NAME", "ANY pets.weigth > 1", "favorite > 1"] {
            #expect(throws: PredicateFormatError.self, "\(format)") {
                try FetchRequest<Person>(where: format)
            }
        }
        #expect(throws: PredicateFormatError.self) {
            try FetchRequest<Animal>(where: "nmae == 'x'")
        }
        let (person, animal) = (
            #Predicate<Person> { $0.name == "Ann" }, #Predicate<Animal> { $0.name == "Rex" }
        )
        #expect(try PredicateFormat(person).format == "name == 'Ann'")
        #expect(try PredicateFormat(animal).format == "name == 'Rex'")
    }

    @Test func `a request asks for objects of subclasses, however they are given`() throws {
        let context = try AnimalModel.context()
        let animals = try context.addAnimals()
        let (rex, tiny, tom) = (animals[0], animals[1], animals[2])
        let person = Person(context: context)
        rex.owner = person
        person.favorite = tiny
        let ids = [rex.objectID, tom.objectID]
        func names(_ format: String, _ arguments: Any?...) throws -> [String] {
            let format = try PredicateFormat(format, arguments: arguments)
            for format in [format, try PredicateFormat(format.description)] {
                let request = try FetchRequest<Animal>(
                    where: format, sortBy: [SortDescriptor(\.name)])
                let compound = try FetchRequest<Animal>(
                    where: CompoundPredicate(format), sortBy: [SortDescriptor(\.name)])
                #expect(
                    try context.fetch(request).map(\.name)
                        == context.fetch(compound).map(\.name))
            }
            let request = try FetchRequest<Animal>(where: format, sortBy: [SortDescriptor(\.name)])
            return try context.fetch(request).map(\.name)
        }
        #expect(try names("SELF == %@", rex) == ["Rex"])
        #expect(try names("SELF == %@", tiny.objectID) == ["Tiny"])
        #expect(try names("SELF != %@", tom) == ["Bo", "Rex", "Tiny"])
        #expect(try names("SELF IN %@", ids) == ["Rex", "Tom"])
        #expect(try names("NOT SELF IN %@", [rex, tiny]) == ["Bo", "Tom"])
        #expect(try names("owner.favorite == %@", tiny) == ["Rex"])
        #expect(try names("ANY owner.pets == %@", rex) == ["Rex"])
        let owners = try FetchRequest<Person>(where: "pets CONTAINS %@ AND %@ IN pets", rex, rex)
        #expect(try context.fetch(owners).count == 1)
        // An object is still nothing but an object.
        for format in ["SELF > %@", "SELF BETWEEN {%@, %@}"] {
            let arguments: [Any?] = format.contains("{") ? [rex, tom] : [rex]
            #expect(throws: PredicateFormatError.self, "\(format)") {
                try FetchRequest<Animal>(where: PredicateFormat(format, arguments: arguments))
            }
        }
        #expect(throws: ContextError.self) {
            try context.fetch(Animal.self, where: "name == %@", rex)
        }
    }

    @Test func `a predicate is written with the objects of subclasses that it captured`() throws {
        let context = try AnimalModel.context()
        let animals = try context.addAnimals()
        let person = Person(context: context)
        animals[0].owner = person
        person.favorite = animals[1]
        let (rex, tiny, tom) = (
            animals[0].objectID, animals[1].objectID, animals[2].objectID
        )
        (animals[3] as? AnimalModel.Dog)?.prey = animals[2] as? AnimalModel.Cat
        let either = [rex, tom]
        func check<Object: ManagedObject>(
            _ predicate: Predicate<Object>, _ count: Int,
            _ location: SourceLocation = #_sourceLocation
        ) throws {
            let found = try context.fetch(FetchRequest(predicate: predicate)).map(\.objectID)
            #expect(found.count == count, sourceLocation: location)
            let written = try PredicateFormat(predicate)
            let again = try context.fetch(FetchRequest<Object>(where: written)).map(\.objectID)
            #expect(Set(again) == Set(found), "\(written)", sourceLocation: location)
        }
        try check(#Predicate<Animal> { $0.objectID == rex }, 1)
        try check(#Predicate<Animal> { $0.objectID != rex }, 3)
        try check(#Predicate<Animal> { $0.name == "Bo" || $0.objectID == rex }, 2)
        try check(#Predicate<Animal> { either.contains($0.objectID) }, 2)
        try check(#Predicate<Person> { $0.favorite?.objectID == tiny }, 1)
        try check(#Predicate<Person> { $0.pets.contains { $0.objectID == rex } }, 1)
        // Here relationships lead to several classes of the hierarchy.
        try check(#Predicate<AnimalModel.Dog> { $0.prey?.objectID == tom }, 1)
        try check(#Predicate<AnimalModel.Dog> { $0.objectID == tom }, 0)
        let owner = person.objectID
        try check(#Predicate<Animal> { $0.objectID == owner }, 0)
        let itself = try PredicateFormat(#Predicate<Animal> { $0.objectID == rex })
        #expect(itself.format == "SELF == CAST('\(rex)', 'NSManagedObjectID')")
        #expect {
            try PredicateFormat(#Predicate<Animal> { $0 is AnimalModel.Dog })
        } throws: {
            "\($0)".contains("the class of an object")
        }
    }
}
