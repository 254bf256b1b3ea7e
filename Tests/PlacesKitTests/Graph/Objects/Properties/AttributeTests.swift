import Foundation
import PlacesKit
import Testing

@Suite struct AttributeTests {
    enum Season: String, CaseIterable, AttributeValue { case spring, summer, autumn, winter }
    enum Grade: Int16, CaseIterable, AttributeValue { case low = -1, high = 300 }

    final class Sample: ManagedObject {
        @Attribute var boolean: Bool
        @Attribute var int: Int
        @Attribute var int8: Int8
        @Attribute var int16: Int16
        @Attribute var int32: Int32
        @Attribute var int64: Int64
        @Attribute var uint8: UInt8
        @Attribute var uint16: UInt16
        @Attribute var uint32: UInt32
        @Attribute var float: Float
        @Attribute var double: Double
        @Attribute var string: String
        @Attribute var date: Date
        @Attribute var uuid: UUID
        @Attribute var url: URL
        @Attribute var data: Data
        @Attribute var season: Season
        @Attribute var grade: Grade
        @Attribute var maybeBoolean: Bool?
        @Attribute var maybeInt: Int?
        @Attribute var maybeInt8: Int8?
        @Attribute var maybeInt16: Int16?
        @Attribute var maybeInt32: Int32?
        @Attribute var maybeInt64: Int64?
        @Attribute var maybeUInt8: UInt8?
        @Attribute var maybeUInt16: UInt16?
        @Attribute var maybeUInt32: UInt32?
        @Attribute var maybeFloat: Float?
        @Attribute var maybeDouble: Double?
        @Attribute var maybeString: String?
        @Attribute var maybeDate: Date?
        @Attribute var maybeUUID: UUID?
        @Attribute var maybeURL: URL?
        @Attribute var maybeData: Data?
        @Attribute var maybeSeason: Season?
        @Attribute var maybeGrade: Grade?
        @Attribute var uint: UInt
        @Attribute var uint64: UInt64
        @Attribute var decimal: Decimal
        @Attribute var maybeUInt64: UInt64?
        @Attribute var maybeDecimal: Decimal?
    }

