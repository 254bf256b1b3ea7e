import Foundation
import PlacesKit
import Testing

/// Numbers of one kind beside those of another in format strings, where values are looked up and where not.
@Suite struct FormatNumberKindTests {
    private let context: ManagedObjectContext

    init() throws { context = ManagedObjectContext(try GraphStore(model: [Goods.self])) }

    private func names(_ format: String, _ arguments: [Any?] = []) throws -> [String] {
        try context.fetch(FetchRequest<Goods>(where: PredicateFormat(format, arguments: arguments)))
            .map(\.name)
    }

    @Test func `a unique attribute is found by a number of another kind that equals it`() throws {
        let goods = Goods(context: context)
        goods.name = "it"
        goods.price = Decimal(string: "9.99")
        goods.serial = .max
        goods.number = 7
        goods.weight = 1
        let formats: [(String, [Any?])] = [
            ("price == 9.99", []), ("price IN {9.99, 8.88}", []), ("NOT price != 9.99", []),
            ("number == %@", [UInt64(7)]), ("number == %@", [Decimal(7)]), ("number == 7.0", []),
            ("number IN %@", [[Decimal(7), Decimal(8)]]), ("weight == %@", [UInt64(1)]),
            ("weight == %@", [Decimal(1)]), ("serial == %@", [UInt64.max]),
            ("serial == 18446744073709551615", []),
            ("serial == CAST('18446744073709551615', 'NSDecimalNumber')", []),
        ]
        for (format, arguments) in formats {
            #expect(try names(format, arguments) == ["it"], "\(format), one row")
        }
        for number in 100..<140 {
            let other = Goods(context: context)
            other.price = Decimal(number)
            other.serial = UInt64(number)
            other.number = number
            other.weight = Double(number)
        }
        for (format, arguments) in formats {
            #expect(try names(format, arguments) == ["it"], "\(format), many rows")
        }
        let format = try PredicateFormat("serial == %@", UInt64.max)
        #expect(try names(format.description) == ["it"])
        #expect(try context.deleteAll(Goods.self, where: "price == 9.99") == 1)
    }

    @Test func `numbers without a sign are not rounded beside a Double`() throws {
        let numbers: [UInt64] = [1 << 53, 1 << 53 + 1, UInt64(Int64.max), 1 << 63, .max]
        for number in numbers {
            let goods = Goods(context: context)
            (goods.name, goods.serial) = ("\(number)", number)
        }
        let all = numbers.map { "\($0)" }
        let tables: [(String, [String])] = [
            ("== 9007199254740992.0", [all[0]]), ("!= 9007199254740992.0", Array(all[1...])),
            ("> 9007199254740992.0", Array(all[1...])), ("<= 9007199254740992.5", [all[0]]),
            ("== 9223372036854775808.0", [all[3]]), ("== 9223372036854775808", [all[3]]),
            ("< 9223372036854775808.0", Array(all[..<3])), (">= 1.8446744073709552e19", []),
            ("< 1.8446744073709552e19", all), ("> -0.5", all), ("< -0.5", []),
            ("IN {9007199254740992.0, 1.5, -1.0}", [all[0]]),
            ("BETWEEN {9007199254740993, 9.2e18}", [all[1]]),
        ]
        for (condition, expected) in tables {
            #expect(try names("serial \(condition)") == expected, "\(condition)")
            #expect(try names("serial + 0 \(condition)") == expected, "calculated, \(condition)")
        }
    }

    @Test func `a decimal equals the number that is written alike`() throws {
        for cents in 1...2_000 { Goods(context: context).cost = Decimal(cents) / 100 }
        for cents in stride(from: 1, through: 2_000, by: 37) {
            let written = "\(Double(cents) / 100)"
            #expect(try names("cost == \(written)").count == 1, "\(written)")
            #expect(try names("cost < \(written)").count == cents - 1, "\(written)")
        }
        #expect(try names("cost BETWEEN {19.98, 19.99}").count == 2)
        let small = Goods(context: context)
        for digits in ["0.000001", "1e-20", "1e30", "-123456789012345678901234567890.5"] {
            small.cost = Decimal(string: digits)
            #expect(try names("cost == \(digits)").count == 1, "\(digits)")
        }
    }
}

private final class Goods: ManagedObject {
    @Attribute var name = ""
    @Attribute(.unique) var price: Decimal?
    @Attribute(.unique) var serial: UInt64?
    @Attribute(.unique) var number: Int?
    @Attribute(.unique) var weight: Double?
    @Attribute var cost: Decimal?
}
