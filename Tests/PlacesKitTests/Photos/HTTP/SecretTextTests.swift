import Foundation
import PlacesKit
import Testing

@Suite struct SecretTextTests {
    @Test(arguments: [
        ("key", "a key, KEY and %6bEy", "a -, - and -"), ("key", "ke ey k%65", "ke ey k%65"),
        ("aab", "aaab aab", "a- -"), ("a%b", "a%b a%25b A%2525B", "- - -"),
        ("a%2fb", "a%2fb a%252fb a/b", "- - a/b"), ("x", "%", "%"), ("x", "%2", "%2"),
        ("x", "%78%7", "-%7"), ("é", "É é %C3%A9", "É - -"), ("key", "keykey", "--"),
        ("key", "", ""),
    ])
    func `a secret is taken out in either case and however it is encoded`(
        secret: String, text: String, redacted: String
    ) throws {
        #expect(try #require(SecretText(secret)).redacted(text, as: "-") == redacted)
    }

    @Test func `it is taken out of bytes that are no text`() throws {
        let secret = try #require(SecretText("key"))
        #expect(secret.redacted([0xFF] + "KEY".utf8 + [0x80, 0], as: [45]) == [0xFF, 45, 0x80, 0])
    }

    @Test func `it does not show itself, and nothing is no secret`() throws {
        let secret = try #require(SecretText("hidden"))
        var dumped = ""
        dump([secret], to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\([secret])", dumped] {
            #expect(!text.contains("hidden") && !text.contains("104"))
        }
        #expect(SecretText("") == nil)
    }
}
