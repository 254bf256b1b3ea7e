import Foundation
import PlacesKit
import Testing

@Suite struct FormatFuzzTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no text makes the parser or the engine fail`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let world = try FormatWorld()
        let words = [
            "views", "title", "likes", "town", "words", "name", "text", ".", ",", "(", ")", "{",
            "}",
            "[", "]", "==", "!=", "<", ">=", "+", "-", "*", "/", "**", "AND", "OR", "NOT", "ANY",
            "ALL",
            "IN", "BETWEEN", "CONTAINS[cd]", "LIKE", "MATCHES", "SUBQUERY(words, $w, ", "$w.text",
            ").@count",
            "@sum", ".@max.weight", "'a*'", "\"\\u00e9\"", "1", "2.5", "nil", "YES", "SELF", "%@",
            "%K", "$",
            "#", "now()", "TRUEPREDICATE", "é", "\u{301}", "'", "&", "|", "^", "~", "<<", ".length",
            "[SIZE]", "[FIRST]", "{1, nil}", "NOT IN",
            "year(taken", "hour(taken, 'Asia/Tokyo')", "CAST(", ", 'NSDate')", ", 'NSNumber')",
            "distance(", "rating", "words.@distinctUnionOfObjects.text", "@unionOfObjects",
            "abs(", "uppercase(", "TERNARY(", "SOME", "<=", "'\\ud83d\\ude00'", "$LIST",
        ]
        for _ in 0..<2_000 {
            let count = 1 + Int(random.next() % 9)
            let format = (0..<count)
                .map { _ in words[Int(random.next() % UInt64(words.count))] }
                .joined(separator: random.next() % 3 == 0 ? "" : " ")
            _ = world.answer(format, [])
            _ = world.answer(format, ["views", 3])
            let predicate = try? PredicateFormat(format).withSubstitutionVariables([
                "LIST": [30, nil]
            ])
            if let request = try? predicate.map({ try FetchRequest<Shot>(where: $0) }) {
                _ = try? world.context.fetch(request)
            }
        }
    }

    @Test func `every prefix of a sound format is read to an end`() throws {
        let world = try FormatWorld()
        let format = """
            (views + 1 >= -2.5e1 OR NOT title BEGINSWITH[cd] 'C\\u00e9') AND ANY words.text IN {'sea', \
            nil} AND {views & 4, ~1}[LAST] NOT IN {title.length} AND \
            SUBQUERY(town.shots, $s, $s.views < views).@count == town.shots[FIRST].views ** 2
            """
        for length in 0...format.count { _ = world.answer(String(format.prefix(length)), []) }
    }
}
