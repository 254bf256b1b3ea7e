import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

/// Which key paths are attributes of types of one's own, that refuse or change some of what others have.
@Suite struct ForeignTracingTests {
    struct Angle: AttributeValue {
        var degrees: Double
        init?(stored: Double) {
            guard (0..<360).contains(stored) else { return nil }
            degrees = stored
        }
        var stored: Double { degrees }
    }

    struct Word: AttributeValue {
        var text: String
        init(stored: String) { text = stored.lowercased() }
        var stored: String { text }
    }

    /// Has a value of which nothing can know.
    struct Secret: AttributeValue {
        init?(stored: String) { guard stored == "xyzzy" else { return nil } }
        var stored: String { "xyzzy" }
        var known: Secret? { nil }
    }

    struct Pair: CompositeAttribute {
        var first: Angle?
        var second: Word?
        static let parts: [CompositePart<Pair>] = [
            .part("first", \.first), .part("second", \.second),
        ]
    }

    final class Sheet: ManagedObject {
        @Attribute var number = 0.0
        @Attribute var angle: Angle?
        @Attribute var start: Angle
        @Attribute var word: Word?
        @Attribute var secret: Secret?
        @Composite var pair = Pair()
        @Relationship(inverse: \Sheet.previous) var next: Sheet?
        @Relationship var previous: Sheet?

        var alias: Angle? { angle }
        var degrees: Double? { angle?.degrees }
        var half: Angle? { angle.flatMap { Angle(stored: $0.degrees / 2) } }
        var small: Angle? {
            let angle = angle
            return (angle?.degrees ?? 0) > 100 ? nil : angle
        }
        var firstWord: Word? {
            word.map { Word(stored: $0.text.components(separatedBy: " ").first ?? "") }
        }
        var noSecret: Secret? { secret?.known }
        var sure: Angle? {
            let angle = angle
            return angle ?? Angle(stored: 0)
        }
    }

    @Test func `attributes of types that refuse or change values are found`() {
        let keyPaths: [(PartialKeyPath<Sheet>, Int)] = [
            (\.angle, 1), (\.start, 2), (\.word, 3), (\.secret, 4), (\.pair.first, 5),
            (\.pair.second, 6), (\.alias, 1), (\.degrees, 1),
        ]
        for (keyPath, slot) in keyPaths {
            #expect(Prototypes.resolve(keyPath) == .property([Slot(slot)]), "\(keyPath)")
        }
        #expect(Prototypes.resolve(\Sheet.next?.angle) == .property([Slot(7), Slot(1)]))
        #expect(Prototypes.resolve(\Sheet.pair) != nil)
    }

    @Test func `what is computed from them is told from them`() {
        let keyPaths: [PartialKeyPath<Sheet>] = [
            \.half, \.small, \.firstWord, \.noSecret, \.sure, \.next?.half, \.angle!,
            \.next?.angle!,
        ]
        for keyPath in keyPaths { #expect(Prototypes.resolve(keyPath) == nil, "\(keyPath)") }
    }

    @Test func `a value of which nothing is known is left to the objects along a chain`() {
        #expect(Prototypes.resolve(\Sheet.next?.secret) == nil)
        #expect(
            Prototypes.unclearAttribute(\Sheet.noSecret)
                == "secret, of whose type no two values are known")
        #expect(Prototypes.unclearAttribute(\Sheet.half) == nil)
    }
}
