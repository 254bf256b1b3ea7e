import Foundation

/// What differences of text do not count.
struct TextFolding: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    /// Capital letters equal small ones.
    static let caseInsensitive = TextFolding(rawValue: 1)
    /// Letters with accents equal those without.
    static let diacriticInsensitive = TextFolding(rawValue: 2)

    /// Text in which what does not count is the same.
    func fold(_ text: String) -> String {
        if isEmpty || text.utf8.allSatisfy(isUnchanged) { return text }
        // Only letters of ASCII are left to fold, which the standard library does by itself.
        if text.utf8.allSatisfy({ $0 < 128 }) { return text.lowercased() }
        var options: String.CompareOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        let folded = text.folding(options: options, locale: nil)
        // NB: Where Foundation makes a letter from U+0510 on small, it leaves its accents, which are those from U+0300 on.
        guard contains(.diacriticInsensitive), folded.utf8.contains(where: { $0 & 0xfe == 0xcc })
        else { return folded }
        return folded.folding(options: .diacriticInsensitive, locale: nil)
    }

    /// Whether folding leaves a byte as it is wherever it stands.
    private func isUnchanged(_ byte: UInt8) -> Bool {
        byte < 128 && (!contains(.caseInsensitive) || !(65...90).contains(byte))
    }
}
