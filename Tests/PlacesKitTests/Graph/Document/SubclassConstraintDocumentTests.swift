import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What a subclass says is unique, in documents of objects of other classes that share it.
@Suite struct SubclassConstraintDocumentTests {
    enum Old {
        class Animal: ManagedObject {
            @Attribute var name = ""
            @Attribute var year = 0
        }
        final class Dog: Animal {}
        final class Cat: Animal {}
        static let types: [ManagedObject.Type] = [Animal.self, Dog.self, Cat.self]

        static func fill(_ context: ManagedObjectContext, dogs: Int) {
            for _ in 0..<dogs { Dog(context: context).name = "Tom" }
            for _ in 0..<2 { Cat(context: context).name = "Tom" }
        }
    }

    enum New {
        class Animal: ManagedObject {
            @Attribute var name = ""
            @Attribute var year = 0
        }
        final class Dog: Animal {
            @Relationship var bones: ObjectSet<Bone>
            @Derived(count: \Dog.bones, .unique) var boneCount: Int

            override class var constraints: [EntityConstraint] { [.unique(\Dog.name, \Dog.year)] }
        }
        final class Cat: Animal {}
        final class Bone: ManagedObject {
            @Relationship(inverse: \Dog.bones) var dog: Dog?
        }
        static let types: [ManagedObject.Type] = [Animal.self, Dog.self, Cat.self, Bone.self]
    }

    @Test func `a document with objects of other classes that share it is read`() async throws {
        let text = try await HandwrittenDocument.text(of: New.types) { context in
            for type in [New.Dog.self, New.Cat.self, New.Cat.self] as [New.Animal.Type] {
                type.init(context: context).name = "Tom"
            }
            try context.save()
        }
        let written = try HandwrittenDocument(of: New.types, text)
        let document = try await written.open()
        let context = document.viewContext
        #expect(try context.count(FetchRequest<New.Animal>()) == 3)
        #expect(try context.find(New.Dog.self, \.boneCount, 0)?.name == "Tom")
        try context.checkIntegrity()
        #expect(try await written.text(of: document) == text)
        let dog = New.Dog(context: context)
        (dog.name, dog.year) = ("Tom", 1)
        New.Bone(context: context).dog = dog
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `a subclass begins to say what is unique`() async throws {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, Old.types) { Old.fill($0, dogs: 1) }
            try await MigrationWorld.migrate(url, to: New.types) { context in
                let cats = try context.count(FetchRequest<New.Cat>())
                let dog = try context.find(New.Dog.self, \.boneCount, 0)
                #expect(cats == 2 && dog?.name == "Tom")
            }
        }
    }

    @Test func `a migration is refused where its own objects share it`() async throws {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, Old.types) { Old.fill($0, dogs: 2) }
            let errors = try await MigrationWorld.refusal(url, of: New.types)
            #expect(
                errors.contains(
                    .notUnique(
                        entity: "Dog", properties: ["name", "year"], count: 1,
                        example: [.string("Tom"), .integer(0)],
                        object: ObjectID(entity: "Dog", number: 1))))
        }
    }
}
