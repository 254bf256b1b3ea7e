import PlacesKit
import Testing

/// Damaged texts give a value or an error, never a crash; both ways of reading agree about which.
@Suite struct JSONFuzzTests {
    @Test func `a damaged text gives a value or an error`() throws {
        let seed: UInt64 = 6
        var random = DocumentRandom(seed: seed)
        var bytes: [UInt8] = []
        for round in 0..<4_000 {
            if round % 10 == 0 {
                bytes = JSONTree.random(depth: 4, using: &random).bytes
            }
            let damaged = Self.damage(bytes, using: &random)
            let error = Self.fault { _ = try JSONTree(damaged) }
            let skipError = Self.fault { try JSONReader.read(damaged) { try $0.skipValue() } }
            if case .numberOutOfRange? = error?.kind { continue }
            #expect(error == skipError, "seed \(seed), round \(round)")
            if let error {
                #expect((0...damaged.count).contains(error.byteOffset), "seed \(seed)")
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test func `any reading of any bytes gives a value or an error`() {
        let seed: UInt64 = 7
        var random = DocumentRandom(seed: seed)
        let table = JSONKeyTable(["a", "0", "title"])
        let alphabet =
            Array(#"[]{}:,"\ua0-1.eE+ntrufals"#.utf8) + [0, 0x0A, 0x20, 0xC3, 0xA9, 0xFF]
        for _ in 0..<4_000 {
            let bytes = (0..<(random.next() % 30)).map { _ in
                alphabet[Int(random.next() % UInt64(alphabet.count))]
            }
            bytes.withUnsafeBytes { buffer in
                var reader = JSONReader(buffer)
                for _ in 0..<20 {
                    _ = Self.fault { try Self.step(&reader, table, using: &random) }
                }
                #expect((0...bytes.count).contains(reader.offset), "seed \(seed)")
            }
        }
    }

    private static func fault(_ body: () throws -> Void) -> JSONError? {
        do {
            try body()
            return nil
        } catch {
            return error as? JSONError
        }
    }

    /// Asks for anything, whether it fits or not, even after errors.
    private static func step(
        _ reader: inout JSONReader, _ table: JSONKeyTable, using random: inout DocumentRandom
    ) throws {
        switch random.next() % 12 {
        case 0: try reader.beginArray()
        case 1: try reader.beginObject()
        case 2: _ = try reader.nextElement()
        case 3: _ = try reader.nextKey()
        case 4: _ = try reader.nextKey(in: table)
        case 5: _ = try reader.readString()
        case 6: _ = try reader.readInt64()
        case 7: _ = try reader.readDouble()
        case 8: _ = try reader.readBool()
        case 9: _ = try reader.readNullIfPresent()
        case 10: try reader.skipValue()
        default: try reader.expectEnd()
        }
    }

    /// Flips, cuts, drops, doubles or moves some of the bytes, up to three times.
    private static func damage(
        _ bytes: [UInt8], using random: inout DocumentRandom
    ) -> [UInt8] {
        var damaged = bytes
        for _ in 0...(random.next() % 3) where !damaged.isEmpty {
            let start = Int.random(in: 0..<damaged.count, using: &random)
            let end = Int.random(in: start...damaged.count, using: &random)
            switch random.next() % 6 {
            case 0: damaged[start] ^= 1 << (random.next() % 8)
            case 1: damaged[start] = UInt8(truncatingIfNeeded: random.next())
            case 2: damaged.removeSubrange(start...)
            case 3: damaged.removeSubrange(start..<end)
            case 4: damaged.insert(contentsOf: damaged[start..<end], at: start)
            default:
                let part = Array(damaged[start..<end])
                let target = Int.random(in: 0...damaged.count, using: &random)
                damaged.insert(contentsOf: part, at: target)
            }
        }
        return damaged
    }
}
