import Foundation
import PlacesKit
import Testing

@Suite struct BatchTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    @Test func `many objects are inserted with one handle`() throws {
        var handles: Set<ObjectIdentifier> = []
        let count = try context.insert(Citizen.self, from: 0..<100) { citizen, number in
            citizen.name = "\(number)"
            citizen.age = number
            handles.insert(ObjectIdentifier(citizen))
        }
        #expect(count == 100 && handles.count < 5)
        #expect(try context.fetch(Citizen.self).map(\.age) == Array(0..<100))
        #expect(context.insertedObjects.count == 100)
        try context.save()
    }

    @Test func `a handle that is kept stays that of its object`() throws {
        var kept: [Citizen] = []
        try context.insert(Citizen.self, from: 0..<10) { citizen, number in
            citizen.name = "\(number)"
            if number.isMultiple(of: 3) { kept.append(citizen) }
        }
        #expect(kept.map(\.name) == ["0", "3", "6", "9"])
        #expect(context.brokenInvariants == [])
    }

    @Test func `upserting updates what is there and inserts what is not`() throws {
        let land = context.land("A")
        try context.save()
        let records = [("A", 1), ("B", 2), ("C", 3), ("B", 4)]
        let counts = try context.upsert(Land.self, by: \.name, from: records, key: \.0) {
            land, record in
            #expect(land.name == record.0)
            land.number = record.1
        }
        #expect(counts == (inserted: 2, updated: 2))
        #expect(land.number == 1)
        #expect(try context.find(Land.self, \.name, "B")?.number == 4)
        #expect(try context.count(Land.self) == 3)
        #expect(context.updatedObjects == [land] && context.insertedObjects.count == 2)
        try context.save()
        let again = try context.upsert(Land.self, by: \.name, from: records, key: \.0) { _, _ in }
        #expect(again == (inserted: 0, updated: 4) && !context.hasChanges)
    }

    @Test func `an upsert without a key inserts`() throws {
        let counts = try context.upsert(Land.self, by: \.number, from: [nil, nil, 3], key: \.self) {
            $0.name = "\($1 ?? Int.random(in: 10...(.max)))"
        }
        #expect(counts == (inserted: 3, updated: 0))
    }

    final class Pass: ManagedObject {
        @Attribute(.unique) var code: String? = "none"
    }

    @Test func `an object that an upsert inserts without a key has none, whatever the default`()
        throws
    {
        let context = ManagedObjectContext(try GraphStore(model: [Pass.self]))
        let codes = [nil, "a", nil]
        let counts = try context.upsert(Pass.self, by: \.code, from: codes, key: \.self) {
            #expect($0.code == $1)
        }
        #expect(counts == (inserted: 3, updated: 0))
        #expect(try context.values(of: \Pass.code) == codes)
        #expect(try context.findOrInsert(Pass.self, \.code, nil).code == nil)
        try context.save()
    }

    @Test func `an upsert by what is not unique is refused, and does nothing`() throws {
        #expect(throws: ContextError.notUnique(entity: "Citizen", keyPath: "age")) {
            try context.upsert(Citizen.self, by: \.age, from: [1], key: \.self) { _, _ in }
        }
        #expect(!context.hasChanges)
    }

    @Test func `an upsert may link to objects of the same batch`() throws {
        try context.upsert(Land.self, by: \.name, from: ["A", "B"], key: \.self) { _, _ in }
        try context.insert(Town.self, from: ["A", "B", "A"]) { town, name in
            town.name = name
            town.land = (try? context.find(Land.self, \.name, name)) ?? nil
        }
        #expect(try context.fetch(Land.self).map(\.towns.count) == [2, 1])
        #expect(context.brokenInvariants == [])
    }

    final class Node: ManagedObject {
        @Attribute(.unique) var key: String
        @Relationship(inverse: \Node.sources) var target: Node?
        @Relationship var sources: ObjectSet<Node>
    }

    @Test func `an element may refer to what comes later in its batch, and to itself`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Node.self]))
        let records = [("a", "c"), ("b", "c"), ("c", "a"), ("d", "d"), ("a", "b")]
        func upsert() throws {
            try context.upsert(Node.self, by: \.key, from: records, key: \.0) { node, record in
                node.target = (try? context.findOrInsert(Node.self, \.key, record.1)) ?? nil
            }
        }
        try upsert()
        #expect(try context.count(Node.self) == 4)
        for (key, target, sources) in [
            ("a", "b", ["c"]), ("b", "c", ["a"]), ("c", "a", ["b"]), ("d", "d", ["d"]),
        ] {
            let node = try #require(try context.find(Node.self, \.key, key))
            #expect(node.target?.key == target && node.sources.map(\.key) == sources, "\(key)")
        }
        try context.save()
        try upsert()
        #expect(!context.hasChanges && context.brokenInvariants == [])
    }

    @Test func `all objects that satisfy a predicate are updated`() throws {
        try context.insert(Citizen.self, from: 0..<50) { citizen, age in
            citizen.name = "\(age)"
            citizen.age = age
        }
        try context.save()
        let old = #Predicate<Citizen> { $0.age >= 40 }
        #expect(
            try context.updateAll(Citizen.self, where: old, set: \.nickname, to: "Elder") == 10)
        #expect(context.updatedObjects.count == 10)
        let count = try context.updateAll(Citizen.self, where: old) { citizen in
            citizen.age -= 40
            citizen.nickname? += "!"
        }
        #expect(count == 10)
        #expect(try context.count(FetchRequest(predicate: old)) == 0)
        let elder = #Predicate<Citizen> { $0.nickname == "Elder!" }
        #expect(try context.fetch(FetchRequest(predicate: elder)).map(\.age) == Array(0..<10))
        #expect(try context.updateAll(Citizen.self, set: \.age, to: 1) == 50)
    }

    @Test func `what breaks a rule in a batch is found by the save`() throws {
        try context.insert(Land.self, from: 0..<3) { land, number in
            land.name = "\(number)"
        }
        try context.updateAll(Land.self, set: \.number, to: 1)
        #expect(context.failures().map(\.property) == ["number", "number"])
    }

    @Test func `all objects that satisfy a predicate are deleted, with what they take along`()
        throws
    {
        try context.insert(Land.self, from: 0..<4) { land, number in
            land.name = "\(number)"
            land.number = number
        }
        try context.insert(Town.self, from: 0..<8) { town, number in
            town.land = (try? context.find(Land.self, \.number, number / 2)) ?? nil
        }
        try context.save()
        let count = try context.deleteAll(Land.self, where: #Predicate { $0.name != "3" })
        #expect(count == 3)
        #expect(try context.count(Land.self) == 1)
        #expect(try context.count(Town.self) == 2)
        #expect(context.deletedObjects.count == 9)
        #expect(context.brokenInvariants == [])
        context.rollback()
        #expect(try context.count(Town.self) == 8)
        #expect(try context.deleteAll(Town.self) == 8)
        try context.save()
        #expect(context.store.snapshot().brokenInvariants == [])
    }

    @Test func `ten times as many objects take less than forty times as long`() throws {
        func time(_ count: Int) throws -> Duration {
            let context = try TownModel.context()
            return try ContinuousClock().measure {
                for _ in 0..<2 {
                    try context.upsert(Land.self, by: \.name, from: 0..<count, key: \.description) {
                        $0.number = $1
                    }
                }
                try context.updateAll(Land.self, where: #Predicate { $0.number != nil }) {
                    $0.number? += count
                }
                try context.deleteAll(Land.self)
            }
        }
        // The best of several rounds, for the machine may be busy with something else.
        let small = try (0..<3).map { _ in try time(300) }.min() ?? .zero
        let large = try (0..<3).map { _ in try time(3_000) }.min() ?? .zero
        #expect(large < small * 40, "\(small) and \(large)")
    }
}
