import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

private final class Verse: ManagedObject {
    @Attribute var number = 0
    @Attribute(.searchable) var text = ""
    @Attribute var copy = ""
    @Attribute(.searchable) var author = ""
}

/// Searches for words that come one after the other.
@Suite struct PhraseSearchTests {
    private let context: ManagedObjectContext

    init() throws { context = ManagedObjectContext(try GraphStore(model: [Verse.self])) }

    private static let vocabulary = [
        "the", "sea", "Seal", "É", "e\u{301}t\u{e9}", "東", "京", "night", "o",
    ]

    private static func text(_ random: inout SeededGenerator, most: Int) -> String {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in
            vocabulary.randomElement(using: &random) ?? ""
        }.joined(separator: [" ", ", ", "-", " \" "].randomElement(using: &random) ?? " ")
    }

    private static func words(_ text: String) -> [String] {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .split { !$0.isLetter }.flatMap { part in
                // Each ideograph is a word.
                "東京".contains(part.first ?? " ") ? part.map(String.init) : [String(part)]
            }
    }

    /// Whether text has all phrases, and words that begin with all others.
    private static func has(_ phrases: [[String]], _ prefixes: [String], _ text: String) -> Bool {
        let words = words(text)
        return phrases.allSatisfy { phrase in
            phrase.isEmpty
                || words.indices.contains { words[$0...].starts(with: phrase) }
        } && prefixes.allSatisfy { prefix in words.contains { $0.hasPrefix(prefix) } }
    }

    @Test(arguments: UInt64(1)...8)
    func
        `phrases are found where their words follow each other, with an index and without, also live`(
            seed: UInt64
        ) throws
    {
        var random = SeededGenerator(seed: seed)
        var verses: [Verse] = []
        func fill(_ verse: Verse) {
            verse.text = Self.text(&random, most: 8)
            verse.copy = verse.text
        }
        for number in 0..<60 {
            let verse = try context.insert(Verse.self)
            verse.number = number
            fill(verse)
            verses.append(verse)
        }
        for round in 0..<60 {
            let phrases = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                Self.text(&random, most: 3).filter { $0 != "\"" }
            }
            let prefixes = Bool.random(using: &random) ? ["se"] : []
            let marks = [("\"", "\""), ("“", "”")].randomElement(using: &random) ?? ("\"", "\"")
            let sought = (phrases.map { marks.0 + $0 + marks.1 } + prefixes).joined(separator: " ")
            let place = "seed \(seed), round \(round), \(sought)"
            func request(
                _ attributes: any PartialKeyPath<Verse> & Sendable...
            ) -> FetchRequest<Verse> {
                var request = FetchRequest<Verse>(sortBy: [SortDescriptor(\.number)])
                request.search = TextSearch(sought, in: attributes[0])
                if attributes.count > 1 {
                    request.search = TextSearch(sought, in: attributes[0], attributes[1])
                }
                return request
            }
            let list = try FetchedResultsController(request(\.text), in: context)
            for _ in 0..<3 {
                if let verse = verses.randomElement(using: &random) { fill(verse) }
            }
            context.processPendingChanges()
            let expected = verses.filter { verse in
                Self.has(phrases.map(Self.words), prefixes, verse.text)
            }.map(\.number)
            #expect(list.objects.map(\.number) == expected, "live, \(place)")
            #expect(try context.fetch(request(\.text)).map(\.number) == expected, "\(place)")
            #expect(try context.fetch(request(\.copy)).map(\.number) == expected, "\(place)")
            #expect(
                try context.fetch(request(\.text, \.author)).map(\.number) == expected,
                "two attributes, \(place)")
            let format = try FetchRequest<Verse>(
                where: "text TEXT %@", sought, sortBy: [SortDescriptor(\.number)])
            #expect(try context.fetch(format).map(\.number) == expected, "format, \(place)")
            let search = TextSearch<Verse>(sought, in: \.text)
            let hasTerms = !prefixes.isEmpty || phrases.contains { !Self.words($0).isEmpty }
            for verse in verses where hasTerms && expected.contains(verse.number) {
                #expect(!search.hits(in: verse.text).isEmpty, "hits, \(place)")
            }
        }
    }

    @Test func `a hit is the whole phrase, and a mark that stands alone is none`() throws {
        func hits(_ text: String) -> [String] {
            let title = "The old town, the Old-Town and a town that is old"
            return TextSearch<Verse>(text, in: \.text).hits(in: title).map { String(title[$0]) }
        }
        #expect(hits("\"old town\"") == ["old town", "Old-Town"])
        #expect(hits("“OLD TOWN”") == ["old town", "Old-Town"])
        #expect(hits("\"town\"") == ["town", "Town", "town"])
        #expect(hits("\"to\"") == [])
        #expect(hits("\"old to") == ["old", "to", "Old", "To", "to", "old"])
        #expect(hits("5\" tow") == ["tow", "Tow", "tow"])
        #expect(hits("\"\"") == [])
    }

    @Test(arguments: ["東京", "東京タワー", "iPhone用", "🇫🇷", "ไทย"])
    func `a phrase without spaces is found in a text that is just the phrase`(
        phrase: String
    ) throws {
        for (number, text) in ["sea", phrase, "\(phrase), the sea"].enumerated() {
            let verse = try context.insert(Verse.self)
            (verse.number, verse.text, verse.copy) = (number, text, text)
        }
        let sought = "\"\(phrase)\""
        let order = [SortDescriptor(\Verse.number)]
        var request = FetchRequest<Verse>(sortBy: order)
        request.search = TextSearch(sought, in: \.text)
        #expect(try context.fetch(request).map(\.number) == [1, 2])
        request.search = TextSearch(sought, in: \.copy)
        #expect(try context.fetch(request).map(\.number) == [1, 2])
        let format = try FetchRequest<Verse>(where: "copy TEXT %@", sought, sortBy: order)
        #expect(try context.fetch(format).map(\.number) == [1, 2])
    }

    @Test func `a phrase weighs more the rarer it is`() throws {
        for (number, text) in [
            "the sea at night", "night at the sea, at the sea", "the night", "a sea",
        ].enumerated() {
            let verse = try context.insert(Verse.self)
            (verse.number, verse.text) = (number, text)
        }
        let search = TextSearch<Verse>("\"the sea\"", in: \.text)
        var request = FetchRequest<Verse>(sortBy: [SortDescriptor(relevanceTo: search)])
        request.search = search
        #expect(try context.fetch(request).map(\.number) == [1, 0])
    }
}
