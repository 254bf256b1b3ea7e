import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Words of texts, and searches for them beside one written as plainly as can be.
@Suite struct WordPatternTests {
    private typealias Note = WordSearchTests.Note
    private typealias Folder = WordSearchTests.Folder

    private static let vocabulary = [
        "Eiffel", "Tower", "tour", "Übung", "ubung", "e\u{301}te\u{301}", "été", "O'Brien", "ÉTÉ",
        "4k",
        "東京タワー", "東京", "京", "กรุงเทพ", "🗼", "🗼🗽", "straße", "İstanbul", "x\u{301}y", "don't",
        "internationalization", "internationally", "internationalizing", "интернационализация",
        "интернационал", "हिन्दी", "각", "\u{1100}\u{1161}\u{11A8}", "IMG_2034", "a", "\0",
        "C++", "3€", "$", "a|b", "→",
    ]

    private static func text(_ random: inout SplitMix64) -> String {
        (0..<random.below(5)).map { _ in
            random.pick(vocabulary) + random.pick([" ", ", ", "-", "", "\n"])
        }.joined()
    }

    /// The beginnings of some words of the vocabulary, or other texts.
    private static func sought(_ random: inout SplitMix64) -> String {
        (0..<random.below(4)).map { _ in
            String(random.pick(vocabulary).prefix(1 + random.below(14)))
        }.joined(separator: random.pick([" ", " ", "", "\"", " \"", "” “"]))
    }

    // MARK: - The plain search

    /// Words by whole characters, and whether each stands alone, beside those that follow it.
    private static func words(_ text: String) -> [(text: String, isSingle: Bool)] {
        let folded = TextWords.folding.fold(text).precomposedStringWithCanonicalMapping
        var words: [(text: String, isSingle: Bool)] = []
        var isOpen = false
        for scalar in folded.unicodeScalars {
            let properties = scalar.properties
            let isMark = [.nonspacingMark, .spacingMark, .enclosingMark]
                .contains(properties.generalCategory)
            let isWord = properties.isAlphabetic || properties.numericType != nil || isMark
            let isAsian =
                properties.isIdeographic || ("ぁ"..."ヿ").contains(scalar)
                || ("ก"..."๛").contains(scalar)
            let isSymbol = [.otherSymbol, .currencySymbol, .mathSymbol]
                .contains(properties.generalCategory)
            if isSymbol || isAsian && isWord {
                words.append((String(scalar), true))
                isOpen = false
            } else if isWord, isOpen {
                words[words.count - 1].text.unicodeScalars.append(scalar)
            } else if isWord, !isMark {
                words.append((String(scalar), false))
                isOpen = true
            } else {
                isOpen = false
            }
        }
        return words
    }

    private static func finds(_ sought: String, in texts: [String], _ matching: WordMatching)
        -> Bool
    {
        let folded = texts.map {
            TextWords.folding.fold($0).precomposedStringWithCanonicalMapping
        }
        return WordPattern(sought, matching: matching).terms.allSatisfy { term in
            zip(texts, folded).contains { text, folded in
                switch term.position {
                case .run: Array(folded.utf8).firstRange(of: Array(term.bytes)) != nil
                case .word:
                    words(text).contains {
                        !$0.isSingle && Array($0.text.utf8) == Array(term.bytes)
                    }
                case .prefix:
                    words(text).contains {
                        !$0.isSingle && Array($0.text.utf8).starts(with: Array(term.bytes))
                    }
                case .phrase:
                    words(text).map { Array($0.text.utf8) }
                        .firstRange(of: Array(term.bytes).split(separator: 32).map(Array.init))
                        != nil
                }
            }
        }
    }

    // MARK: - Words

    @Test(arguments: [
        ("Eiffel Tower, Paris", ["eiffel", "tower", "paris"]), ("", []), (" -_!", []),
        ("O'Brien's IMG_2034", ["o", "brien", "s", "img", "2034"]), ("4K-Übung", ["4k", "ubung"]),
        ("東京タワー", ["東", "京", "タ", "ワ", "ー"]), ("iPhone用", ["iphone", "用"]),
        ("a\u{301}b e\u{301}te\u{301}", ["ab", "ete"]), ("🗼🗽", ["🗼", "🗽"]),
        ("Coffee 3 €, C++ → a|b", ["coffee", "3", "€", "c", "+", "+", "→", "a", "|", "b"]),
        ("~$5 <= 6^7 & `8` #9", ["~", "$", "5", "<", "=", "6", "7", "8", "9"]),
        ("Привет, мир", ["привет", "мир"]), ("서울 타워", ["서울", "타워"]),
    ])
    func `words are found by Unicode's rules`(text: String, words: [String]) {
        var found: [String] = []
        TextWords.withFolded(text) { bytes in
            TextWords.forEach(in: bytes) { word, _ in
                found.append(String(decoding: bytes[word], as: UTF8.self))
            }
        }
        #expect(found == words)
        #expect(Self.words(text).map(\.text) == words)
    }

