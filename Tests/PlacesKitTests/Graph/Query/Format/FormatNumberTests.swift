import Foundation
import PlacesKit
import Testing

/// Numbers in format strings that are easily rounded, or are none.
@Suite struct FormatNumberTests {
    private let context: ManagedObjectContext
    private let meter: Meter

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Meter.self, Part.self]))
        meter = Meter(context: context)
    }

    private func matches(_ format: String) throws -> Bool {
        try context.count(FetchRequest<Meter>(where: format)) == 1
    }

    @Test func `the least and the greatest have NaN last, whichever member has it`() throws {
        let never = Date(timeIntervalSinceReferenceDate: .nan)
        let parts = [Part(context: context), Part(context: context)]
        for part in parts { part.meter = meter }
        for (number, none) in [(0, 1), (1, 0)] {
            (parts[number].level, parts[none].level) = (1, .nan)
            (parts[number].made, parts[none].made) = (.distantPast, never)
            #expect(try matches("parts.@min.level == 1"))
            #expect(try !matches("parts.@max.level == 1"))
            #expect(try matches("parts.@max.level != nil"))
            #expect(try matches("parts.@min.made < CAST(0, 'NSDate')"))
            #expect(try !matches("parts.@max.made < CAST(0, 'NSDate')"))
        }
    }

    @Test func `a sum does not depend on the order of the members`() throws {
        let parts = (0..<4).map { _ in Part(context: context) }
        for part in parts { part.meter = meter }
        for order in [[0, 1, 2, 3], [0, 2, 1, 3], [1, 0, 3, 2], [3, 2, 1, 0]] {
            for (part, position) in zip(parts, order) {
                part.amount = [Int.max, 1, -1, 0][position]
                part.level = [1e16, 1, -1e16, 0][position]
                part.units = [.max, 1, 0, 0][position]
            }
            #expect(try matches("parts.@sum.amount == 9223372036854775807"), "\(order)")
            #expect(try matches("parts.@sum.level == 1 AND parts.@avg.level == 0.25"), "\(order)")
            #expect(try matches("parts.@sum.units == 1.8446744073709552e19"), "\(order)")
            for (part, position) in zip(parts, order) {
                part.amount = [Int.max, .max, .min, .min][position]
                part.level = [0.1, 0.2, 0.3, 0][position]
                part.units = [.max, 0, 0, 0][position]
            }
            #expect(
                try matches("parts.@sum.amount == -2 AND parts.@avg.amount == -0.5"), "\(order)")
            #expect(try matches("parts.@sum.level == 0.6"), "\(order)")
            #expect(try matches("parts.@sum.units == 18446744073709551615"), "\(order)")
        }
    }

    @Test func `numbers without a sign are calculated exactly`() throws {
        meter.reading = 9_007_199_254_740_993
        #expect(try matches("reading + 0 == 9007199254740993"))
        #expect(try matches("reading - 1 == 9007199254740992"))
        #expect(try !matches("reading - 0 == 9007199254740992"))
        #expect(try matches("reading + 1 > reading"))
        #expect(try matches("reading - 9007199254740995 == -2"))
        #expect(try matches("0 - reading == -9007199254740993"))
        #expect(try matches("reading / 2 == 4503599627370496"))
        #expect(try matches("reading / 0 == nil"))
        #expect(try matches("reading * 0.5 < 4503599627370497"))
    }

    @Test func `numbers without a sign become rounded where 64 bits do not hold them`() throws {
        meter.reading = .max
        #expect(try matches("reading - 1 == 18446744073709551614"))
        #expect(try matches("reading + 1 == 1.8446744073709552e19"))
        #expect(try matches("reading * 2 > 3e19"))
        #expect(try matches("0 - reading < -1e19"))
    }
}

private final class Meter: ManagedObject {
    @Attribute var reading: UInt64 = 0
    @Relationship(inverse: \Part.meter) var parts: ObjectSet<Part>
}

private final class Part: ManagedObject {
    @Attribute var level = 0.0
    @Attribute var amount = 0
    @Attribute var units: UInt64 = 0
    @Attribute var made: Date?
    @Relationship var meter: Meter?
}
