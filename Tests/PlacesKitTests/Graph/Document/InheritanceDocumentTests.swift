import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph

/// Objects of a hierarchy in a document.
@Suite struct InheritanceDocumentTests {
    @Test func `objects come back with their classes, values and links`() async throws {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(at: url, model: AnimalModel.types)
            let animals = try document.viewContext.addAnimals()
            let person = AnimalModel.Person(context: document.viewContext)
            for animal in animals.reversed() { person.pets.insert(animal) }
            person.favorite = animals[2]
            (animals[1] as? AnimalModel.Puppy)?.prey = animals[2] as? AnimalModel.Cat
            try await document.close()

            let context = try await ManagedDocument.open(at: url, model: AnimalModel.types)
                .viewContext
            let read = Array(try context.fetch(AnimalModel.Animal.self))
            #expect(read.map(\.objectID) == animals.map(\.objectID))
            #expect(read.map(\.name) == ["Rex", "Tiny", "Tom", "Bo"])
            #expect((read[1] as? AnimalModel.Puppy)?.weeks == 7)
            #expect((read[1] as? AnimalModel.Puppy)?.prey === read[2])
            let owner = try #require(read[0].owner)
            #expect(owner.pets.map(\.name) == ["Bo", "Tom", "Tiny", "Rex"])
            #expect(owner.favorite is AnimalModel.Cat)
            try context.checkIntegrity()
            // Numbers are given once in the hierarchy, after opening too.
            #expect(AnimalModel.Cat(context: context).objectID.number == 4)
        }
    }

    @Test(arguments: [[0, 1, 2, 3, 4], [3, 2, 4, 1, 0], [4, 0, 3, 2, 1], [2, 3, 1, 0, 4]])
    func `members keep their order, whatever the order of the model's classes`(
        order: [Int]
    ) throws {
        let types: [ManagedObject.Type] = [
            AnimalModel.Person.self, AnimalModel.Animal.self, AnimalModel.Dog.self,
            AnimalModel.Puppy.self, AnimalModel.Cat.self,
        ]
        let store = try GraphStore(model: order.map { types[$0] })
        let context = ManagedObjectContext(store)
        let animals = try context.addAnimals()
        let person = AnimalModel.Person(context: context)
        for first in 0..<4 {
            for step in [1, 3] {
                for animal in animals { animal.owner = nil }
                for number in 0..<4 { person.pets.insert(animals[(first + number * step) % 4]) }
                try context.save()
                let read = try SnapshotReader.read(
                    Array(try text(of: store).utf8), schema: store.model.schema)
                let again = ManagedObjectContext(GraphStore(model: store.model, graph: read))
                let owner = try #require(try again.fetch(AnimalModel.Person.self).first)
                #expect(owner.pets.map(\.name) == person.pets.map(\.name))
            }
        }
    }

    private func text(of store: GraphStore) throws -> String {
        var bytes: [UInt8] = []
        try SnapshotFormat.json.write(store.head.graph) { bytes.append(contentsOf: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `an object stands under its own entity with all its properties`() throws {
        let store = try AnimalModel.store()
        _ = try ManagedObjectContext(store).addAnimals()
        let text = try text(of: store)
        #expect(text.contains(#"{"name":"Puppy","super":"Dog","properties":[{"name":"weeks""#))
        #expect(text.contains(#"{"name":"Animal","abstract":true,"properties":["#))
        #expect(
            text.contains(
                #"{"id":1,"weeks":7,"trick":"sit","license":1,"name":"Tiny","weight":3}"#))
        #expect(text.contains(#"{"id":2,"lives":9,"name":"Tom","weight":5}"#))
        let read = try SnapshotReader.read(Array(text.utf8), schema: store.model.schema)
        let again = GraphStore(model: store.model, graph: read)
        #expect(try self.text(of: again) == text)
    }

    @Test(arguments: [
        (#""prey":2"#, #""prey":0"#, "the number of an existing Cat"),
        (#"{"id":3,"#, #"{"id":2,"#, "a number that no other object of the entity has"),
        (#""weeks":7,"#, "", "a value of weeks, which is required"),
        (#""lives":9"#, #""weeks":9"#, "the name of a property"),
    ])
    func `what does not fit the hierarchy is told`(
        old: String, new: String, expected: String
    ) throws {
        let store = try AnimalModel.store()
        let context = ManagedObjectContext(store)
        let animals = try context.addAnimals()
        (animals[0] as? AnimalModel.Dog)?.prey = animals[2] as? AnimalModel.Cat
        try context.save()
        let text = try text(of: store)
        #expect(text.contains(old))
        let edited = text.replacing(old, with: new)
        let error = #expect(throws: JSONError.self) {
            try SnapshotReader.read(Array(edited.utf8), schema: store.model.schema)
        }
        #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
    }

    @Test func `a model with another superclass is refused`() throws {
        let entities = try AnimalModel.store().model.schema.entities
        var changed = entities
        changed[1].superentity = "Animal"
        #expect(
            SnapshotMatch(entities, changed).differences
                == ["Puppy has another superentity in the document"])
        changed = entities
        changed[3].isAbstract = false
        #expect(SnapshotMatch(entities, changed).differences == [])
    }
}
