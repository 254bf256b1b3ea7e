/// The name of a recording's file: the question, and the parameters that tell it from others.
///
/// ```
/// flickr.photos.search-place_id-abc-page-2.json
/// flickr.photos.search-place_id-abc-page-2~0k3x9f2b.json     another search of that name
/// ```
///
/// Every file system accepts it. It proves nothing: the question itself is in the recording.
struct RecordingName {
    /// The name, unless a recording of another question already has it.
    let plain: String
    /// The name with a digest of the whole question.
    let unique: String

    private static let longest = 120

    init(
        _ word: String, _ parameters: [(name: String, value: String)] = [], of question: String
    ) {
        // A parameter may be an address; its query says little and may contain a key.
        let values = parameters.map { (name: $0.name, value: $0.value.prefix { $0 != "?" }) }
        let parts = [word] + values.flatMap { [$0.name, String($0.value)] }
        let text = parts.filter { !$0.isEmpty }.map(Self.safe).joined(separator: "-")
        // A name that begins with a dot is hidden; one with a hyphen looks like a command's option.
        let start = text.first.map { $0.isLetter || $0.isNumber } == true ? "" : "_"
        let stem = (start + text).prefix(Self.longest)
        plain = "\(stem).json"
        unique = "\(stem)~\(Self.digest(question)).json"
    }

    private static func safe(_ text: String) -> String {
        String(text.unicodeScalars.map { isSafe($0) ? Character($0) : "_" })
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return false }
        let character = Character(scalar)
        return character.isLetter || character.isNumber || "._-".contains(character)
    }

    /// Eight base-36 digits of a hash (FNV-1a), which is the same in every run.
    private static func digest(_ text: String) -> String {
        let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return String((String(repeating: "0", count: 8) + String(hash, radix: 36)).suffix(8))
    }
}
