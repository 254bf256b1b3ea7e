/// A short name for a recording that any file system takes: a word, and a hash of all it stands for (FNV-1a).
func recordingName(_ word: some StringProtocol, of text: String) -> String {
    let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    let letters = word.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return "\(letters.prefix(40))-\(String(hash, radix: 16)).json"
}
