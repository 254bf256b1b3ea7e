import Foundation
import PlacesKit
import Testing

/// Identifiers in constants of predicates, and those of objects of several classes.
@Suite struct IdentifierQueryTests {
    final class Plate: ManagedObject {
        @Attribute var number = 0
        @Relationship(inverse: \Print.plate) var prints: ObjectSet<Print>
    }

    final class Print: ManagedObject {
        @Attribute var weight = 0
        @Relationship var plate: Plate?
        @Relationship(inverse: \Buyer.prints) var buyer: Buyer?
    }

    final class Buyer: ManagedObject {
        @Relationship var prints: ObjectSet<Print>
    }

    private let context: ManagedObjectContext
    private let plates: [Plate]

    /// Four plates with a print each, of which the first has a buyer, and a print without either.
    ///
    /// The objects of each class have the same numbers.
    init() throws {
        let context = ManagedObjectContext(
            try GraphStore(model: [Plate.self, Print.self, Buyer.self]))
        self.context = context
        plates = try (0..<4).map { number in
            let plate = try context.insert(Plate.self)
            plate.number = number
            let print = try context.insert(Print.self)
            print.weight = number % 2
            print.plate = plate
            return plate
        }
        for print in plates[0].prints { print.buyer = try context.insert(Buyer.self) }
        _ = try context.insert(Print.self)
        try context.save()
    }

    @Test func `identifiers are keys and values of a constant dictionary`() throws {
        let keep = [plates[1].objectID: true, plates[2].objectID: true]
        let names: [ObjectID?: Int] = [nil: 3, plates[3].objectID: 4]
        let other = try #require(plates[0].prints.first).objectID
        let strangers = [other: true]
        try context.check(#Predicate<Plate> { keep[$0.objectID] == true }, .compiled)
        try context.check(#Predicate<Plate> { keep[$0.objectID] == nil }, .compiled)
        try context.check(#Predicate<Plate> { keep[$0.objectID, default: false] }, .compiled)
        try context.check(#Predicate<Plate> { !keep[$0.objectID, default: false] }, .compiled)
        try context.check(#Predicate<Plate> { strangers[$0.objectID] == nil }, .compiled)
        for name in 3...4 {
            try context.check(
                #Predicate<Print> { names[$0.plate.flatMap { $0.objectID }] == name }, .compiled)
        }
        let (next, last) = ([0: plates[0].objectID, 1: plates[3].objectID], plates[3].objectID)
        try context.check(
            #Predicate<Plate> { next[$0.number, default: last] == $0.objectID }, .fallback)
    }

    @Test func `what a constant dictionary keeps is not deleted`() throws {
        let keep = [plates[1].objectID: true, plates[2].objectID: true]
        let deleted = try context.deleteAll(
            Plate.self, where: #Predicate { !keep[$0.objectID, default: false] })
        #expect(deleted == 2)
        #expect(try context.fetch(Plate.self).map(\.number) == [1, 2])
    }

    @Test func `identifiers are elements of a constant list`() throws {
        let ids = [plates[1].objectID, plates[2].objectID]
        try context.check(#Predicate<Plate> { ids[0] == $0.objectID }, .compiled)
        let all = plates.map(\.objectID)
        try context.check(#Predicate<Plate> { all[$0.number] == $0.objectID }, .fallback)
        try context.check(#Predicate<Plate> { ids.contains($0.objectID) }, .compiled)
        // Asked from within a closure about the object around it.
        try context.check(
            #Predicate<Plate> { plate in
                plate.prints.contains { ids.contains(plate.objectID) && $0.weight == 0 }
            }, .compiled)
        try context.check(
            #Predicate<Plate> { plate in
                plate.prints.contains { $0.weight == 0 && plate.objectID == ids[1] }
            }, .compiled)
        let missing: [ObjectID?] = [nil, plates[2].objectID]
        try context.check(
            #Predicate<Print> { missing.contains($0.plate.flatMap { $0.objectID }) }, .compiled)
        // One whose object is a choice is asked of each.
        try context.check(
            #Predicate<Print> {
                missing.contains(
                    $0.weight == 0
                        ? $0.plate.flatMap { $0.objectID } : $0.buyer.flatMap { $0.objectID })
            }, .fallback)
    }

    @Test func `objects of different classes have different identifiers`() throws {
        let print = try #require(plates[0].prints.first)
        #expect(print.objectID.number == plates[0].objectID.number)
        try context.check(
            #Predicate<Plate> { plate in
                plate.prints.contains { $0.objectID == plate.objectID }
            }, .compiled)
        try context.check(
            #Predicate<Plate> { plate in
                plate.prints.allSatisfy { $0.objectID != plate.objectID }
            }, .compiled)
        try context.check(
            #Predicate<Print> { print in
                print.plate.flatMap { $0.objectID == print.objectID } == true
            }, .compiled)
        // The last print has neither, so that both are nil.
        try context.check(
            #Predicate<Print> { $0.plate?.objectID == $0.buyer?.objectID }, .compiled)
        try context.check(
            #Predicate<Print> { $0.plate?.objectID != $0.buyer?.objectID }, .compiled)
        try context.check(
            #Predicate<Print> {
                ($0.weight == 0
                    ? $0.plate.flatMap { $0.objectID } : $0.buyer.flatMap { $0.objectID })
                    == $0.plate.flatMap { $0.objectID }
            }, .fallback)
    }

    @Test func `classes of one hierarchy share their identifiers`() throws {
        let context = try AnimalModel.context()
        let animals = try context.addAnimals()
        let person = try context.insert(AnimalModel.Person.self)
        person.favorite = animals[1]
        animals[1].owner = person
        animals[2].owner = person
        try context.save()
        try context.check(
            #Predicate<AnimalModel.Animal> { animal in
                (animal as? AnimalModel.Puppy).flatMap { $0.objectID == animal.objectID } == true
            }, .compiled)
        try context.check(
            #Predicate<AnimalModel.Person> { person in
                person.pets.contains { pet in
                    person.favorite.flatMap { $0.objectID == pet.objectID } == true
                }
            }, .compiled)
    }
}
