import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Bytes that are looked for among others, also where both repeat themselves.
@Suite struct ByteSearchTests {
    private static func firstPosition(of other: [UInt8], in bytes: [UInt8], from start: Int) -> Int?
    {
        bytes.withUnsafeBufferPointer { bytes in
            other.withUnsafeBufferPointer { bytes.firstPosition(of: $0, from: start) }
        }
    }

    @Test(arguments: [UInt64](1...3)) func `bytes are found where they come first`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            // What matches in vain for long is looked for in another way.
            let unit = (0...random.below(3)).map { _ in UInt8(random.below(2)) }
            var bytes = (0..<random.below(300)).flatMap { _ in unit }
            for _ in 0..<random.below(3) where !bytes.isEmpty {
                bytes[random.below(bytes.count)] = 2
            }
            var other = Array(bytes[random.below(bytes.count + 1)...].prefix(1 + random.below(100)))
            if other.isEmpty || random.below(2) == 0 { other.append(UInt8(random.below(4))) }
            let start = random.below(bytes.count + 1)
            let places = (start..<max(start, bytes.count - other.count + 1))
            let expected = places.first { bytes[$0...].starts(with: other) }
            #expect(
                Self.firstPosition(of: other, in: bytes, from: start) == expected,
                "seed \(seed): \(other) in \(bytes) from \(start)")
        }
    }

    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }

    /// To compare all of it at each place would take minutes.
    @Test(arguments: [TextFolding](arrayLiteral: [], [.caseInsensitive, .diacriticInsensitive]))
    func `long text that repeats itself is found in longer texts at once`(folding: TextFolding)
        throws
    {
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        for number in 0..<70 {
            let label = Label(context: context)
            label.text = Self.a(5_000) + (number == 7 ? "b" : "") + Self.a(2_000)
        }
        let table = try context.table(of: Label.self).number
        let test = TextTest(.contains, Self.a(2_000) + "b" + Self.a(2_000), folding: folding)
        let rows = context.transaction.graph.fetchRows(
            .text(.attribute([0]), test), in: table
        ) { _ in false }
        #expect(rows.count == 1)
    }

    @Test func `a long run of signs that stand alone is found in longer texts at once`() {
        func signs(_ count: Int) -> String { String(repeating: "京", count: count) }
        let pattern = WordPattern(signs(10_000) + "東", matching: .prefixes)
        #expect(!pattern.matches(signs(40_000)) && pattern.matches(signs(40_000) + "東"))
        #expect(WordHits(pattern, in: signs(1_000)).ranges.isEmpty)
        let run = WordPattern(signs(100), matching: .prefixes)
        #expect(WordHits(run, in: signs(1_050)).ranges.count == 10)
    }
}
