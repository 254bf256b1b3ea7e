import Foundation
import PlacesKit
import Testing

/// Closures over to-many relationships, and predicates within predicates.
@Suite struct ClosureQueryTests {
    @Test func `members are filtered`() throws {
        try check(.compiled) {
            #Predicate<Specimen> { $0.tags.filter { $0.weight > 0 }.count == 1 }
            #Predicate<Specimen> { $0.tags.filter { $0.weight > 0 }.isEmpty }
            #Predicate<Specimen> { !$0.tags.filter { $0.weight > 0 }.isEmpty }
            #Predicate<Specimen> { $0.tags.filter { _ in true }.count > 1 }
            #Predicate<Specimen> { $0.tags.filter { $0.weight > 0 }.contains { $0.weight < 2 } }
            #Predicate<Specimen> { $0.tags.filter { $0.weight > 0 }.allSatisfy { $0.weight < 2 } }
            #Predicate<Specimen> {
                ($0.shelf?.specimens.filter { $0.flag }.count ?? 0) > 3
            }
            #Predicate<Specimen> { $0.shelf?.specimens.filter { $0.flag }.isEmpty ?? true }
        }
    }

    @Test func `closures look at what lies around them`() throws {
        try check(.compiled) {
            #Predicate<Specimen> { specimen in
                specimen.tags.contains { $0.weight == specimen.tags.count }
            }
            #Predicate<Specimen> { specimen in
                specimen.children.allSatisfy { $0.integer > specimen.integer }
            }
            #Predicate<Specimen> { specimen in
                specimen.shelf?.specimens.contains { $0.maybeText == specimen.maybeText } ?? false
            }
            #Predicate<Specimen> { specimen in
                specimen.shelf?.specimens.contains {
                    $0 != specimen && $0.text == specimen.text
                } ?? false
            }
            #Predicate<Specimen> { specimen in
                specimen.tags.contains { tag in
                    tag.specimens.filter { $0.integer > specimen.integer }.count > tag.weight
                }
            }
            #Predicate<Specimen> { specimen in
                specimen.tags.contains { _ in specimen.shelf == nil }
            }
            #Predicate<Specimen> { specimen in
                specimen.tags.contains { _ in specimen.children.contains { $0.flag } }
            }
            #Predicate<Specimen> { $0.children.contains($0) }
            #Predicate<Specimen> { specimen in
                specimen.parent.flatMap { $0.children.contains(specimen) } ?? false
            }
            #Predicate<Specimen> { specimen in
                specimen.shelf?.room?.shelves.contains { $0.name == specimen.text } ?? false
            }
        }
    }

    @Test func `objects are cast to their classes`() throws {
        let context = try AnimalModel.context()
        _ = try context.addAnimals()
        try context.check(
            #Predicate<AnimalModel.Animal> { ($0 as? AnimalModel.Puppy)?.weeks == 7 }, .compiled)
        try context.check(
            #Predicate<AnimalModel.Animal> { ($0 as? AnimalModel.Puppy)?.weeks != 7 }, .compiled)
        try context.check(
            #Predicate<AnimalModel.Animal> { ($0 as? AnimalModel.Cat) == nil }, .compiled)
        try context.check(
            #Predicate<AnimalModel.Animal> { ($0 as! AnimalModel.Cat).lives > 1 }, .compiled)
        try context.check(
            #Predicate<AnimalModel.Animal> { !(($0 as! AnimalModel.Cat).lives > 10) }, .compiled)
        try context.check(
            #Predicate<AnimalModel.Person> {
                ($0.favorite as? AnimalModel.Dog)?.name == "Rex"
            }, .compiled)
        try context.check(
            #Predicate<AnimalModel.Person> { !($0.favorite is AnimalModel.Dog) }, .compiled)
    }

    @Test func `what is not compiled says why`() throws {
        let context = try SpecimenWorld(seed: 1, saved: 30).context
        let request = FetchRequest<Specimen>(
            predicate: #Predicate { $0.flag && $0.shout == "PLAIN" })
        let explanation = try request.explain(in: context)
        #expect(
            explanation.notCompiled
                == ["this is computed, not a managed property: $0.(a computed String)"])
        // One part is compiled, and one is not.
        #expect(explanation.steps.contains { $0.text == "if flag == true" })
    }
}
