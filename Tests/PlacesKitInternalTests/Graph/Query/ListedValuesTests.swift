import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

/// Lists in which elements are looked up.
@Suite struct ListedValuesTests {
    /// Values that are nearly others, or others in another form.
    private static let values: [Datum] = {
        let id = UUID()
        let whole: [Int64] = [0, 1, -1, 1 << 53, 1 << 53 + 1, .min, .max - 1, .max]
        let unsigned: [UInt64] = [0, 1, 1 << 53 + 1, 1 << 63 - 1, 1 << 63, 1 << 63 + 1, .max]
        let doubles: [Double] = [
            0, -0.0, 1, -1, 0.1, 0x1p53, 0x1p63, -0x1p63, 0x1p64, .infinity, -.infinity, .nan,
            .signalingNaN, .leastNonzeroMagnitude, Double(Float(0.1)),
        ]
        let decimals: [Decimal] = [
            0, 1, -1, Decimal(sign: .plus, exponent: -1, significand: 1),
            Decimal(sign: .plus, exponent: -3, significand: 100),
            Decimal(sign: .plus, exponent: -3, significand: 1_000), Decimal(Int64.max),
            Decimal(UInt64.max), Decimal(1 << 53 + 1), .nan,
        ]
        let texts = [
            "", "0", "1", "é", "e\u{301}", "E\u{301}", "e", "e\u{323}\u{301}", "e\u{301}\u{323}",
            "\u{212b}", "\u{c5}", "\r\n", "\n", id.uuidString, "\u{ac00}", "\u{1100}\u{1161}",
        ]
        let seconds: [Double] = [0, -0.0, 0.1, .nan, 1, .infinity]
        var values: [Datum] = [.null, .boolean(false), .boolean(true), .uuid(id), .uuid(UUID())]
        values += [Data(), Data([0]), Data([1])].map(Datum.data)
        values += whole.map(Datum.integer)
        values += unsigned.map(Datum.unsigned)
        values += doubles.map(Datum.double)
        values += decimals.map(Datum.decimal)
        values += texts.map(Datum.string)
        values += seconds.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        return values
    }()

    private func isEqual(_ value: Datum, _ others: [Datum]) -> Bool {
        others.contains { ComparisonOperator.equal.holds(value, $0) }
    }

    @Test func `a value is in a list where it equals an element, of whatever kind both are`() {
        for other in Self.values {
            let list = ListedValues([other])
            for value in Self.values {
                #expect(list.contains(value) == isEqual(value, [other]), "\(value) in {\(other)}")
            }
        }
    }

    @Test func `a value is in a list where it equals one of many`() {
        for step in 2...5 {
            for start in 0..<step {
                let others = stride(from: start, to: Self.values.count, by: step).map {
                    Self.values[$0]
                }
                let list = ListedValues(others)
                for value in Self.values {
                    #expect(list.contains(value) == isEqual(value, others), "\(value)")
                }
            }
        }
    }
}