    let context: ManagedObjectContext
    let sample: Sample

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Sample.self]))
        sample = Sample(context: context)
    }

    /// Writes values and reads each back: at once, a second time, and after a save elsewhere.
    private func keep<Value: AttributeValue>(
        _ keyPath: ReferenceWritableKeyPath<Sample, Value>, _ values: Value...
    ) throws {
        for value in values + values.reversed() {
            sample[keyPath: keyPath] = value
            #expect(sample[keyPath: keyPath] == value)
            let frozen = context.snapshot().context()
            sample[keyPath: keyPath] = value
            // It throws for a computed property.
            #expect(try frozen.fetch(Sample.self).first?.committedValue(of: keyPath) == value)
        }
    }

    @Test func `integers of every width keep their extremes`() throws {
        try keep(\.int, .min, 0, .max)
        try keep(\.int8, .min, 0, .max)
        try keep(\.int16, .min, 0, .max)
        try keep(\.int32, .min, 0, .max)
        try keep(\.int64, .min, 0, .max)
        try keep(\.uint8, .min, .max)
        try keep(\.uint16, .min, .max)
        try keep(\.uint32, .min, .max)
        try keep(\.uint, .min, UInt(Int.max) + 1, .max)
        try keep(\.uint64, .min, UInt64(Int64.max) + 1, .max)
    }

    @Test func `other values come back as they went in`() throws {
        try keep(\.boolean, true, false)
        try keep(\.float, 0.1, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude)
        try keep(\.double, 0.1, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude)
        try keep(\.string, "", "short", String(repeating: "long enough for the heap ", count: 9))
        try keep(\.date, .distantPast, .distantFuture, Date(timeIntervalSince1970: 0.1))
        try keep(\.uuid, UUID(), UUID())
        try keep(\.decimal, 0, Decimal(1) / 3, .greatestFiniteMagnitude, -.leastNonzeroMagnitude)
        try keep(\.data, Data(), Data([1]), Data(repeating: 3, count: 5_000))
        try keep(\.season, .spring, .winter)
        try keep(\.grade, .low, .high)
    }

    @Test func `optional values come back as they went in`() throws {
        try keep(\.maybeBoolean, nil, false, true)
        try keep(\.maybeInt, nil, 0, .max)
        try keep(\.maybeInt8, nil, 0, .min)
        try keep(\.maybeInt16, nil, 0, .min)
        try keep(\.maybeInt32, nil, 0, .min)
        try keep(\.maybeInt64, nil, 0, .min)
        try keep(\.maybeUInt8, nil, 0, .max)
        try keep(\.maybeUInt16, nil, 0, .max)
        try keep(\.maybeUInt32, nil, 0, .max)
        try keep(\.maybeUInt64, nil, 0, .max)
        try keep(\.maybeDecimal, nil, 0, Decimal(1) / 10)
        try keep(\.maybeFloat, nil, 0, 0.1)
        try keep(\.maybeDouble, nil, 0, 0.1)
        try keep(\.maybeString, nil, "", "text")
        try keep(\.maybeDate, nil, Date(timeIntervalSinceReferenceDate: 0), .distantPast)
        try keep(\.maybeUUID, nil, UUID())
        try keep(\.maybeURL, nil, URL(string: "https://example.org/a?b=c#d"))
        try keep(\.maybeData, nil, Data(), Data([0]))
        try keep(\.maybeSeason, nil, .spring, .winter)
        try keep(\.maybeGrade, nil, .low, .high)
    }

    @Test func `not a number stays what it is`() {
        sample.double = .nan
        sample.float = .signalingNaN
        #expect(sample.double.isNaN && sample.float.isNaN)
    }

    @Test func `addresses come back equal, whatever made them`() throws {
        let addresses = [
            URL(string: "https://example.org/a%20b?c=d&e=ü#f"), URL(filePath: "/photos/a b.jpg"),
            URL(filePath: "/photos/", directoryHint: .isDirectory), URL(string: "mailto:a@b.c"),
            URL(string: "data:,x"), URL(string: "relative/path"),
        ]
        for address in addresses {
            let address = try #require(address)
            sample.url = address
            #expect(sample.url == address)
            #expect(sample.url.absoluteString == address.absoluteString)
        }
    }

    @Test func `an attribute that was never given a value reads as its type's blank`() {
        #expect(sample.int == 0 && sample.string.isEmpty && !sample.boolean && sample.data.isEmpty)
        #expect(sample.season == .spring && sample.grade == .low)
        #expect(sample.date == Date(timeIntervalSinceReferenceDate: 0))
        #expect(sample.url == URL(filePath: "/"))
        #expect(sample.uint == 0 && sample.uint64 == 0 && sample.decimal == 0)
        #expect(sample.maybeInt == nil && sample.maybeSeason == nil)
    }

    @Test func `writing the value that is there already changes nothing`() throws {
        let context = try TownModel.context()
        let town = Town(context: context)
        try context.save()
        town.name = "Nameless"
        town.founded = nil
        #expect(!context.hasChanges)
        town.name = "Ulm"
        #expect(context.hasChanges)
    }

    @Test func `text that is only canonically equal is a change`() throws {
        let context = try TownModel.context()
        let town = Town(context: context)
        town.name = "Köln"
        try context.save()
        town.name = "Ko\u{308}ln"
        #expect(context.hasChanges)
        try context.save()
        #expect(Array(town.name.unicodeScalars).count == 5)
    }

    @Test func `zeros of either sign are a change`() throws {
        sample.maybeDouble = 0
        context.processPendingChanges()
        let before = context.snapshot().context()
        var updated: [[ObjectID: Set<String>]] = []
        let subscription = context.onChange { updated.append($0.objects.updated) }
        sample.maybeDouble = -0.0
        context.processPendingChanges()
        #expect(updated == [[sample.objectID: ["maybeDouble"]]])
        subscription.cancel()
        #expect(try before.fetch(Sample.self).first?.maybeDouble?.sign == .plus)
        #expect(sample.maybeDouble?.sign == .minus)
    }

    final class Fleeting: ManagedObject {
        @Attribute(.transient) var isSelected = false
    }

    @Test func `a transient value outlives saves and refreshes, and is undone like any other`()
        throws
    {
        let context = ManagedObjectContext(try GraphStore(model: [Fleeting.self]))
        let object = Fleeting(context: context)
        try context.save()
        context.isUndoEnabled = true
        object.isSelected = true
        context.refreshAllObjects()
        #expect(object.isSelected)
        try context.save()
        context.refreshAllObjects()
        #expect(object.isSelected)
        #expect(try ManagedObjectContext(context.store).twin(of: object).isSelected)
        context.undo()
        #expect(!object.isSelected)
        context.rollback()
        #expect(object.isSelected)
    }
}
