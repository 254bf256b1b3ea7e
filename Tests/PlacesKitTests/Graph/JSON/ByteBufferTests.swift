import PlacesKit
import Testing

@Suite struct ByteBufferTests {
    @Test(arguments: [UInt64](1...4))
    func `what is put piece by piece is there in order`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var buffer = ByteBuffer()
        var expected: [UInt8] = []
        for _ in 0..<2_000 {
            let piece = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let number =
                UInt64.random(in: 0 ... .max, using: &random)
                >> UInt64.random(in: 0..<64, using: &random)
            buffer.append(upTo: piece.count + 30) { cursor in
                piece.withUnsafeBytes { cursor.put($0) }
                cursor.put(digits: number)
                cursor.put(digits: number, count: 2)
                cursor.put("null")
            }
            expected += piece + Array("\(number)".utf8)
            expected += Array("\(number % 100 / 10)\(number % 10)null".utf8)
        }
        #expect(buffer.bytes == expected, "seed \(seed)")
        let copy = buffer
        buffer.removeAll()
        buffer.append(0)
        #expect(buffer.bytes == [0])
        #expect(copy.bytes == expected, "seed \(seed)")
    }

    @Test func `the least and the greatest number have all their digits`() {
        var buffer = ByteBuffer()
        for number in [0, 9, 10, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, UInt64.max]
        {
            buffer.append(upTo: 21) { cursor in
                cursor.put(digits: number)
                cursor.put(UInt8(ascii: " "))
            }
        }
        #expect(
            String(decoding: buffer.bytes, as: UTF8.self)
                == "0 9 10 9999999999999999999 10000000000000000000 18446744073709551615 ")
    }
}
