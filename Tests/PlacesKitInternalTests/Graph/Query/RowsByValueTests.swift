import Foundation
import Testing

@testable import PlacesGraph

/// Rows that are found by how their values compare with another.
@Suite struct RowsByValueTests {
    private static let values: [Datum] = [
        .null, .boolean(false), .boolean(true), .integer(.min), .integer(-1), .integer(0),
        .integer(1), .integer(1), .integer(1 << 53), .integer((1 << 53) + 1), .integer(.max),
        .unsigned(0), .unsigned(1), .unsigned(1 << 63), .unsigned(.max), .decimal(-1),
        .decimal(0.1), .decimal(1), .decimal(Decimal(string: "0.1000000000000000000001") ?? 0),
        .decimal(.nan), .decimal(.nan), .double(-.infinity), .double(-1), .double(-0.0),
        .double(0), .double(0.1), .double(1), .double(0x1p53), .double(0x1p63), .double(.infinity),
        .double(.nan), .double(.nan), .string(""), .string("a"), .string("B"), .string("\u{e9}"),
        .string("e\u{301}"), .string("\u{e9}x"), .date(.distantPast), .date(.distantFuture),
        .date(Date(timeIntervalSinceReferenceDate: 0)),
        .date(Date(timeIntervalSinceReferenceDate: .nan)), .uuid(UUID()), .uuid(UUID()),
        .data(Data()), .data(Data([1])), .data(Data([1])), .data(Data([1, 0])), .data(Data([2])),
    ]

    @Test func `they are those of which a comparison says so one by one, or does not`() {
        let rows = RowsByValue(
            Self.values.enumerated().map { (value: $1, row: Row($0)) })
        let operators: [ComparisonOperator] = [
            .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        for comparison in operators {
            for (value, isNegated) in Self.values.flatMap({ [($0, false), ($0, true)] }) {
                let found = rows.rows(comparison, value, isNegated: isNegated)
                    .flatMap { $0.map(\.row.index) }.sorted()
                let expected = Self.values.indices.filter {
                    comparison.holds(Self.values[$0], value) != isNegated
                }
                #expect(found == expected, "\(isNegated ? "not " : "")\(comparison) \(value)")
            }
        }
    }
}
