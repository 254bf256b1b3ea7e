import Foundation
import PlacesKit
import Testing

/// Where a search found its words, to be shown.
@Suite struct TextSnippetTests {
    private func hits(_ search: String, _ text: String, _ matching: WordMatching = .prefixes)
        -> [String]
    {
        TextSearch<Citizen>(search, in: \.name, matching: matching).hits(in: text).map {
            String(text[$0])
        }
    }

    @Test func `the beginnings of words are found, whatever their case and accents`() {
        #expect(hits("eif tow", "The Eiffel Tower, Towers") == ["Eif", "Tow", "Tow"])
        #expect(hits("cafe", "Cafe\u{301} CAFÉ décafé") == ["Cafe\u{301}", "CAFÉ"])
        #expect(hits("eif", "Reif") == [])
        #expect(hits("tower", "Tower Towers", .wholeWords) == ["Tower"])
        #expect(hits("strass", "Große Straße") == ["Straß"])
        #expect(hits("fi", "ﬁne") == ["ﬁ"])
        #expect(hits("", "anything") == [])
        #expect(hits("a", "") == [])
    }

    @Test func `runs of characters that stand alone are found anywhere`() {
        #expect(hits("京タ", "東京タワーと京タ") == ["京タ", "京タ"])
        #expect(hits("🗼 iphone", "iPhone用 🗼🗼") == ["iPhone", "🗼", "🗼"])
    }

    @Test func `a line break of two characters is one that separates`() {
        #expect(hits("b", "a\r\nb") == ["b"])
    }

    @Test func `a mark after a control character is no part of the next word`() throws {
        let text = "a\u{1}\u{345}b"
        let context = ManagedObjectContext(try TownModel.store())
        _ = context.citizen(text)
        for matching in [WordMatching.prefixes, .wholeWords] {
            let request = FetchRequest(searching: "b", in: \Citizen.name, matching: matching)
            #expect(try context.count(request) == 1)
            #expect(hits("b", text, matching) == ["b"])
        }
    }

    @Test(arguments: ["Ｗ\u{302}", "Ж\u{301}", "Ա\u{301}", "Ⱥ\u{301}", "Ω\u{345}"])
    func `accents of capitals do not count, in whatever script`(letter: String) throws {
        let plain = String(letter.unicodeScalars.prefix(1))
        let forms = [letter, letter.lowercased(), plain, plain.lowercased()]
        let context = ManagedObjectContext(try TownModel.store())
        for form in forms { _ = context.citizen("a \(form)b") }
        for matching in [WordMatching.prefixes, .wholeWords] {
            for form in forms {
                let found = try context.fetch(
                    FetchRequest(searching: form + "b", in: \Citizen.name, matching: matching))
                #expect(found.count == forms.count, "\(form)")
                for text in found.map(\.name) {
                    #expect(hits(form + "b", text, matching) == [String(text.dropFirst(2))])
                }
            }
        }
    }

    @Test(arguments: 0..<4) func `a text has hits exactly where the search finds it`(seed: Int)
        throws
    {
        var random = SeededGenerator(seed: UInt64(seed))
        let parts = [
            "a", "ab", "É", "e\u{301}", "ß", " ", "-", "東", "🗼", "B", "ﬁ", "İ", "\r\n", "1",
        ]
        func text(_ count: Int) -> String {
            (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
        for _ in 0..<300 {
            let (text, search) = (text(8), text(2))
            for matching in [WordMatching.prefixes, .wholeWords] {
                let context = ManagedObjectContext(try TownModel.store())
                _ = context.citizen(text)
                // A search without words finds all texts, and nothing in them.
                let isFound =
                    try context.count(
                        FetchRequest(searching: search, in: \Citizen.name, matching: matching)) == 1
                context.citizen(text).name = ""
                let hasWords =
                    try context.count(
                        FetchRequest(searching: search, in: \Citizen.name, matching: matching)) < 2
                if isFound, hasWords {
                    #expect(
                        !hits(search, text, matching).isEmpty,
                        "\(search.debugDescription) in \(text.debugDescription)")
                }
                if !hasWords { #expect(hits(search, text, matching).isEmpty) }
            }
        }
    }

    @Test func `a snippet shows where most words are`() {
        let search = TextSearch<Citizen>("old town", in: \.name)
        let long =
            "an old house by the sea and then a very long way over the hills to the Old Town of the city, and on"
        let snippet = search.snippet(of: long, maximumWords: 6)
        #expect(snippet.text == "…the Old Town of the city…")
        #expect(snippet.hits.map { String(snippet.text[$0]) } == ["Old", "Town"])
        let short = search.snippet(of: "the old town")
        #expect(short.text == "the old town")
        #expect(short.hits.map { String(short.text[$0]) } == ["old", "town"])
        let none = search.snippet(of: "one two three four five", maximumWords: 3)
        #expect(none.text == "one two three…")
        #expect(none.hits.isEmpty)
        let empty = search.snippet(of: "", maximumWords: 0)
        #expect(empty.text.isEmpty && empty.hits.isEmpty)
    }

    @Test(arguments: [
        ("東京タワー", "夜の東京タワーと海を見る", 4, "…東京タワ…", ["東京タワ"]),
        ("東京タワー", "夜の東京タワーと海を見る", 5, "…東京タワー…", ["東京タワー"]),
        ("\"the old town\"", "go to the old town now", 2, "…the old…", ["the old"]),
    ])
    func `a snippet that is shorter than what was found shows its beginning as a hit`(
        sought: String, text: String, count: Int, part: String, hits: [String]
    ) {
        let snippet = TextSearch<Citizen>(sought, in: \.name)
            .snippet(of: text, maximumWords: count)
        #expect(snippet.text == part)
        #expect(snippet.hits.map { String(snippet.text[$0]) } == hits)
    }

    @Test(arguments: 0..<4) func `a snippet has as many terms as any part of its length`(seed: Int)
    {
        var random = SeededGenerator(seed: UInt64(seed))
        let search = TextSearch<Citizen>("aa bb cc", in: \.name)
        for _ in 0..<50 {
            let words = (0..<12).map { _ in
                ["aa", "bb", "cc", "x", "y"].randomElement(using: &random) ?? ""
            }
            func terms(_ part: some Sequence<String>) -> Int {
                Set(part).subtracting(["x", "y"]).count
            }
            let most = (0...8).map { terms(words[$0..<$0 + 4]) }.max()
            let snippet = search.snippet(of: words.joined(separator: " "), maximumWords: 4)
            let part = snippet.text.split { " …".contains($0) }.map(String.init)
            #expect(part.count == 4 && terms(part) == most, "\(words)")
        }
    }

    /// To look at all words of each part would take minutes.
    @Test func `a long snippet of a longer text takes no longer than a short one`() {
        let text = String(repeating: "tower ", count: 10_000)
        let snippet = TextSearch<Citizen>("tow", in: \.name).snippet(of: text, maximumWords: 5_000)
        #expect(snippet.hits.count == 5_000)
    }
}
