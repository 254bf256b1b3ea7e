import PlacesKit
import Testing

@testable import PlacesPhotos

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("plain", "plain"),
        ("<b>bold</b> and <i class=\"x\">italic</i>", "bold and italic"),
        ("see <a href=\"https://example.org/?a=1&amp;b=2\">this</a>.", "see this."),
        ("one<br>two<br/>three<p>four</p>five", "one\ntwo\nthreefour\nfive"),
        ("R&amp;D &lt;3 &quot;x&quot; &#39;y&#x27; &#233;", "R&D <3 \"x\" 'y' é"),
        (
            "a < b > c & d &unknown; &#; &#xD800; &#99999999;",
            "a < b > c & d &unknown; &#; &#xD800; &#99999999;"
        ),
        ("unclosed <a href", "unclosed <a href"),
        ("<!-- hidden -->shown", "shown"),
        ("  \n white \n ", "white"),
        ("日本 <b>語</b> 🌅", "日本 語 🌅"),
        ("&amp;lt;", "&lt;"),
    ])
    func `markup becomes plain text and everything else stays`(html: String, text: String) {
        #expect(PlainText.rendering(html: html) == text)
    }

    @Test func `a caption of nothing but tag openings is read in one pass`() {
        let html = String(repeating: "<a ", count: 200_000)
        #expect(PlainText.rendering(html: html).utf8.count == html.utf8.count - 1)
    }
}
