import Foundation

extension String {
    /// The text of a URL that stands in a file, as `URL` spells it; where there is no such URL, the text itself.
    ///
    /// Only texts with a character that no URL has are looked at: to make a URL of every one would take longer than to
    /// read the rest of its object.
    var spelledAsURL: String {
        let isPlain = utf8.withContiguousStorageIfAvailable {
            UnsafeRawBufferPointer($0).isSpelledAsURL
        }
        return isPlain ?? false ? self : URL(string: self)?.absoluteString ?? self
    }
}

extension UnsafeRawBufferPointer {
    /// Whether this UTF-8 has no character that no URL has.
    var isSpelledAsURL: Bool {
        // URLs have the characters from "!" to "~"; what comes before "!" wraps around.
        reduce(0) { Swift.max($0, $1 &- UInt8(ascii: "!")) } <= 0x7E - UInt8(ascii: "!")
    }
}
