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
}
