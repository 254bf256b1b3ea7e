import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

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
    ) async throws {
        let types: [ManagedObject.Type] = [
            AnimalModel.Person.self, AnimalModel.Animal.self, AnimalModel.Dog.self,
            AnimalModel.Puppy.self, AnimalModel.Cat.self,
        ]
        let model = order.map { types[$0] }
        let written = HandwrittenDocument(of: model)
        let document = try await written.open()
        let animals = try document.viewContext.addAnimals()
        let person = AnimalModel.Person(context: document.viewContext)
        for first in 0..<4 {
            for step in [1, 3] {
                for animal in animals { animal.owner = nil }
                for number in 0..<4 { person.pets.insert(animals[(first + number * step) % 4]) }
                let text = try await written.text(of: document)
                let again = try await HandwrittenDocument(of: model, text).open()
                let owner = try #require(
                    try again.viewContext.fetch(AnimalModel.Person.self).first)
                #expect(owner.pets.map(\.name) == person.pets.map(\.name))
            }
        }
    }

    /// Entities of which one inherits from the other, and of which many inherit much from one.
    private static let greedy: [(name: String, entities: [String])] = [
        (
            "deep",
            (0..<2_000).map {
                let superentity = $0 > 0 ? #","super":"E\#($0 - 1)""# : ""
                return #"{"name":"E\#($0)","properties":[]\#(superentity)}"#
            }
        ),
        (
            "wide",
            [
                #"{"name":"B","properties":["#
                    + (0..<2_000).map { #"{"name":"p\#($0)","type":"boolean","optional":true}"# }
                    .joined(separator: ",") + "]}"
            ] + (0..<2_000).map { #"{"name":"E\#($0)","super":"B","properties":[]}"# }
        ),
    ]

    @Test(arguments: greedy)
    func `a small file whose entities inherit more than there is memory for is refused`(
        name: String, entities: [String]
    ) async throws {
        let text =
            #"{"placeskit":1,"entities":["# + entities.joined(separator: ",") + #"],"objects":{}}"#
        let document = try HandwrittenDocument(of: AnimalModel.types, text)
        let error = await #expect(throws: DocumentError.self, "\(name)") {
            try await document.open()
        }
        guard case .damaged(_, let failure)? = error else { throw Unexpected(error) }
        #expect("\(failure)".contains("inherit less"), "\(name)")
    }

    /// Formats, and whether another writer has put the keys into its own order, which in JSON is that of the objects.
    private static let written: [(format: ManagedDocument.Format, isRewritten: Bool)] = [
        (.json, false), (.xmlPropertyList, false), (.xmlPropertyList, true),
        (.binaryPropertyList, false), (.binaryPropertyList, true),
    ]

    @Test(arguments: written)
    func `members in the order of the file keep it when classes or keys come in another one`(
        format: ManagedDocument.Format, isRewritten: Bool
    ) async throws {
        let types: [ManagedObject.Type] = [
            AnimalModel.Person.self, AnimalModel.Animal.self, AnimalModel.Dog.self,
            AnimalModel.Puppy.self, AnimalModel.Cat.self,
        ]
        let models = [[0, 1, 2, 3, 4], [1, 2, 3, 4, 0], [4, 0, 3, 2, 1]].map { order in
            order.map { types[$0] }
        }
        for (writer, reader) in models.flatMap({ writer in models.map { (writer, $0) } }) {
            try await withTemporaryDirectory { url in
                let document = try await ManagedDocument.open(
                    at: url, model: writer, options: .savedByHand { $0.format = format })
                let animals = try document.viewContext.addAnimals()
                let members = writer.flatMap { type in
                    animals.filter { Swift.type(of: $0) == type }
                }
                let person = AnimalModel.Person(context: document.viewContext)
                for animal in members { person.pets.insert(animal) }
                try await document.save()
                try await document.compact()
                let names = members.map(\.name)
                #expect(person.pets.map(\.name) == names)
                try await document.close()
                if isRewritten { try rewriteSnapshots(in: url) }

                let reopened = try await ManagedDocument.open(
                    at: url, model: reader, options: .savedByHand())
                let owner = try #require(
                    try reopened.viewContext.fetch(AnimalModel.Person.self).first)
                #expect(owner.pets.map(\.name) == names, "\(writer) and then \(reader)")
                try await reopened.close()
            }
        }
    }

    /// Lets Foundation write the snapshots of a document, which are property lists.
    private func rewriteSnapshots(in url: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: url, includingPropertiesForKeys: nil)
        for file in files where file.pathExtension == "plist" {
            var format = PropertyListSerialization.PropertyListFormat.openStep
            let list = try PropertyListSerialization.propertyList(
                from: try Data(contentsOf: file), format: &format)
            try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
                .write(to: file)
        }
    }

    @Test func `an object stands under its own entity with all its properties`() async throws {
        let text = try await HandwrittenDocument.text(of: AnimalModel.types) {
            _ = try $0.addAnimals()
        }
        #expect(text.contains(#"{"name":"Puppy","super":"Dog","properties":[{"name":"weeks""#))
        #expect(text.contains(#"{"name":"Animal","abstract":true,"properties":["#))
        #expect(
            text.contains(
                #"{"id":1,"weeks":7,"trick":"sit","license":1,"name":"Tiny","weight":3}"#))
        #expect(text.contains(#"{"id":2,"lives":9,"name":"Tom","weight":5}"#))
        let written = try HandwrittenDocument(of: AnimalModel.types, text)
        #expect(try await written.text(of: written.open()) == text)
    }

    @Test(arguments: [
        (#""prey":2"#, #""prey":0"#, "the number of an existing Cat"),
        (#"{"id":3,"#, #"{"id":2,"#, "a number that no other object of the entity has"),
        (#""weeks":7,"#, "", "a value of weeks, which is required"),
        (#""lives":9"#, #""weeks":9"#, "the name of a property"),
    ])
    func `what does not fit the hierarchy is told`(
        old: String, new: String, expected: String
    ) async throws {
        let text = try await HandwrittenDocument.text(of: AnimalModel.types) { context in
            let animals = try context.addAnimals()
            (animals[0] as? AnimalModel.Dog)?.prey = animals[2] as? AnimalModel.Cat
        }
        #expect(text.contains(old))
        let edited = text.replacing(old, with: new)
        let damage = try await HandwrittenDocument(of: AnimalModel.types, edited).damage()
        #expect(damage?.description.contains(expected) == true, "\(damage as Any)")
    }
}
