import PlacesBase

/// Snapshots that somebody has formatted otherwise, with objects in several lines, or several in one.
///
/// An object begins with a bracket and its number, which stand nowhere in a text: there a backslash would come before the
/// quotation marks.
extension SnapshotScan {
    /// Whether no object begins a line, as they do in what PlacesKit writes; the values of an attribute may be objects, too.
    static func isReformatted(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var count = 0
        for position in bytes.indices where isObject(at: position, bytes) {
            count += 1
            if bytes[..<position].last == UInt8(ascii: "\n"),
                bytes[position...].starts(with: #"{"id":"#.utf8)
            {
                return false
            }
        }
        return count > 0
    }

    /// Whether an object with a number begins at a position.
    private static func isObject(at position: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes[position] == UInt8(ascii: "{") else { return false }
        let key = bytes[(position + 1)...].drop { $0 <= 0x20 }
        guard key.starts(with: #""id""#.utf8) else { return false }
        return key.dropFirst(4).first { $0 > 0x20 } == UInt8(ascii: ":")
    }

    /// The key that leads to a bracket, however it is spelled; `nil` where none does.
    private static func key(
        leadingTo position: Int, _ bytes: UnsafeRawBufferPointer
    ) -> String? {
        func isQuote(_ position: Int) -> Bool {
            bytes[position] == UInt8(ascii: "\"")
                && bytes[..<position].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
                    .isMultiple(of: 2)
        }
        guard let colon = bytes[..<position].lastIndex(where: { $0 > 0x20 }),
            bytes[colon] == UInt8(ascii: ":"),
            let end = bytes[..<colon].lastIndex(where: { $0 > 0x20 }), isQuote(end),
            let start = bytes[..<end].indices.reversed().first(where: isQuote)
        else { return nil }
        var json = JSONReader(UnsafeRawBufferPointer(rebasing: bytes[start...end]))
        return try? json.readString()
    }

    /// Looks for objects by the brackets in which they stand.
    mutating func scanBrackets(_ bytes: UnsafeRawBufferPointer) {
        let titles = schema.entities.map(\.name)
        var (entity, position, lines) = (-1, 0, LineCount())
        // Whether an entity's objects may have ended, and whether the last object has no end that is known.
        var (isAfterEnd, isOpen) = (false, false)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "["):
                guard let key = Self.key(leadingTo: position, bytes),
                    let title = titles.firstIndex(of: key)
                else { break }
                if isOpen { endLoss(at: position) }
                (entity, isAfterEnd, isOpen) = (title, false, false)
            case UInt8(ascii: "]"): isAfterEnd = true
            case UInt8(ascii: "{")
            where entity >= 0 && !isOpen || Self.isObject(at: position, bytes):
                var candidates = entity < 0 ? Array(titles.indices) : [entity]
                if entity >= 0, isAfterEnd {
                    // The next title is damaged, or the bracket belongs to the object that has no end.
                    let later = titles.indices.dropFirst(entity + 1)
                    candidates = isOpen ? candidates + later : later + candidates
                }
                if isOpen { endLoss(at: position) }
                let found = readObject(ofOneOf: candidates, at: position, bytes, &lines)
                (entity, isAfterEnd) = (found.entity ?? entity, false)
                isOpen = found.end == nil
                position = found.end ?? position + 1
                continue
            case UInt8(ascii: "{"):
                let key = Self.key(leadingTo: position, bytes)
                if key == SnapshotKeys.Header.nextNumbers.rawValue { nextNumbers = position }
            default: break
            }
            position += 1
        }
    }

    /// Reads the object at a position as one of the first entity that it fits.
    ///
    /// - Returns: The entity, if there is one; and where the object ends, as far as its brackets tell.
    private mutating func readObject(
        ofOneOf candidates: [Int], at position: Int, _ bytes: UnsafeRawBufferPointer,
        _ lines: inout LineCount
    ) -> (entity: Int?, end: Int?) {
        var failure: JSONError?
        for entity in candidates {
            do {
                let end = try readObject(
                    of: entity, in: position..<bytes.count, bytes, endsLine: false)
                return (entity, end)
            } catch {
                failure = failure ?? error as? JSONError
            }
        }
        var json = JSONReader(UnsafeRawBufferPointer(rebasing: bytes[position...]))
        let isWhole = (try? json.skipValue()) != nil
        let end = isWhole ? position + json.offset : nil
        let error = failure ?? json.expected("an object of the schema")
        losses.append(
            (lines.shifted(error, by: position, in: bytes), position..<(end ?? bytes.count)))
        return (nil, end)
    }

    /// The last loss goes no further than to a position.
    private mutating func endLoss(at position: Int) {
        losses[losses.count - 1].range = losses[losses.count - 1].range.lowerBound..<position
    }
}
