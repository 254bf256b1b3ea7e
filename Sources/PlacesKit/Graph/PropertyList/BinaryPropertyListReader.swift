import PlacesBase

/// A pull parser for binary property lists ("bplist00"), with the calls of ``JSONReader``.
///
/// The caller says what it wants next and gets it straight from the bytes. Values lie anywhere in the file
/// and are found by their numbers, so passing one costs nothing, and a dictionary's keys come in the order in
/// which the caller needs them.
///
/// The format is that of Apple's CFBinaryPList.c. Nothing in a file is trusted: every number of an object,
/// offset and length is checked before it is used, and a list that contains itself ends in an error.
struct BinaryPropertyListReader: ~Copyable {
    /// An array or dictionary that has been entered.
    struct Container {
        /// Where the references to its keys are, and those to its values.
        var keys: Int
        var values: Int
        var count: Int
        var position = 0
        /// Whether all keys come in the order of their table, or only the first of it is first.
        var ordersAllKeys = false
        /// The positions of the entries in the order in which they are handed out; nil for their own.
        var order: [Int]?
    }

    static let header = Array("bplist00".utf8)

    let bytes: UnsafeRawBufferPointer
    let offsetSize: Int
    let referenceSize: Int
    let objectCount: Int
    /// Where the offsets of objects are; the objects lie before it.
    let offsetTable: Int
    /// Where the value is that is read next.
    var offset = 0
    var containers: [Container] = []
    /// How many more elements are handed out.
    ///
    /// Lists that share no containers have fewer than bytes. Without a limit a small file could hold as many
    /// elements as there are atoms.
    var remainingElements: Int
    /// The long values that were read, by this one and by those that it was copied to.
    let shared: SharedValues
    /// The index of the key that is tried first, since dictionaries of a kind have their keys in one order.
    var expectedKey = 0

    /// Reads the one value of a binary property list, which `body` takes in.
    static func read<Value>(
        _ bytes: [UInt8], _ body: (inout BinaryPropertyListReader) throws -> Value
    ) throws -> Value {
        try bytes.withUnsafeBytes { bytes in
            let trailer = try BinaryPropertyListTrailer(bytes)
            var reader = BinaryPropertyListReader(
                bytes: bytes, offsetSize: trailer.offsetSize,
                referenceSize: trailer.referenceSize, objectCount: trailer.objectCount,
                offsetTable: trailer.offsetTable, remainingElements: bytes.count,
                shared: SharedValues())
            reader.offset = try reader.offset(ofObject: trailer.root, at: trailer.rootEntry)
            return try body(&reader)
        }
    }

    /// Another reader at the same offset.
    func copy() -> BinaryPropertyListReader {
        BinaryPropertyListReader(
            bytes: bytes, offsetSize: offsetSize, referenceSize: referenceSize,
            objectCount: objectCount, offsetTable: offsetTable, offset: offset,
            containers: containers, remainingElements: bytes.count, shared: shared)
    }

    /// Counts an element.
    mutating func countElement() throws(JSONError) {
        remainingElements -= 1
        guard remainingElements >= 0 else {
            throw expected("containers that are not held again and again")
        }
    }

    /// An error at the reader's offset, or at another one.
    @inline(never)
    func failure(_ kind: JSONError.Kind, at byteOffset: Int? = nil) -> JSONError {
        JSONError(kind: kind, line: 1, column: 1, byteOffset: byteOffset ?? offset)
    }
}

// MARK: - Objects

extension BinaryPropertyListReader {
    /// Where an object lies that is named at `reference`.
    @inline(__always)
    func offset(ofObject number: Int, at reference: Int) throws(JSONError) -> Int {
        guard number < objectCount else {
            throw expected("the number of an object of the file", at: reference)
        }
        let entry = offsetTable + number * offsetSize
        let offset = integer(at: entry, size: offsetSize)
        guard offset >= Self.header.count, offset < offsetTable else {
            throw expected("the offset of an object", at: entry)
        }
        return offset
    }

    /// A number of up to eight bytes without a sign; one that no file has room for becomes negative.
    @inline(__always)
    func integer(at offset: Int, size: Int) -> Int {
        switch size {
        case 1: return Int(bytes[offset])
        case 2:
            return Int(
                UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
        case 4:
            return Int(
                UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        default:
            var value: UInt64 = 0
            for byte in bytes[offset..<offset + size] { value = value << 8 | UInt64(byte) }
            return Int(truncatingIfNeeded: value)
        }
    }

    /// Where the object of a reference lies.
    @inline(__always)
    func follow(_ list: Int, _ position: Int) throws(JSONError) -> Int {
        let reference = list + position * referenceSize
        let number = integer(at: reference, size: referenceSize)
        guard number >= 0 else {
            throw expected("the number of an object of the file", at: reference)
        }
        return try offset(ofObject: number, at: reference)
    }

    /// The elements that the object at `offset` announces, of a number of bytes each: where they begin,
    /// and how many there are.
    @inline(__always)
    func elements(
        at offset: Int, size: Int
    ) throws(JSONError) -> (start: Int, count: Int) {
        var start = offset + 1
        var count = Int(bytes[offset] & 0x0F)
        if count == 0x0F {
            guard start < offsetTable, bytes[start] & 0xF0 == 0x10 else {
                throw expected("a length", at: offset)
            }
            let length = 1 << Int(bytes[start] & 0x0F)
            guard length <= 8, offsetTable - start > length else {
                throw expected("a length", at: offset)
            }
            count = integer(at: start + 1, size: length)
            start += 1 + length
        }
        guard count >= 0, count <= (offsetTable - start) / size else {
            throw failure(
                .unexpectedEnd(expected: "an object that ends before the table of offsets"),
                at: offset)
        }
        return (start, count)
    }

    /// The type of the next value, which is not consumed.
    func peekKind() throws(JSONError) -> JSONError.ValueKind {
        switch bytes[offset] >> 4 {
        case 0x0:
            switch bytes[offset] {
            case 0x00: return .null
            case 0x08, 0x09: return .boolean
            default: break
            }
        case 0x1, 0x2: return .number
        case 0x3, 0x4, 0x5, 0x6: return .string
        case 0xA: return .array
        case 0xD: return .object
        default: break
        }
        throw failure(.unexpectedByte(bytes[offset], expected: "an object of a property list"))
    }

    @inline(never)
    func mismatch(expected: JSONError.ValueKind) throws(JSONError) -> JSONError {
        failure(.wrongType(expected: expected, found: try peekKind()))
    }
}
