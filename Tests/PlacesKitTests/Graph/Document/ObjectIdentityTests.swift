import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// An identity is given once, however often a document is written anew and opened.
@Suite struct ObjectIdentityTests {
    typealias Dog = AnimalModel.Dog
    typealias Puppy = AnimalModel.Puppy

    private func document(
        at url: URL, _ model: [ManagedObject.Type], _ format: ManagedDocument.Format
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(at: url, model: model, options: .init { $0.format = format })
    }

    @Test(arguments: ManagedDocument.Format.allCases)
    func `the identity of a deleted object is given to no other after opening`(
        format: ManagedDocument.Format
    ) async throws {
        try await withTemporaryDirectory { url in
            var seen: Set<ObjectID> = []
            for count in 1...4 {
                let document = try await document(at: url, AnimalModel.types, format)
                let context = document.viewContext
                let dogs = (0..<count).map { number in
                    let dog = number == 0 ? Puppy(weeks: 3, in: context) : Dog(context: context)
                    dog.license = seen.count + number
                    return dog
                }
                let ids = dogs.map(\.objectID)
                #expect(seen.isDisjoint(with: ids))
                seen.formUnion(ids)
                try context.save()
                dogs.forEach(context.delete)
                try context.save()
                try await document.compact()
                try await document.close()
            }
            let document = try await document(at: url, AnimalModel.types, format)
            for id in seen { #expect(document.viewContext.object(with: id) == nil) }
            let puppy = Puppy(weeks: 1, in: document.viewContext)
            #expect(!seen.contains(puppy.objectID))
            try await document.close()
        }
    }

    @Test func `objects that come back are the same for a reader that has cleared their rows`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Items")
            let writer = try await DocumentModel.open(url)
            let context = writer.viewContext
            context.isUndoEnabled = true
            let tags = (0..<4).map { _ in DocumentModel.Tag(context: context) }
            try await writer.save()
            let reader = try await DocumentModel.open(url) {
                ($0.isReadOnly, $0.rowsClearedAtOnce) = (true, 1)
            }
            func saveAndRefresh(_ comment: Comment) async throws {
                try await writer.save()
                try await reader.refresh()
                #expect(reader.store.account == writer.store.account, comment)
            }
            for round in 0..<3 {
                tags.dropFirst().forEach(context.delete)
                try await saveAndRefresh("deleted in round \(round)")
                // By this commit the reader clears the rows.
                context.disableUndoRegistration()
                tags[0].name = "\(round)"
                context.processPendingChanges()
                context.enableUndoRegistration()
                try await saveAndRefresh("written in round \(round)")
                context.undo()
                try await saveAndRefresh("back in round \(round)")
                #expect(try reader.store.snapshot().count(DocumentModel.Tag.self) == 4)
                for tag in tags { tag.name += "+" }
                try await saveAndRefresh("written again in round \(round)")
            }
            try await reader.close()
            try await writer.close()
        }
    }

    @Test func `a snapshot tells the next number only where its objects do not`() async throws {
        let written = HandwrittenDocument(of: AnimalModel.types)
        let document = try await written.open()
        let context = document.viewContext
        let dogs = (0..<3).map { number in
            let dog = Dog(context: context)
            dog.license = number
            return dog
        }
        #expect(try await !written.text(of: document).contains("next"))
        context.delete(dogs[1])
        #expect(try await !written.text(of: document).contains("next"))
        context.delete(dogs[2])
        #expect(
            try await written.text(of: document).contains("\"next\":{\"Animal\":3},\n\"objects\""))
    }

    @Test func `numbers go on behind those that a snapshot tells`() async throws {
        let empty = try await HandwrittenDocument.text(of: AnimalModel.types) { _ in }
        func written(_ next: String) throws -> HandwrittenDocument {
            try HandwrittenDocument(
                of: AnimalModel.types,
                empty.replacing("\"objects\"", with: "\"next\":\(next),\n\"objects\""))
        }
        for next in [7, 3_000_000_000, 1 << 60] as [Int64] {
            let written = try written("{\"Dog\":\(next)}")
            let document = try await written.open()
            let dog = Dog(context: document.viewContext)
            #expect(dog.objectID == ObjectID(entity: "Dog", number: next))
            #expect(document.viewContext.object(with: dog.objectID) === dog)
            #expect(try await written.text(of: document).contains("\"id\":\(next)"))
        }
        // Where there is no room above, numbers are taken from below.
        let full = try await written("{\"Dog\":\(Int64.max)}").open()
        #expect(Dog(context: full.viewContext).objectID.number >= 0)
        #expect(try await written("{\"Dog\":-1}").damage() != nil)
        #expect(try await written("{\"Whale\":1}").damage() != nil)
    }

    @Test func `an identity from before its class was renamed leads to the object`() async throws {
        try await withTemporaryDirectory { url in
            let document = try await document(at: url, SmallTown.before, .json)
            let houses = ["a", "b"].map { street in
                let house = SmallTown.House(context: document.viewContext)
                house.street = street
                return house
            }
            let kept = houses[1].objectID
            try await document.close()

            let migrated = try await self.document(at: url, SmallTown.after, .json)
            let context = migrated.viewContext
            let building = try context.existingObject(SmallTown.Building.self, with: kept)
            #expect(building.street == "b")
            #expect(building.objectID == ObjectID(entity: "Building", number: kept.number))
            #expect(context.objects(SmallTown.Building.self, with: [kept]) == [building])
            let itself = #Predicate<SmallTown.Building> { $0.objectID == kept }
            let written = "SELF == CAST('\(kept)', 'NSManagedObjectID')"
            for request in [
                FetchRequest(predicate: itself),
                try FetchRequest<SmallTown.Building>(where: PredicateFormat(itself)),
                try FetchRequest<SmallTown.Building>(where: PredicateFormat(written)),
            ] {
                #expect(Array(try context.fetch(request)) == [building])
            }
            let controller = try ObjectController(SmallTown.Building.self, kept, in: context)
            #expect(controller.object === building)
            try await migrated.close()
        }
    }

    @Test func `a stage finds the record of an identity from before it renamed the entity`()
        async throws
    {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, SmallTown.before) {
                SmallTown.House(context: $0).street = "a"
            }
            let stage = MigrationStage(from: 1, to: 2) { records in
                let kept = try records.records(of: "House")[0].id
                try records.changeSchema { try $0.renameEntity("House", to: "Building") }
                records.record(kept)?["street"] = .string("b")
            }
            try await MigrationWorld.migrate(
                url, to: SmallTown.after, plan: MigrationPlan(version: 2, stages: [stage])
            ) { context in
                let streets = try context.fetch(SmallTown.Building.self).map(\.street)
                #expect(streets == ["b"])
            }
        }
    }

    @Test func `a migrated document gives no number again`() async throws {
        try await withTemporaryDirectory { url in
            let document = try await document(at: url, SmallTown.before, .json)
            let house = SmallTown.House(context: document.viewContext)
            let id = house.objectID.number
            try document.viewContext.save()
            document.viewContext.delete(house)
            try document.viewContext.save()
            try await document.compact()
            try await document.close()
            let migrated = try await self.document(at: url, SmallTown.after, .json)
            #expect(SmallTown.Building(context: migrated.viewContext).objectID.number > id)
            try await migrated.close()
        }
    }
}

private enum SmallTown {
    static let before: [ManagedObject.Type] = [House.self]
    static let after: [ManagedObject.Type] = [Building.self]

    final class House: ManagedObject {
        @Attribute var street = ""
    }

    final class Building: ManagedObject {
        override class var originalName: String? { "House" }
        @Attribute var street = ""
    }
}
