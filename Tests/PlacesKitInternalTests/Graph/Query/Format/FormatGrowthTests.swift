import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// How much a predicate grows from its format: with its length, or not beyond a limit.
@Suite struct FormatGrowthTests {
    private static func condition(_ format: String) throws -> Condition {
        let context = ManagedObjectContext(try GraphStore(model: [Stop.self]))
        return try FormatCompiler.compile(
            try PredicateFormat(format), of: 0, in: context.transaction.graph, now: Date())
    }

    /// How many words the condition of a format has in which each level holds the one below.
    private static func words(_ levels: Int, _ level: (String) -> String) throws -> Int {
        let context = ManagedObjectContext(try GraphStore(model: [Stop.self]))
        let condition = try condition(nested(levels, level))
        return ConditionOutline(condition, table: 0, layout: context.transaction.graph.layout)
            .words.count
    }

    private static func nested(_ levels: Int, _ level: (String) -> String) -> String {
        (0..<levels).reduce("number == 1") { inner, number in
            level("SUBQUERY(next, $v\(number), \(inner)).@count")
        }
    }

    @Test(arguments: [
        "number IN {#, 2}", "number NOT IN {2, #, 3}", "# IN {1, 2}", "ANY {1, 2} == #",
        "NONE {1, 2} == #", "ALL {1, 2} != #", "number <= #", "# >= number",
        "# <= nil", "{number, #} == {1, 2}", "{number} != {#}", "number < {1, #}[1]",
        "number & # == 1", "~# == 1", "{1, 2} CONTAINS #", "number NOT IN {#}",
        "ANY next.number == #", "NOT # <= number", "abs(#) == 1", "TERNARY(# == 1, 1, 2) == 1",
        "TERNARY(number == 1, #, 2) <= number", "TERNARY(number == 1, 2, #) == 3",
    ])
    func `what stands once is compiled once`(shape: String) throws {
        func words(_ levels: Int) throws -> Int {
            try Self.words(levels) { shape.replacingOccurrences(of: "#", with: $0) }
        }
        let (twelve, twentyFour) = (try words(12), try words(24))
        #expect(twelve <= 12 * 20)
        #expect(twentyFour <= twelve * 2 + 2)
    }

    @Test(arguments: [
        "# + 1 IN {number, 2}", "# BETWEEN {1, number}", "ANY {number, 2} < #",
        "ALL {number, 2} == #", "NONE {number, 2} >= #", "ANY {number, 2} IN {#, number}",
        "ANY {1, 2} BETWEEN {number, #}", "{number, 2} CONTAINS # + 1",
        "NONE {1, number} == number + #", "TERNARY(# + 1 BETWEEN {1, number}, 1, 2) == 1",
    ])
    func `what is repeated for each element has a limit`(shape: String) throws {
        func format(_ levels: Int) -> String {
            Self.nested(levels) { shape.replacingOccurrences(of: "#", with: $0) }
        }
        _ = try Self.condition(format(6))
        let error = #expect(throws: PredicateFormatError.self) { try Self.condition(format(40)) }
        #expect(error?.problem == .tooLarge(limit: 100_000))
        #expect(
            error?.description.hasPrefix(
                "more than 100000 parts, since this is repeated for every element: "
                    + "split the predicate, in column ") == true)
    }

    @Test func `a long list has no limit where it is one look into a set`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Stop.self]))
        func compile(_ format: String, _ list: [Any]) throws -> Condition {
            try FormatCompiler.compile(
                try PredicateFormat(format, list), of: 0, in: context.transaction.graph,
                now: Date())
        }
        let whole = Array(0..<120_000)
        _ = try compile("number IN %@", whole)
        _ = try compile("NONE %@ == name.length", whole.map { Double($0) + Double($0 % 2) / 2 })
        for format in ["number + 1 IN %@", "ANY %@ < number"] {
            let error = #expect(throws: PredicateFormatError.self) { try compile(format, whole) }
            #expect(error?.problem == .tooLarge(limit: 100_000))
        }
    }
}
