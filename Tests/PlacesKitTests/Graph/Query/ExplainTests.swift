import Foundation
import PlacesKit
import Testing

/// What `explain` tells of a fetch.
@Suite struct ExplainTests {
    private static func context() throws -> ManagedObjectContext {
        let context = try ShelfModel.context()
        let shelves = (0..<40).map { number in
            let shelf = ShelfModel.Shelf(context: context)
            shelf.name = "shelf \(number)"
            return shelf
        }
        for number in 0..<400 {
            let item = ShelfModel.Item(context: context)
            item.title = number % 7 == 0 ? "Lámp" : "chair"
            item.size = number
            item.shelf = shelves[number % 40]
        }
        return context
    }

    @Test func `the class of a choice of objects is what is not compiled`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Creature.self, Hound.self]))
        let predicate = #Predicate<Creature> { ($0.isWild ? $0.mother : $0.father) is Hound }
        let reasons = try FetchRequest(predicate: predicate).explain(in: context).notCompiled
        #expect(reasons.count == 1)
        #expect(reasons.first?.contains("the class of a choice of objects") == true)
    }

    @Test func `the steps, what was expected of them and what they found are told`() throws {
        let explanation = try FetchRequest<ShelfModel.Item>(
            where: "shelf.name == 'shelf 3' AND title CONTAINS[cd] 'lamp'", limit: 1
        ).explain(in: Self.context())
        #expect(
            explanation.steps.map(\.text) == [
                "take the first 1", "keep of these", "if title contains[cd] \"lamp\"",
                "Item whose shelf is one of", "index of Shelf by name where name == \"shelf 3\"",
            ])
        #expect(explanation.steps.map(\.depth) == [0, 1, 2, 2, 3])
        #expect(explanation.steps.map(\.rows) == [1, 1, nil, 10, 1])
        #expect(explanation.steps.map(\.estimatedRows) == [1, 1, nil, 10, 1])
        #expect(explanation.rows == 1)
        #expect(explanation.notCompiled.isEmpty)
        let lines = explanation.description.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines[0].hasPrefix("1 object in "))
        #expect(lines[4].hasPrefix("    Item whose shelf is one of → 10 rows, 10 expected, "))
    }

    @Test(arguments: [
        ("items.@max.size > 370", false), ("items.@sum.size != 2000", true),
        ("items.@min.size == nil", true), ("items[LAST].size <= 365", false),
        ("SUBQUERY(items, $item, $item.size > 100).@count > 7", false),
    ])
    func `what members behind a to-one relationship come to is found once for each owner`(
        test: String, holdsOfNone: Bool
    ) throws {
        let context = try Self.context()
        _ = (0..<100).map { _ in ShelfModel.Item(context: context) }
        let request = try FetchRequest<ShelfModel.Item>(
            where: test.replacingOccurrences(of: "items", with: "shelf.items"))
        let steps = try request.explain(in: context).steps.map(\.text)
        #expect(steps.contains("scan Shelf"), "\(steps)")
        let shelves = Set(try context.fetch(FetchRequest<ShelfModel.Shelf>(where: test)))
        let expected = try context.fetch(ShelfModel.Item.self).filter {
            $0.shelf.map(shelves.contains) ?? holdsOfNone
        }
        #expect(Array(try context.fetch(request)) == expected)
    }

    @Test func `functions of format strings are told as they are written`() throws {
        let steps = try FetchRequest<ShelfModel.Item>(
            where: "uppercase(title) == 'CHAIR' AND floor(size) > 390"
        ).explain(in: Self.context()).steps.map(\.text)
        #expect(steps.contains("if uppercase(title) == \"CHAIR\""), "\(steps)")
        #expect(steps.contains("if floor(size) > 390"), "\(steps)")
    }

    @Test func `a choice between values is asked after what is quicker`() throws {
        let steps = try FetchRequest<ShelfModel.Item>(
            predicate: #Predicate {
                ($0.title == "chair" ? $0.size : 0) > 390 && $0.title.contains("air")
            }
        ).explain(in: Self.context()).steps.map(\.text).filter { $0.hasPrefix("if ") }
        #expect(steps.count == 2)
        #expect(steps.first == "if title contains \"air\"", "\(steps)")
    }

    @Test func `a date in what was not compiled is told, be it a number or not`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [VisitBook.self]))
        VisitBook(context: context).visits = [Date(timeIntervalSinceReferenceDate: 0): 1]
        func request(_ seconds: Double) -> FetchRequest<VisitBook> {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            return FetchRequest<VisitBook>(predicate: #Predicate { $0.visits[date] == 1 })
        }
        let explanation = try request(0).explain(in: context)
        #expect(explanation.rows == 1)
        #expect(explanation.notCompiled.contains { $0.contains("2001-01-01T00:00:00Z") })
        #expect(try context.count(request(.nan)) == 0)
    }

    @Test func `what was not compiled is told, with the reason`() throws {
        let explanation = try FetchRequest<ShelfModel.Item>(
            predicate: #Predicate { $0.title.count > 4 && $0.size > 390 },
            sortBy: [SortDescriptor(\.shelf?.name)]
        ).explain(in: Self.context())
        #expect(
            explanation.notCompiled.first
                == "this is not a property of a managed object: $0.title.count")
        #expect(explanation.steps.contains { $0.text.hasPrefix("if the object says so: ") })
        #expect(explanation.description.contains("\nnot compiled: "))
        #expect(explanation.rows == 7)
    }

    @Test func `the reason is said in words and the expression written as in Swift`() throws {
        func reason(_ predicate: Predicate<Specimen>) throws -> [String] {
            try FetchRequest(predicate: predicate).explain(in: SpecimenWorld(seed: 1).context)
                .notCompiled
        }
        let (texts, numbers) = (["a", "b"], [1, 2, 3])
        let property = "this is not a property of a managed object: "
        #expect(
            try reason(#Predicate { $0.shout == "PLAIN" })
                == ["this is computed, not a managed property: $0.(a computed String)"])
        #expect(
            try reason(#Predicate { ($0.maybeText ?? "").count > 1 && $0.flag })
                == [property + "($0.maybeText ?? \"\").count"])
        #expect(
            try reason(#Predicate { $0.shelf?.name.count == 2 })
                == [property + "$0.name.count"])
        #expect(
            try reason(#Predicate { specimen in numbers.contains { $0 > specimen.text.count } })
                == [property + "$0.text.count"])
        #expect(
            try reason(#Predicate { specimen in texts.contains { $0.count > specimen.integer } })
                == [property + "$0.count"])
    }

    @Test func `a value of a Codable type is told as such, not as computed`() throws {
        typealias Person = CodableAttributeTests.Person
        let context = ManagedObjectContext(try GraphStore(model: [Person.self]))
        let reason = "equal values of a Codable type may be written differently: "
        let named = FetchRequest<Person>(predicate: #Predicate { $0.nicknames.contains("Al") })
        #expect(
            try named.explain(in: context).notCompiled
                == [reason + "$0.(a value of type Array<String>)"])
        let single = FetchRequest<Person>(predicate: #Predicate { $0.secondAddress == nil })
        #expect(
            try single.explain(in: context).notCompiled
                == [reason + "$0.(a value of type Optional<Address>)"])
    }

    @Test func `an index is advised where it would help, and not where it is there`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [LogEntry.self]))
        for number in 0..<2_400 {
            let entry = LogEntry(context: context)
            entry.number = number
            entry.day =
                number % 10 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number))
            entry.weight = max(0, number - 1_000)
        }
        func advice(_ format: String, _ key: SortDescriptor<LogEntry>) throws -> [String] {
            try FetchRequest(where: format, sortBy: [key], limit: 5).explain(in: context)
                .helpfulIndexes
        }
        let all = "TRUEPREDICATE"
        #expect(try advice(all, SortDescriptor(\.weight)) == [".index(\\LogEntry.weight)"])
        #expect(try advice(all, SortDescriptor(\.day)) == [])
        #expect(try advice(all, SortDescriptor(\.day, order: .forward, nils: .last)) == [])
        #expect(try advice(all, SortDescriptor(\.day, order: .reverse, nils: .first)) == [])
        #expect(
            try advice(all, SortDescriptor(\.night, order: .forward, nils: .last))
                == [".index(\\LogEntry.night)"])
        // The walk is given up, as the first match lies far behind.
        #expect(try advice("weight > 0", SortDescriptor(\.number)) == [])
        #expect(
            try advice("isRead == NO", SortDescriptor(\.weight))
                == [".index(\\LogEntry.isRead, \\LogEntry.weight)"])
    }

    @Test func `a request for as many as numbers tell is explained`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [LogEntry.self]))
        for number in 0..<3 { LogEntry(context: context).number = number }
        for key in [SortDescriptor(\LogEntry.weight), SortDescriptor(\LogEntry.number)] {
            let request = FetchRequest(sortBy: [key], limit: .max - 1)
            #expect(try request.explain(in: context).rows == 3)
        }
    }

    @Test func `an index is advised as a class can declare it`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Plant.self, Tree.self]))
        for number in 0..<4_000 {
            let tree = Tree(context: context)
            tree.number = number
            tree.rings = number
            tree.picture = Data([UInt8(number & 255), UInt8(number >> 8)])
            tree.place = Coordinate(
                latitude: Double(number) / 50, longitude: Double(number % 300) / 2)
            tree.home.street = "street \(number)"
            tree.work = PlantAddress(street: "street \(number)")
        }
        func advice<Kind: ManagedObject>(
            _ type: Kind.Type, _ format: String, _ arguments: Any?...
        ) throws -> [String] {
            try FetchRequest<Kind>(where: PredicateFormat(format, arguments: arguments))
                .explain(in: context).helpfulIndexes
        }
        #expect(try advice(Tree.self, "rings == 5") == [".index(\\Tree.rings)"])
        #expect(try advice(Tree.self, "number == 5") == [".index(\\Plant.number)"])
        #expect(
            try advice(Tree.self, "rings == 5 AND number == 5")
                == [".index(\\Tree.rings, \\Tree.number)"])
        let oldest = FetchRequest<Tree>(sortBy: [SortDescriptor(\.rings)], limit: 5)
        #expect(try oldest.explain(in: context).helpfulIndexes == [".index(\\Tree.rings)"])
        #expect(try advice(Plant.self, "picture == %@", Data([5, 0])) == [])
        #expect(
            try advice(Plant.self, "picture == %@ AND number == 5", Data([5, 0]))
                == [".index(\\Plant.number)"])
        #expect(
            try advice(Plant.self, "home.street == 'street 5'") == [".index(\\Plant.home.street)"])
        #expect(
            try advice(Plant.self, "work.street == 'street 5'")
                == [".index(\\Plant.work?.street)"])
        #expect(
            try advice(Plant.self, "place.latitude > 79.9")
                == [".index(\\Plant.place?.latitude)"])
    }

    @Test func `a spatial index is advised for what lies in an area or near`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Plant.self, Tree.self]))
        for number in 0..<4_000 {
            let plant = Plant(context: context)
            plant.number = number
            plant.place = Coordinate(
                latitude: Double(number) / 50, longitude: Double(number % 300) / 2)
            (plant.latitude, plant.longitude) = (Double(number) / 50, Double(number % 300) / 2)
        }
        let center = Coordinate(latitude: 40.5, longitude: 77)
        func advice(_ request: FetchRequest<Plant>) throws -> [String] {
            try request.explain(in: context).helpfulIndexes
        }
        let circle = try FetchRequest<Plant>(
            where: .located(in: .circle(center: center, kilometers: 100), \.place))
        #expect(try advice(circle) == [".spatialIndex(\\Plant.place)"])
        let box = try FetchRequest<Plant>(
            where: "latitude > 40 AND latitude < 41 AND longitude > 70 AND longitude < 90")
        #expect(
            try advice(box)
                == [".spatialIndex(latitude: \\Plant.latitude, longitude: \\Plant.longitude)"])
        let nearest = FetchRequest<Plant>(
            sortBy: [SortDescriptor(\.place, distanceFrom: center)], limit: 5)
        #expect(try advice(nearest) == [".spatialIndex(\\Plant.place)"])
        var several = nearest
        several.sortDescriptors.append(SortDescriptor(\.place?.latitude))
        #expect(try advice(several) == [".spatialIndex(\\Plant.place)"])
    }

    @Test func `indexes are declared as they are advised`() throws {
        _ = try GraphStore(model: [IndexedPlant.self, IndexedTree.self])
    }

    @Test func `explaining finds what fetching finds`() throws {
        let context = try Self.context()
        var request = FetchRequest<ShelfModel.Item>(
            predicate: #Predicate { $0.size > 100 && $0.shelf?.name != "shelf 3" },
            sortBy: [SortDescriptor(\.title), SortDescriptor(\.size, order: .reverse)])
        for limit in [nil, 0, 7, 1_000] {
            request.limit = limit
            #expect(try request.explain(in: context).rows == context.fetch(request).count)
        }
    }
}

