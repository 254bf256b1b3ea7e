import PlacesBase

extension LenientJSON {
    /// The beginning of a text, by which other texts of the reply can be recognized.
    struct Beginning {
        /// The range of the beginning in the reply, before escapes are replaced.
        fileprivate let range: Range<Int>
    }

    /// What comes before the last `mark` of a text, also decoded; nil if there is no `mark`.
    func beginning(before mark: UInt8) -> (Beginning, text: String)? {
        withRawText { bytes, range in
            guard let end = bytes[range].lastIndex(of: mark), end > range.lowerBound,
                bytes[end - 1] != Self.escape
            else { return nil }
            let beginning = range.lowerBound..<end
            let token = JSONReader.StringToken(range: beginning, hasEscapes: true)
            return (Beginning(range: beginning), JSONReader(bytes).unescaped(token))
        }
    }

    /// The text after a beginning; nil if the text begins otherwise, or has escapes after it.
    func rest(after beginning: Beginning) -> String? {
        withRawText { bytes, range in
            let begins = UnsafeRawBufferPointer(rebasing: bytes[beginning.range])
            let start = range.lowerBound + begins.count
            guard start <= range.upperBound,
                JSONScan.matches(begins, in: bytes, at: range.lowerBound)
            else { return nil }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<range.upperBound])
            return rest.contains(Self.escape) ? nil : String(decoding: rest, as: UTF8.self)
        }
    }

    private static let escape = UInt8(ascii: "\\")
}
