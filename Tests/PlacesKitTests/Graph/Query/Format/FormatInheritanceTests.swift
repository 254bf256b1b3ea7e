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
}
