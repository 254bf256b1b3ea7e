import Testing

@testable import PlacesKit

@Suite struct AlphabetTests {
    @Test(arguments: [
        [
            "", "#1", "#2", "#10", "9", "10", "a b", "a-b", "aachen", "ab", "Äpfel", "Apple",
            "Éclair", "ｆ", "G",
        ],
        ["x", "x 0", "x 1", "x 8", "x 99999999", "x 123456789", "x 999999999", "x 1234567890"],
        [1, 8, 9, 10, 17, 18, 19, 27].map { String(repeating: "7", count: $0) },
    ])
    func `texts are in the order in which a person looks for them`(texts: [String]) {
        #expect(texts.shuffled().sorted { Alphabet.key($0) < Alphabet.key($1) } == texts)
    }

    @Test(arguments: [
        ("Éclair", "eclair"), ("e\u{301}", "é"), ("Photo 007", "photo 7"), ("０", "00"),
    ])
    func `what does not count has one key`(first: String, second: String) {
        #expect(Alphabet.key(first) == Alphabet.key(second))
    }

    @Test(arguments: [
        ("apple", "A"), ("Äpfel", "A"), ("7", "#"), ("", "#"), ("…and", "#"), ("東京", "東"),
    ])
    func `a text is found under its first letter`(text: String, letter: String) {
        #expect(Alphabet.letter(text) == letter)
    }
}
