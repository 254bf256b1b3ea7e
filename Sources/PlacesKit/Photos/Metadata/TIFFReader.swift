/// The structure inside EXIF: directories of numbered values, in either byte order.
///
/// Every offset and count is checked against the number of bytes, so a damaged structure gives no
/// values rather than wrong ones.
struct TIFFReader {
    /// One value of a directory.
    struct Entry {
        let type: UInt16
        let count: Int
        /// The offset of the value.
        let position: Int
    }

    /// A directory's values by their numbers, and the offset of the next directory.
    struct Directory {
        var entries: [UInt16: Entry] = [:]
        var next: Int?
    }

    private let bytes: ArraySlice<UInt8>
    let isBigEndian: Bool

    /// Reads the header; nil if it is not valid.
    init?(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        if bytes.starts(with: [0x49, 0x49, 42, 0]) {
            isBigEndian = false
        } else if bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
            isBigEndian = true
        } else {
            return nil
        }
    }

    /// The offset of the first directory.
    var firstDirectory: Int? { unsigned32(at: 4) }

    /// The directory at an offset; empty if there cannot be one.
    func directory(at offset: Int?) -> Directory {
        var directory = Directory()
        guard let offset, offset >= 8, let count = unsigned16(at: offset) else { return directory }
        for index in 0..<count {
            let position = offset + 2 + 12 * index
            guard let tag = unsigned16(at: position), let type = unsigned16(at: position + 2),
                let valueCount = unsigned32(at: position + 4)
            else { return directory }
            guard let size = Self.size(ofType: type) else { continue }
            let (length, overflows) = valueCount.multipliedReportingOverflow(by: size)
            guard valueCount > 0, !overflows,
                let start = length <= 4 ? position + 8 : unsigned32(at: position + 8),
                range(from: start, count: length) != nil
            else { continue }
            let entry = Entry(
                type: UInt16(truncatingIfNeeded: type), count: valueCount, position: start)
            let key = UInt16(truncatingIfNeeded: tag)
            if directory.entries[key] == nil { directory.entries[key] = entry }
        }
        directory.next = unsigned32(at: offset + 2 + 12 * count).flatMap { $0 == 0 ? nil : $0 }
        return directory
    }

    /// The bytes of a value.
    func bytes(of entry: Entry) -> ArraySlice<UInt8> {
        let size = Self.size(ofType: entry.type.asInt) ?? 0
        return range(from: entry.position, count: entry.count * size).map { bytes[$0] } ?? []
    }

    /// The first whole number of a value, if the value has a type of whole numbers.
    func number(_ entry: Entry?) -> Int? {
        guard let entry else { return nil }
        switch entry.type {
        case 1: return range(from: entry.position, count: 1).map { Int(bytes[$0.lowerBound]) }
        case 3: return unsigned16(at: entry.position)
        case 4, 13: return unsigned32(at: entry.position)
        default: return nil
        }
    }

    /// The fractions of a value, each nil if its denominator is zero.
    func fractions(_ entry: Entry?, atMost limit: Int) -> [Double?] {
        guard let entry, entry.type == 5 || entry.type == 10 else { return [] }
        return (0..<min(entry.count, limit)).map { index in
            let position = entry.position + 8 * index
            guard let numerator = unsigned32(at: position),
                let denominator = unsigned32(at: position + 4), denominator != 0
            else { return nil }
            guard entry.type == 10 else { return Double(numerator) / Double(denominator) }
            return Double(Int32(truncatingIfNeeded: numerator))
                / Double(Int32(truncatingIfNeeded: denominator))
        }
    }

    /// The range in the whole file of a JPEG file at an offset; nil if none begins there.
    func jpegRange(from offset: Int, count: Int) -> Range<Int>? {
        range(from: offset, count: count).flatMap {
            bytes[$0].starts(with: [0xFF, 0xD8]) ? $0 : nil
        }
    }

    /// The range in the whole file of `count` bytes from an offset on, even beyond this structure.
    func fileRange(from offset: Int, count: Int) -> Range<Int>? {
        let (start, overflows) = bytes.startIndex.addingReportingOverflow(offset)
        let (end, overflowsAgain) = start.addingReportingOverflow(count)
        guard offset >= 0, count > 0, !overflows, !overflowsAgain else { return nil }
        return start..<end
    }

    private func unsigned16(at offset: Int) -> Int? {
        guard let range = range(from: offset, count: 2) else { return nil }
        let (first, second) = (Int(bytes[range.lowerBound]), Int(bytes[range.lowerBound + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    /// The number in the four bytes at an offset.
    func unsigned32(at offset: Int) -> Int? {
        guard let first = unsigned16(at: offset), let second = unsigned16(at: offset + 2) else {
            return nil
        }
        let (high, low) = isBigEndian ? (first, second) : (second, first)
        // On a machine with 32-bit Int, half of the numbers are larger than any file.
        return Int(exactly: UInt32(high) << 16 | UInt32(low))
    }

    private func range(from offset: Int, count: Int) -> Range<Int>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
            return nil
        }
        let start = bytes.startIndex + offset
        return start..<(start + count)
    }

    private static func size(ofType type: Int) -> Int? {
        switch type {
        case 1, 2, 6, 7, 129: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12: 8
        default: nil
        }
    }
}

extension UInt16 {
    fileprivate var asInt: Int { Int(self) }
}
