import Foundation
import PlacesKit
import Testing

@Suite struct SHA256Tests {
    private func digest(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes(SHA256.text) }

    /// The messages of FIPS 180-2, appendix B, and none.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func `digests are those of the standard`(message: String, expected: String) {
        #expect(digest(Array(message.utf8)) == expected)
    }

    /// The expected digest was made by Python's hashlib.
    @Test func `messages of any length have the digests that others make`() {
        let texts = (0..<300).map { length in
            digest((0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) })
        }
        #expect(
            digest(Array(texts.joined().utf8))
                == "def85da8f53f8ad58eda585dce61c0d7bfbb3da6924badae49d32d11288c576f")
    }
}
