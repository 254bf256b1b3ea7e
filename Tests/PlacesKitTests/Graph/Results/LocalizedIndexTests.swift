import Foundation
import PlacesKit
import Testing

/// The index beside a list in several languages.
@Suite struct LocalizedIndexTests {
    private func titles(_ language: String, of texts: [String?]) -> String {
        let index = LocalizedIndex(locale: Locale(identifier: language))
        return texts.map(index.title).joined(separator: " ")
    }

    @Test func `a letter with a mark is one of its own where the language has it`() {
        let texts = ["åre", "Ärla", "öl", "Øl", "Æble", "étude", "ñandú", "Łódź", "Straße"]
        #expect(titles("en", of: texts) == "A A O O A E N L S")
        #expect(titles("de", of: texts) == "A A O O A E N L S")
        #expect(titles("sv", of: texts) == "Å Ä Ö Ö Ä E N L S")
        #expect(titles("da", of: texts) == "Å Æ Ø Ø Æ E N L S")
        #expect(titles("es", of: texts) == "A A O O A E Ñ L S")
        #expect(titles("pl", of: texts) == "A A O O A E N Ł S")
    }

    @Test func `capitals are those of the language`() {
        #expect(titles("tr", of: ["izmir", "ılıca", "Isparta", "İnegöl"]) == "İ I I İ")
        #expect(titles("en", of: ["izmir", "ılıca", "Isparta", "İnegöl"]) == "I I I I")
    }

    @Test func `other alphabets keep their letters`() {
        #expect(titles("ru", of: ["ёлка", "йод", "Эхо", "apple"]) == "Е Й Э A")
        #expect(titles("uk", of: ["їжак", "ґанок", "єнот"]) == "Ї Ґ Є")
        #expect(titles("en", of: ["йод", "їжак", "ωμέγα", "άλφα", "東京", "がく"]) == "Й Ї Ω Α 東 か")
        #expect(titles("el", of: ["ΐ", "ς", "Ώρα"]) == "Ι Σ Ω")
    }

    @Test func `what begins with no letter is in the last section`() {
        #expect(
            titles("en", of: [nil, "", "9", "#1", " a", "😀", "-", "\u{301}"]) == "# # # # # # # #")
        let index = LocalizedIndex(locale: Locale(identifier: "da"))
        #expect(index.titles.suffix(5) == ["Z", "Æ", "Ø", "Å", "#"])
        let unsorted = ["#", "Ω", "Å", "B", "Я", "A", "Æ"]
        #expect(
            unsorted.sorted { index.order(of: $0) < index.order(of: $1) }
                == ["A", "B", "Æ", "Å", "Ω", "Я", "#"])
    }

    @Test func `every title is its own title, in every language`() {
        for language in Locale.LanguageCode.isoLanguageCodes.map(\.identifier) {
            let index = LocalizedIndex(locale: Locale(identifier: language))
            #expect(index.titles.map(index.title) == index.titles, "\(language)")
            #expect(Set(index.titles).count == index.titles.count, "\(language)")
            #expect(
                index.titles.map(index.order).dropLast() == Array(0..<index.titles.count - 1)[...])
        }
    }
}
