import Foundation
import PlacesBase

extension BinaryPropertyListReader {
    /// Reads a boolean.
    func readBool() throws(JSONError) -> Bool {
        switch bytes[offset] {
        case 0x08: return false
        case 0x09: return true
        default: throw try mismatch(expected: .boolean)
        }
    }

    /// Reads an integer of a type, which an error describes.
    @inline(__always)
    func readInteger<Value: FixedWidthInteger>(
        describedAs type: String
    ) throws(JSONError) -> Value {
        guard let value = Value(exactly: try wideInteger()) else {
            throw failure(.numberOutOfRange(type: type))
        }
        return value
    }

    /// Integers of up to four bytes have no sign; those of eight and sixteen bytes have one.
    private func wideInteger() throws(JSONError) -> Int128 {
        guard bytes[offset] & 0xF0 == 0x10 else { throw try mismatch(expected: .number) }
        let size = 1 << Int(bytes[offset] & 0x0F)
        guard size <= 16, offsetTable - offset > size else {
            throw expected("an integer of up to 16 bytes")
        }
        if size == 16 {
            return Int128(
                bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 1, as: Int128.self))
        }
        return Int128(integer(at: offset + 1, size: size))
    }

    /// Reads a number as the nearest double.
    func readDouble() throws(JSONError) -> Double {
        switch bytes[offset] {
        case 0x22: return Double(Float(bitPattern: UInt32(try word(of: 4))))
        case 0x23: return Double(bitPattern: try word(of: 8))
        default: return Double(try wideInteger())
        }
    }

    /// Reads an instant, or a number, in seconds since 2001.
    func readDate() throws(JSONError) -> Double {
        bytes[offset] == 0x33 ? Double(bitPattern: try word(of: 8)) : try readDouble()
    }

    private func word(of size: Int) throws(JSONError) -> UInt64 {
        guard offsetTable - offset > size else {
            throw failure(.unexpectedEnd(expected: "a number of \(size) bytes"))
        }
        return UInt64(bitPattern: Int64(integer(at: offset + 1, size: size)))
    }

    /// Reads data.
    func readData() throws(JSONError) -> Data {
        guard bytes[offset] & 0xF0 == 0x40 else { throw try mismatch(expected: .string) }
        let (start, count) = try elements(at: offset, size: 1)
        return shared.data(
            UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]), at: offset)
    }

    /// Reads a string.
    func readPlainString() throws(JSONError) -> String { try string(at: offset) }

    /// The string at `offset`.
    func string(at offset: Int) throws(JSONError) -> String {
        let bytes = bytes
        switch bytes[offset] & 0xF0 {
        // Text that XML has no way to write is data in it, and stays data where a tool makes it binary.
        case 0x40, 0x50:
            let (start, count) = try elements(at: offset, size: 1)
            return try shared.text(at: offset, count: count) { () throws(JSONError) in
                let text = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
                guard let string = JSONScan.string(of: text) else {
                    throw failure(.invalidUTF8, at: offset)
                }
                return string
            }
        case 0x60:
            let (start, count) = try elements(at: offset, size: 2)
            return try shared.text(at: offset, count: count) { () throws(JSONError) in
                let units = (0..<count).lazy.map {
                    UInt16(
                        bigEndian: bytes.loadUnaligned(
                            fromByteOffset: start + 2 * $0, as: UInt16.self))
                }
                guard let string = String(validating: units, as: UTF16.self) else {
                    throw failure(.loneSurrogate, at: offset)
                }
                return string
            }
        default:
            throw expected("a string", at: offset)
        }
    }
}
