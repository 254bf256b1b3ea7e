import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

/// The hashes of indexes: the same for equal values, whatever they are made of.
@Suite struct ValueHashTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func `texts that are canonically equivalent have one hash`(seed: UInt64) {
        let pieces = [
            "e", "é", "e\u{301}", "a\u{323}\u{302}", "a\u{302}\u{323}", "ậ", "K", "\u{212a}", ";",
            "\u{37e}", "`", "\u{1fef}", "Å", "\u{212b}", "한", "\u{1112}\u{1161}\u{11ab}", "",
            "plain", "longer than fifteen bytes",
        ]
        var generator = SplitMix64(seed: seed)
        var texts: [String] = []
        for _ in 0..<250 {
            let count = generator.below(3)
            texts.append((0..<count).map { _ in pieces[generator.below(pieces.count)] }.joined())
        }
        var isFound = false
        for left in texts {
            for right in texts where left == right {
                isFound = isFound || !left.utf8.elementsEqual(right.utf8)
                #expect(left.indexHash == right.indexHash, "seed \(seed): \(left.debugDescription)")
            }
        }
        #expect(isFound)
    }

    @Test func `three characters besides ASCII are equivalent to one of it`() {
        for value in UInt32(0x80)..<0x3_0000 {
            guard let scalar = Unicode.Scalar(value), String(scalar) < "\u{80}" else { continue }
            let ascii = scalar.equivalentASCII.map { String(Unicode.Scalar($0)) }
            #expect(ascii == String(scalar), "U+\(String(value, radix: 16))")
        }
    }

    @Test func `text of any length differs in its hash when any byte does`() {
        for count in 1..<70 {
            let text = String(repeating: "a", count: count)
            var hashes: Set<Int> = [text.indexHash]
            for offset in 0..<count {
                var bytes = Array(text.utf8)
                bytes[offset] = UInt8(ascii: "b")
                hashes.insert(String(decoding: bytes, as: UTF8.self).indexHash)
            }
            #expect(hashes.count == count + 1)
        }
    }

    @Test func `values of all kinds have one hash for equal values`() {
        #expect((0.0).indexHash == (-0.0).indexHash)
        #expect((1.5).indexHash != (2.5).indexHash)
        let identifier = UUID()
        #expect(UUID(uuidString: identifier.uuidString)?.indexHash == identifier.indexHash)
        #expect(Data([1, 2, 3]).indexHash == Data([0, 1, 2, 3]).dropFirst().indexHash)
        #expect(Data().indexHash != Data([0]).indexHash)
        var lowBits: Set<Int> = []
        for number in Int64(0)..<1_000 { lowBits.insert(number.indexHash & 0xffff) }
        #expect(lowBits.count > 900)
    }
}