    @Test(arguments: [
        ("eif tow", "The Eiffel Tower", true), ("tow eif", "The Eiffel Tower", true),
        ("iffel", "The Eiffel Tower", false), ("", "anything", true),
        ("uber", "Über den Wolken", true),
        ("京タ", "東京タワー", true), ("タ京", "東京タワー", false), ("l'ete", "L’été", true),
        ("2034", "IMG_2034.jpg", true), ("internationalize", "internationalization", false),
        ("internationaliz", "internationalization", true),
        ("\"the eiffel\" tow", "The Eiffel Tower", true),
        ("\"the eif\"", "The Eiffel Tower", false),
        ("\"tower eiffel\"", "The Eiffel Tower", false), ("“eiffel tower”", "Eiffel-Tower", true),
        ("\"eif tow", "The Eiffel Tower", true), ("\"\" \"…\"", "anything", true),
        ("\"a b a b c\"", "a b a b a b c", true), ("\"東京\"", "東 京", true),
        ("東京", "東 京", false), ("\"東 tower\"", "京東 Tower", true),
    ])
    func `each word begins one`(sought: String, text: String, isFound: Bool) {
        #expect(TextTest(.wordPrefixes, sought).passes(text) == isFound)
    }

    @Test func `whole words are whole`() {
        #expect(TextTest(.words, "tower eiffel").passes("Eiffel-Tower"))
        #expect(!TextTest(.words, "tow").passes("Eiffel Tower"))
        #expect(!TextTest(.words, "internationalizatio").passes("internationalization"))
    }

    // MARK: - Searches

    @Test(arguments: [UInt64](1...3))
    func `a search finds the same with an index, without one and row by row`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let context = ManagedObjectContext(try GraphStore(model: WordSearchTests.model))
        let folders = (0..<6).map { _ in Folder(context: context) }
        try context.save()
        context.isUndoEnabled = true
        var notes: [Note] = []
        for step in 0..<8 {
            for _ in 0..<20 { notes.append(Note(context: context)) }
            for note in notes where random.below(4) == 0 {
                note.title = Self.text(&random)
                note.body = random.below(4) == 0 ? nil : Self.text(&random)
                note.remark = note.title
                note.folder = random.maybe(folders)
            }
            random.pick(folders).name = Self.text(&random)
            switch random.below(6) {
            case 0: try context.save()
            case 1: context.undo()
            case 2: context.rollback()
            case 3: context.delete(notes.remove(at: random.below(notes.count)))
            default: break
            }
            notes = Array(try context.fetch(Note.self))
            try context.checkIntegrity()
            for _ in 0..<4 {
                try check(
                    Self.sought(&random), &random, notes, "seed \(seed), step \(step)", context)
            }
        }
    }

    private func check(
        _ sought: String, _ random: inout SplitMix64, _ notes: [Note], _ note: String,
        _ context: ManagedObjectContext
    ) throws {
        let matching = random.pick([WordMatching.prefixes, .wholeWords])
        func expect(
            _ attributes: [any PartialKeyPath<Note> & Sendable], _ texts: (Note) -> [String?]
        ) throws {
            let expected = notes.filter {
                Self.finds(sought, in: texts($0).compactMap(\.self), matching)
            }
            var request = FetchRequest<Note>()
            request.search = TextSearch(sought, in: attributes, matching: matching)
            let message: Comment = "\(note): \(sought.debugDescription) \(matching) \(attributes)"
            #expect(Array(try context.fetch(request)) == expected, message)
            #expect(try context.count(request) == expected.count, message)
            #expect(try context.exists(request) == !expected.isEmpty, message)
            let condition = try GraphReading(context).condition(of: request)
            let graph = context.transaction.graph
            let table = try context.table(of: Note.self).number
            #expect(
                notes.filter { graph.matches(condition, $0.row, in: table) { _ in false } }
                    == expected, message)
            for choices in PlanChoices.all {
                var planner = QueryPlanner(graph, choices: choices)
                var run = QueryRun(graph)
                let rows = run.rows(planner.plan(condition, in: table)) { _ in false }
                #expect(Array(rows) == expected.map(\.row), message)
            }
        }
        try expect([\.title]) { [$0.title] }
        try expect([\.remark]) { [$0.remark] }
        try expect([\.title, \.body]) { [$0.title, $0.body] }
        // A broken chain has no text, and only a search for nothing finds it.
        try expect([\.folder?.name]) { [$0.folder?.name] }
        try expect([\.body, \.folder?.name]) { [$0.body, $0.folder?.name] }
    }
}
