/// The part of a text in which a search found most of its words, to be shown in a list.
public struct TextSnippet: Sendable, Hashable {
    /// The part, with … where the text goes on.
    public let text: String
    /// Where the words of the search, or their beginnings, lie in the part.
    public let hits: [Range<String.Index>]
}

extension TextSearch {
    /// Where the words of the search lie in a text, in order.
    ///
    /// ```swift
    /// let search = TextSearch<Photo>("eif tow", in: \.title)
    /// for range in search.hits(in: photo.title) { print(photo.title[range]) }
    /// ```
    ///
    /// Of a word that the search knows the beginning of, that is the range.
    ///
    /// - Complexity: O(n · m) for a text of n words and m words of the search.
    public func hits(in text: String) -> [Range<String.Index>] {
        WordHits(WordPattern(self.text, matching: matching), in: text).ranges
    }

    /// The part of a text that has most of the words of the search.
    ///
    /// - Parameters:
    ///   - text: The text in which the search found something.
    ///   - maximumWords: How many words the part may have.
    /// - Returns: The part and where the words of the search lie in it; the beginning of the text where it has none.
    public func snippet(of text: String, maximumWords: Int = 12) -> TextSnippet {
        let hits = WordHits(WordPattern(self.text, matching: matching), in: text)
        let count = max(1, maximumWords)
        guard hits.words.count > count else { return TextSnippet(text: text, hits: hits.ranges) }
        let window = hits.bestWindow(of: count)
        let start =
            window.lowerBound == 0
            ? text.startIndex : hits.words[window.lowerBound].range.lowerBound
        let end =
            window.upperBound == hits.words.count
            ? text.endIndex : hits.words[window.upperBound - 1].range.upperBound
        let (before, after) = (start > text.startIndex ? "…" : "", end < text.endIndex ? "…" : "")
        let part = before + text[start..<end] + after
        func index(_ index: String.Index) -> String.Index {
            part.utf8.index(
                part.startIndex,
                offsetBy: before.utf8.count + text.utf8.distance(from: start, to: index))
        }
        let inside = hits.ranges.filter { $0.overlaps(start..<end) }.map {
            // A phrase may be longer than the part.
            $0.clamped(to: start..<end)
        }
        return TextSnippet(
            text: part, hits: inside.map { index($0.lowerBound)..<index($0.upperBound) })
    }
}

extension WordHits {
    /// The first of the windows of so many words that have most different terms, and of these most hits.
    ///
    /// - Complexity: O(n + h) for n words, in which terms of the search lie h times.
    fileprivate func bestWindow(of count: Int) -> Range<Int> {
        var window = Window()
        for word in words[..<count] { window.change(word.terms, by: 1) }
        var worths = [window.worth]
        for (former, next) in zip(words, words[count...]) {
            window.change(former.terms, by: -1)
            window.change(next.terms, by: 1)
            worths.append(window.worth)
        }
        // The best one begins with a hit, or ends with the text; a few words before the hit are shown with it.
        let starts = words.indices.filter { words[$0].terms != 0 }.map {
            min($0, words.count - count)
        }
        let best =
            starts.max { worths[$0] < worths[$1] || worths[$0] == worths[$1] && $0 > $1 } ?? 0
        let lead = min(best, count / 4)
        let start = worths[best - lead] >= worths[best] ? best - lead : best
        return start..<start + count
    }

    /// What lies in some words that follow each other.
    private struct Window {
        /// In how many of the words each term lies.
        private var counts = [Int](repeating: 0, count: UInt64.bitWidth)
        /// How many different terms there are, and how many words with any.
        private(set) var worth = (terms: 0, hits: 0)

        /// Notes that a word with some terms comes, with 1, or goes, with -1.
        mutating func change(_ terms: UInt64, by step: Int) {
            if terms != 0 { worth.hits += step }
            var rest = terms
            while rest != 0 {
                let term = rest.trailingZeroBitCount
                rest &= rest - 1
                counts[term] += step
                if counts[term] == max(step, 0) { worth.terms += step }
            }
        }
    }
}
