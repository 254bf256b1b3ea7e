import PlacesBase

/// The last 32 bytes of a binary property list, which say where everything else is.
struct BinaryPropertyListTrailer {
    static let length = 32

    let offsetSize: Int
    let referenceSize: Int
    let objectCount: Int
    /// The number of the object that holds all others, and where that number stands.
    let root: Int
    let rootEntry: Int
    /// Where the offsets of objects are.
    let offsetTable: Int

    /// Reads the trailer of a file and checks that it describes the file.
    init(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        let header = BinaryPropertyListReader.header
        let start = bytes.count - Self.length
        guard start >= header.count, bytes.starts(with: header) else {
            throw JSONError(
                .unexpectedEnd(expected: "a binary property list, from its header to its trailer"),
                at: bytes.count, in: bytes)
        }
        func number(_ index: Int) -> UInt64 {
            UInt64(
                bigEndian: bytes.loadUnaligned(
                    fromByteOffset: start + 8 + index * 8, as: UInt64.self))
        }
        offsetSize = Int(bytes[start + 6])
        referenceSize = Int(bytes[start + 7])
        // No object is shorter than a byte, so none of these numbers exceeds the length of the file.
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            (0..<3).allSatisfy({ number($0) <= UInt64(start) }), number(1) < number(0),
            number(2) >= UInt64(header.count),
            Int(number(0)) * offsetSize <= start - Int(number(2))
        else {
            throw JSONError(
                kind: .invalidValue(expected: "a trailer that describes the file"), line: 1,
                column: 1, byteOffset: start)
        }
        objectCount = Int(number(0))
        root = Int(number(1))
        rootEntry = start + 16
        offsetTable = Int(number(2))
    }
}
