import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Declared in the order that it has, which is not that of its raw values.
private enum Size: String, CaseIterable, AttributeValue, Comparable {
    case small = "S"
    case medium = "M"
    case large = "L"
    case huge = "XL"

    static func < (left: Size, right: Size) -> Bool { left.number < right.number }
    private var number: Int { Size.allCases.firstIndex(of: self) ?? 0 }
}

private struct Version: AttributeValue, Comparable {
    var parts: [Int]

    init(_ parts: Int...) { self.parts = parts }
    init?(stored: String) {
        parts = stored.split(separator: ".").compactMap { Int($0) }
        if parts.isEmpty { return nil }
    }

    var stored: String { parts.map(String.init).joined(separator: ".") }

    static func < (left: Version, right: Version) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }
}

private final class Shirt: ManagedObject {
    @Attribute(.range(Size.small...Size.large)) var size: Size?
    @Attribute(.range(Version(1, 9)..<Version(1, 11))) var version: Version?
}

private final class Item: ManagedObject {
    @Attribute var size = Size.small
    @Attribute var version: Version?
    @Relationship(inverse: \Box.items) var box: Box?
}

private final class Box: ManagedObject {
    @Relationship var items: ObjectSet<Item>
    @Derived(min: \Box.items, \Item.size) var least: Size?
    @Derived(max: \Box.items, \Item.version) var newest: Version?
    @DerivedObject(max: \Box.items, by: \Item.version) var newestItem: Item?
    @Derived(countDistinct: \Box.items, \Item.version) var versions: Int
}

private struct Celsius: RawRepresentable, AttributeValue, Comparable {
    var rawValue: Double
    init(rawValue: Double) { self.rawValue = rawValue }
    init(_ rawValue: Double) { self.rawValue = rawValue }
    static func < (left: Celsius, right: Celsius) -> Bool { left.rawValue < right.rawValue }
}

private final class Day: ManagedObject {
    @Attribute var most = Celsius(0)
    @Attribute(.range(Celsius(-50)...)) var least = Celsius(0)
    @Relationship(inverse: \Month.days) var month: Month?
}

private final class Month: ManagedObject {
    @Relationship var days: ObjectSet<Day>
    @Derived(max: \Month.days, \Day.most) var most: Celsius?
}

/// Types with another order than that of what their values are stored as.
@Suite struct OwnOrderTests {
    @Test func `a range allows the values between its bounds in the order of their type`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Shirt.self]))
        let shirt = Shirt(context: context)
        let sizes = Size.allCases.filter { size in
            shirt.size = size
            return shirt.validationFailures().isEmpty
        }
        #expect(sizes == [.small, .medium, .large])
        shirt.size = nil
        let all = [Version(1, 8), Version(1, 9), Version(1, 10), Version(1, 11), Version(10)]
        let versions = all.filter { version in
            shirt.version = version
            return shirt.validationFailures().isEmpty
        }
        #expect(versions == [Version(1, 9), Version(1, 10)])
        shirt.version = Version(1, 10)
        try context.save()
        shirt.version = Version(1, 11)
        #expect(throws: ContextError.self) { try context.save() }
    }

    @Test func `the least and the greatest are so in the order of their type`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Item.self, Box.self]))
        let box = Box(context: context)
        #expect(box.least == nil && box.newest == nil && box.newestItem == nil)
        let versions = [Version(1, 8), Version(1, 9), Version(1, 10), Version(1, 2)]
        let items = zip(Size.allCases.reversed(), versions).map { size, version in
            let item = Item(context: context)
            (item.size, item.version, item.box) = (size, version, box)
            return item
        }
        Item(context: context).box = box
        #expect(box.least == .small && box.newest == Version(1, 10))
        #expect(box.newestItem === items[2] && box.versions == 4)
        try context.save()
        try context.checkIntegrity()

        items[0].version = Version(2)
        #expect(box.newest == Version(2) && box.newestItem === items[0])
        context.delete(items[0])
        items[2].version = nil
        #expect(box.newest == Version(1, 9) && box.newestItem === items[1] && box.versions == 2)
        try context.checkIntegrity()
        context.rollback()
        #expect(box.newest == Version(1, 10) && box.newestItem === items[2])
        try context.checkIntegrity()
    }

    @Test func `a document has the least and the greatest when it is opened again`() async throws {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(at: url, model: [Item.self, Box.self])
            let box = Box(context: document.viewContext)
            for version in [Version(1, 10), Version(1, 9)] {
                let item = Item(context: document.viewContext)
                (item.version, item.box) = (version, box)
            }
            try document.viewContext.save()
            try await document.close()
            let again = try await ManagedDocument.open(at: url, model: [Item.self, Box.self])
            let read = try #require(try again.viewContext.fetch(Box.self).first)
            #expect(read.newest == Version(1, 10) && read.newestItem?.version == Version(1, 10))
            try again.viewContext.checkIntegrity()
            try await again.close()
        }
    }

    @Test func `a reader without the classes has extremes of an enum in the order of its cases`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(at: url, model: [Item.self, Box.self])
            for sizes in [[Size.huge, .large], [.medium, .huge], [.large, .medium, .small], []] {
                let box = Box(context: document.viewContext)
                for size in sizes {
                    let item = Item(context: document.viewContext)
                    (item.size, item.box) = (size, box)
                }
            }
            try document.viewContext.save()
            try await document.close()
            let boxes = try await DocumentReader.open(at: url).values(
                of: ["least"], for: RecordQuery("Box"))
            let least: [Datum] = [.string("L"), .string("M"), .string("S"), .null]
            #expect(boxes == least.map { [.attribute($0)] })
        }
    }

    @Test func `what is not a number is greatest in an order of one's own, and in no range`() throws
    {
        let context = ManagedObjectContext(try GraphStore(model: [Day.self, Month.self]))
        let month = Month(context: context)
        let days = [3, Double.nan, 1, 2].map { number in
            let day = Day(context: context)
            (day.most, day.month) = (Celsius(number), month)
            return day
        }
        #expect(month.most?.rawValue.isNaN == true)
        days[1].month = nil
        #expect(month.most == Celsius(3))
        days[0].month = nil
        days[1].month = month
        days[1].most = Celsius(0)
        #expect(month.most == Celsius(2))
        try context.checkIntegrity()
        days[2].least = Celsius(.nan)
        #expect(days[2].validationFailures().map(\.property) == ["least"])
    }
}
