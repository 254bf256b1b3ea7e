import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Searches of folded text, which is kept beside the chunks from one search to the next.
@Suite struct FoldedSearchTests {
    private static let texts =
        TextQueryTests.needles + [
            "CAFÉ au lait", "Zürich", "zu\u{308}rich", "ZURICH", "x\u{301}y", "İstanbul", "Straße",
            "A\r\nB", "\u{1E9B}\u{323}", "각", "\u{1100}\u{1161}\u{11A8}", "ﬁne", "Å", "Ångström",
        ]
    private static let foldings: [TextFolding] = [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]

    @Test(arguments: [UInt64](1...3))
    func `a search of a column finds what its test passes, also after writes`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        let labels = (0..<1_500).map { number in
            let label = Label(context: context)
            label.text = number % 9 == 0 ? nil : random.pick(Self.texts)
            return label
        }
        let table = try context.table(of: Label.self).number
        for step in 0..<6 {
            let graph = context.transaction.graph
            for operation in [TextOperator.contains, .beginsWith, .endsWith] {
                let test = TextTest(
                    operation, random.pick(Self.texts), folding: random.pick(Self.foldings))
                let condition = Condition.text(.attribute([0]), test)
                let expected = graph.rows(in: table).rows.filter { row in
                    guard case .string(let text) = graph.value(row, 0, in: table) else {
                        return false
                    }
                    return test.operation.holds(
                        test.folding.fold(text), test.folding.fold(test.pattern))
                }
                let found = graph.fetchRows(condition, in: table) { _ in false }
                #expect(
                    found == ContiguousArray(expected),
                    "seed \(seed), step \(step): \(operation) \(test.pattern) \(test.folding)")
            }
            if step % 2 == 1 { try context.save() }
            for _ in 0..<20 { random.pick(labels).text = random.maybe(Self.texts) }
            // Text that is changed where it lies must not be taken for what it was.
            for label in labels.prefix(700) where random.below(20) == 0 {
                label.text?.append("é and more than fifteen bytes")
            }
        }
    }

    @Test(arguments: [UInt64](1...2))
    func `equality of text is told from its bits and where they do not tell`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        let long = "a text of ASCII that is longer than fifteen bytes"
        let texts = Self.texts + [long, long + "é", "K", "\u{212a}", "fifteen letters"]
        for _ in 0..<1_200 {
            let label = Label(context: context)
            // Made of parts, so that equal texts do not share their storage.
            label.text = random.maybe(texts).map { String($0.unicodeScalars.map(Character.init)) }
        }
        let all = Array(try context.fetch(Label.self))
        for text in texts {
            let (same, other) = (
                #Predicate<Label> { $0.text == text }, #Predicate<Label> { $0.text != text }
            )
            #expect(
                Array(try context.fetch(FetchRequest(predicate: same)))
                    == all.filter { $0.text == text }, "\(text)")
            #expect(
                Array(try context.fetch(FetchRequest(predicate: other)))
                    == all.filter { $0.text != text }, "\(text)")
        }
    }

    @Test func `strings lie in memory as is expected`() {
        #expect(StringBits.isKnown)
    }
}
