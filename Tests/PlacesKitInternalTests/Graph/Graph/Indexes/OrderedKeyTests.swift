import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

/// The bits that stand for values in an ordered index, beside the values' own order.
@Suite struct OrderedKeyTests {
    private static let pieces = [
        "a", "b", "aaaaaaa", "e", "e\u{301}", "é", "\u{301}", "\u{323}", "Å", "\u{212b}",
        "A\u{30a}",
        "\0", " ", "\r\n", "日本", "か\u{3099}", "が", "\u{1100}\u{1161}", "가", "🏝", "👩‍👩‍👧", "ß", "ÿ",
        "\u{0344}", "\u{1e9b}\u{323}", "z", "Z",
    ]

    @Test(arguments: [UInt64](1...4))
    func `texts have the order of their composed bytes, and prefixes never contradict it`(
        seed: UInt64
    ) {
        var generator = SplitMix64(seed: seed)
        let texts = (0..<160).map { _ in
            (0..<generator.below(6)).map { _ in generator.pick(Self.pieces) }.joined()
        }
        for left in texts {
            for right in texts {
                let (a, b) = (left.composedBytes, right.composedBytes)
                let expected = a.lexicographicallyPrecedes(b) ? -1 : a == b ? 0 : 1
                let comment: Comment =
                    "seed \(seed): \(left.debugDescription), \(right.debugDescription)"
                #expect(left.canonicalOrder(to: right) == expected, comment)
                #expect((left == right) == (expected == 0), comment)
                #expect(expected > 0 || left.orderedPrefix <= right.orderedPrefix, comment)
                #expect(expected != 0 || left.orderedPrefix == right.orderedPrefix, comment)
            }
        }
    }

    @Test func `composed and decomposed text is in one order`() {
        #expect("e\u{301}".canonicalOrder(to: "éx") == -1)
        #expect("éx".canonicalOrder(to: "e\u{301}") == 1)
        #expect("e".canonicalOrder(to: "e\u{301}") == -1)
        #expect("f".canonicalOrder(to: "e\u{301}") == -1)
        #expect("e\u{301}".canonicalOrder(to: "é") == 0)
        #expect("".canonicalOrder(to: "\0") == -1)
    }

    @Test func `the bits of numbers have their order, zeros are equal, and not a number is last`() {
        let numbers: [Double] = [
            -.infinity, -1e300, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, 1e300,
            .infinity, .nan,
        ]
        #expect(numbers.map(\.orderedBits) == numbers.map(\.orderedBits).sorted())
        #expect(Set(numbers.map(\.orderedBits)).count == numbers.count)
        #expect((-0.0).orderedBits == 0.0.orderedBits)
        let integers: [Int64] = [.min, -1, 0, 1, .max]
        #expect(integers.map(\.orderedBits) == integers.map(\.orderedBits).sorted())
    }

    @Test func `identifiers and bytes have the order of their texts`() {
        var generator = SplitMix64(seed: 1)
        let identifiers = (0..<100).map { number in
            UUID(
                uuid: (
                    UInt8(generator.below(2)), 0, 0, 0, 0, 0, 0, UInt8(generator.below(3)), 0, 0,
                    0, 0, 0, 0, 0, UInt8(number)
                ))
        }
        for left in identifiers {
            for right in identifiers {
                let order = left.order(to: right)
                #expect((order < 0) == (left.uuidString < right.uuidString))
                #expect((order == 0) == (left == right))
                #expect(order >= 0 || left.orderedPrefix <= right.orderedPrefix)
            }
        }
        #expect(Data([1, 2]).order(to: Data([1, 2, 0])) == -1)
        #expect(Data([1, 2]).orderedPrefix == Data([1, 2, 0]).orderedPrefix)
    }
}

extension String {
    fileprivate var composedBytes: [UInt8] { Array(precomposedStringWithCanonicalMapping.utf8) }
}
