import Foundation

/// A journal: the file snapshot that it belongs to, and its commits.
struct StoredJournal {
    let generation: Int64
    /// The commit of the file snapshot that the journal belongs to.
    let commit: Int64
    let schema: StoredSchema
    /// The whole lines after the first one.
    let lines: [[String: StoredTree]]
    /// Whether the journal ends with a whole line.
    let isWhole: Bool

    init(_ bytes: Data) throws {
        // If the last line is whole, nothing follows its line feed.
        let texts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let all = texts.dropLast().map(Self.line)
        let whole = Array(all.prefix { $0 != nil }.compactMap { $0 })
        isWhole = whole.count == all.count && texts.last?.isEmpty == true
        guard let header = whole.first, let generation = header["journal"]?.integer,
            let commit = header["commit"]?.integer, header["placeskit"] == .integer(2)
        else {
            throw StoredDocumentError("a journal begins with no line that tells what it goes with")
        }
        // No document has so many commits, and the sum with the number of lines must not overflow below.
        guard (0...1 << 53).contains(commit) else {
            throw StoredDocumentError("a journal begins with commit \(commit), which is none")
        }
        (self.generation, self.commit) = (generation, commit)
        schema = try StoredSchema(header["entities"])
        lines = Array(whole.dropFirst())
        let last = commit + Int64(lines.count)
        for later in all.dropFirst(whole.count) {
            if let synced = later?["synced"]?.integer, synced > last {
                throw StoredDocumentError("commit \(last + 1) was on disk, and its line is damaged")
            }
        }
    }

    /// A line whose checksum matches its bytes; `nil` for any other.
    static func line(_ bytes: Data) -> [String: StoredTree]? {
        let end = #","crc":"00000000"}"#.utf8.count
        guard bytes.count > end, let tree = try? StoredTree(json: Data(bytes)).members,
            tree["crc"] == .text(checksum(bytes.dropLast(end)))
        else { return nil }
        return tree
    }

    /// The CRC-32 of gzip and PNG, bit by bit, as eight hexadecimal digits.
    static func checksum(_ bytes: Data) -> String {
        var rest: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
        }
        let digits = String(~rest, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