private final class VisitBook: ManagedObject {
    @Attribute var visits: [Date: Int] = [:]
}

private final class LogEntry: ManagedObject {
    @Attribute(.indexed) var number = 0
    @Attribute(.indexed) var day: Date?
    @Attribute var night: Date?
    @Attribute var weight = 0
    @Attribute var isRead = false
}

private struct PlantAddress: CompositeAttribute {
    var street = ""

    static let parts: [CompositePart<PlantAddress>] = [.part("street", \.street)]
}

private class Plant: ManagedObject {
    @Attribute var number = 0
    @Attribute(.externalStorage) var picture: Data?
    @Composite var place: Coordinate?
    @Composite var home = PlantAddress()
    @Composite var work: PlantAddress?
    @Attribute var latitude = 0.0
    @Attribute var longitude = 0.0
}

private final class Tree: Plant {
    @Attribute var rings = 0
}

private class IndexedPlant: ManagedObject {
    @Attribute var number = 0
    @Composite var place: Coordinate?
    @Composite var home = PlantAddress()
    @Attribute var latitude = 0.0
    @Attribute var longitude = 0.0

    override class var constraints: [EntityConstraint] {
        [
            .index(\IndexedPlant.place?.latitude), .index(\IndexedPlant.home.street),
            .spatialIndex(\IndexedPlant.place),
            .spatialIndex(
                latitude: \IndexedPlant.latitude, longitude: \IndexedPlant.longitude),
        ]
    }
}

private final class IndexedTree: IndexedPlant {
    @Attribute var rings = 0

    override class var constraints: [EntityConstraint] {
        super.constraints + [.index(\IndexedTree.number, \IndexedTree.rings)]
    }
}

private class Creature: ManagedObject {
    @Attribute var isWild = false
    @Relationship var mother: Creature?
    @Relationship var father: Creature?
}

private final class Hound: Creature {
    @Attribute var rank = 0
}
