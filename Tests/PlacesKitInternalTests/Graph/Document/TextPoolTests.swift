import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph

/// Texts that come again while a document is read.
@Suite struct TextPoolTests {
    /// Texts of every length around those that a pool has, of which some come again and again.
    private static func text(_ random: inout SplitMix64, of count: UInt64) -> String {
        let number = random.next() % count
        return switch number % 4 {
        case 0: String(repeating: "x", count: Int(number % 300))
        case 1: "één van \(count) teksten, nummer \(number)"
        case 2: "e\u{301}e\u{301}n van \(count) teksten, nummer \(number)"
        default: "one of \(count) texts, number \(number)"
        }
    }

    @Test(arguments: [(1, 30), (2, 700), (3, 20_000), (4, 1_000_000)])
    func `each text is the one that was asked for, to the byte`(seed: UInt64, count: UInt64) {
        var random = SplitMix64(seed: seed)
        var pool = TextPool()
        for _ in 0..<30_000 {
            let text = Self.text(&random, of: count)
            let isBytes = random.next() % 2 == 0
            let found =
                isBytes ? Array(text.utf8).withUnsafeBytes { pool.text($0) } : pool.text(text)
            guard found.utf8.elementsEqual(text.utf8) else {
                Issue.record("seed \(seed): \(found) came for \(text)")
                return
            }
        }
    }

    @Test func `a text that comes again is the same string`() throws {
        try #require(StringBits.isKnown)
        var pool = TextPool()
        let bytes = Array("a text that does not fit into a string".utf8)
        let (first, second) = bytes.withUnsafeBytes { (pool.text($0), pool.text($0)) }
        #expect(StringBits(first) == StringBits(second))
        // It is another one where nobody pools it.
        #expect(StringBits(String(decoding: bytes, as: UTF8.self)) != StringBits(first))
    }

    @Test func `pools are had by one reader at a time`() {
        let pools = TextPools()
        var first = pools.take(for: 1, columns: 2)
        let kept = first[0].text("a text that does not fit into a string")
        pools.giveBack(first, of: 1)
        #expect(pools.take(for: 2, columns: 3).count == 3)
        var again = pools.take(for: 1, columns: 2)
        let other = Array(kept.utf8).withUnsafeBytes { again[0].text($0) }
        #expect(StringBits(other) == StringBits(kept))
        #expect(pools.take(for: 1, columns: 2).count == 2)
    }
}
