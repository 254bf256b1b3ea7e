import PlacesBase

/// A line of a journal: one JSON object whose last key, `crc`, is the checksum of the bytes before it.
///
/// ```json
/// {"commit":18,"date":"2026-11-21T09:41:00Z","synced":17,"delete":{"Photo":[3]},"crc":"1c291ca3"}
/// ```
enum JournalLine {
    private static let key = Array(#","crc":""#.utf8)
    private static let end = Array("\"}".utf8)
    /// How many bytes of a line come after those that its checksum covers.
    private static let tailCount = key.count + 8 + end.count

    /// What is wrong with a line that is not as it was written.
    static let damage = JSONError.Kind.invalidValue(expected: "a line that fits its checksum")

    /// Completes an object that was written without its checksum, and ends the line.
    static func seal(_ object: [UInt8]) -> [UInt8] {
        var line = object
        line.removeLast()
        let checksum = line.withUnsafeBytes(CRC32.checksum)
        line += key
        line += CRC32.text(of: checksum).utf8
        line += end
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// A line of somebody else, which says nothing of what is on the disk here.
    ///
    /// - Parameter line: A whole line, with its line feed.
    /// - Returns: Such a line.
    static func unsynced(_ line: UnsafeRawBufferPointer) -> [UInt8] {
        guard let range = synced(line)?.range else { return Array(line) }
        let body = line[..<(line.count - tailCount - 1)]
        var object: [UInt8] = []
        object.reserveCapacity(line.count)
        object += body[..<range.lowerBound]
        object.append(UInt8(ascii: "0"))
        object += body[range.upperBound...]
        object.append(UInt8(ascii: "}"))
        return seal(object)
    }

    /// The number of the commit of a line, which comes first; `nil` where something else does.
    static func number(_ line: UnsafeRawBufferPointer) -> Int? {
        var json = JSONReader(line)
        guard (try? json.beginObject()) != nil,
            (try? json.nextKey(in: JournalKeys.record)) == .commit
        else { return nil }
        return (try? json.readInt64()).map { Int(clamping: $0) }
    }

    /// Which commits a line says were on disk when it was written, and where it says so.
    static func synced(_ line: UnsafeRawBufferPointer) -> (number: Int, range: Range<Int>)? {
        var json = JSONReader(line)
        do {
            try json.beginObject()
            while let key = try json.nextKey(in: JournalKeys.record) {
                _ = try json.peekKind()
                let start = json.offset
                guard key == .synced else {
                    try json.skipValue()
                    continue
                }
                return (Int(clamping: try json.readInt64()), start..<json.offset)
            }
        } catch {}
        return nil
    }

    /// Whether a line, without what ends it, is as it was written.
    static func isWhole(_ line: UnsafeRawBufferPointer) -> Bool {
        let count = line.count - tailCount
        guard count > 0 else { return false }
        let tail = line[count...]
        let body = UnsafeRawBufferPointer(rebasing: line[..<count])
        let digits = UnsafeRawBufferPointer(rebasing: tail.dropFirst(key.count).prefix(8))
        return tail.starts(with: key) && tail.suffix(end.count).elementsEqual(end)
            && CRC32.checksum(ofText: digits) == CRC32.checksum(of: body)
    }
}

/// The keys that stand in a journal.
enum JournalKeys {
    /// The version of the format that this library writes, and the newest that it reads.
    static let version: Int64 = 2

    /// The keys of the first line.
    enum Header: String, FileKey {
        case version = "placeskit"
        case generation = "journal"
        case commit, date, author, entities
        case checksum = "crc"
        case modelVersion = "model"
        case isMigration = "migrated"
    }
    static let header = FileKeys<Header>()

    /// The keys of a commit, each at most once and in this order: what is deleted loses its links as they were
    /// before.
    enum Record: String, FileKey {
        case commit, date, author, opening, sequence, values, model, synced, delete, insert, update,
            unlink, link, move, order
        case checksum = "crc"
    }
    static let record = FileKeys<Record>()
}
