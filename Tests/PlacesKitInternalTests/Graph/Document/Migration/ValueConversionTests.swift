import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

/// Values of one type as those of another.
@Suite struct ValueConversionTests {
    @Test func `values convert to other types where nothing is lost`() {
        let date = Date(timeIntervalSinceReferenceDate: 0.25)
        let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        let cases: [(Datum, AttributeType, Datum?)] = [
            (.boolean(true), .int8, .integer(1)), (.integer(1), .boolean, .boolean(true)),
            (.integer(2), .boolean, nil), (.string("true"), .boolean, .boolean(true)),
            (.string("yes"), .boolean, nil), (.boolean(false), .string, .string("false")),
            (.integer(128), .int8, nil), (.integer(-1), .uint64, nil),
            (.integer(7), .uint64, .unsigned(7)), (.unsigned(.max), .int64, nil),
            (.unsigned(.max), .string, .string("18446744073709551615")),
            (.unsigned(.max), .decimal, .decimal(Decimal(UInt64.max))),
            (.integer(1 << 53 + 1), .double, nil), (.integer(3), .double, .double(3)),
            (.double(2.5), .int64, nil), (.double(-0.0), .int64, nil),
            (.double(2), .int64, .integer(2)), (.double(0.1), .float, nil),
            (.double(0.5), .float, .double(0.5)), (.double(.nan), .int64, nil),
            (.double(.infinity), .decimal, nil), (.double(1e300), .int64, nil),
            (.double(0.1), .string, .string("0.1")), (.string("0.1"), .double, .double(0.1)),
            (.string("3"), .double, .double(3)), (.string("3.10"), .double, nil),
            (.string("007"), .int64, nil), (.string("-7"), .int16, .integer(-7)),
            (.string("+7"), .int16, nil), (.string(""), .int16, nil),
            (.string("12.5"), .decimal, .decimal(12.5)), (.string("1.50"), .decimal, nil),
            (.decimal(12.5), .double, .double(12.5)), (.decimal(12), .int64, .integer(12)),
            (.decimal(12.5), .int64, nil), (.decimal(.nan), .double, .double(.nan)),
            (.date(date), .string, .string("2001-01-01T00:00:00.25Z")),
            (.string("2001-01-01T00:00:00.25Z"), .date, .date(date)),
            (.string("2001-01-01"), .date, nil), (.date(date), .double, nil),
            (.double(1), .date, nil),
            (.string(id.lowercased()), .uuid, UUID(uuidString: id).map(Datum.uuid)),
            (.string("E621"), .uuid, nil), (.string("ä"), .data, .data(Data("ä".utf8))),
            (.data(Data("ä".utf8)), .string, .string("ä")), (.data(Data([0xFF])), .string, nil),
            (.string("https://a.b/c"), .url, .string("https://a.b/c")),
            (.string("[1]"), .json, .string("[1]")), (.string("[1"), .json, nil),
            (.string("null"), .json, nil), (.uuid(UUID()), .data, nil),
        ]
        for (value, type, expected) in cases {
            let attribute = AttributeDescription(name: "a", type: type)
            let found = ValueConversion(to: attribute)(value)
            #expect(
                found == expected || "\(found as Any)" == "\(expected as Any)",
                "\(value) as \(type)")
        }
    }
}
