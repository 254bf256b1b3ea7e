import PlacesKit
import Testing

@testable import PlacesGraph

/// Where terms lie in texts, word by word.
@Suite struct WordHitsTests {
    @Test(arguments: [UInt64](1...3))
    func `a word has a run or a phrase where one of its places overlaps it`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // An astronaut is one character of two words.
        let parts = ["old", "town", "Old", "é", "e\u{301}", "東", "京", "👩‍🚀", " ", " ", "-", "\r\n"]
        let sought = ["\"old town\"", "\"old old old\"", "東京", "👩‍🚀", "\"é 東\"", "京東京 \"👩‍🚀 old\""]
        for _ in 0..<400 {
            let text = (0..<random.below(30)).map { _ in random.pick(parts) }.joined()
            for term in WordPattern(random.pick(sought), matching: .prefixes).terms {
                let hits = WordHits(WordPattern(term), in: text)
                #expect(
                    hits.words.map { $0.terms != 0 }
                        == hits.words.map { word in
                            hits.ranges.contains { $0.overlaps(word.range) }
                        }, "seed \(seed), \(term.text) in \(text.debugDescription)")
            }
        }
    }
}
