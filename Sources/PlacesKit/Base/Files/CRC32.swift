/// The CRC-32 of gzip, zip and PNG, which every language provides.
///
/// Its polynomial is 0xEDB88320, reflected.
package enum CRC32 {
    /// Eight tables, so that eight bytes are processed at once.
    ///
    /// Table n says how a byte changes the checksum if n more bytes follow it.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { crc, _ in
                crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320
            }
        }
        for index in 256..<2_048 {
            let crc = tables[index - 256]
            tables.append(tables[Int(crc & 0xFF)] ^ crc >> 8)
        }
        return tables
    }()

    /// The checksum of some bytes.
    package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            var crc = UInt32.max
            var offset = 0
            while offset &+ 8 <= bytes.count {
                let word =
                    UInt64(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    ^ UInt64(crc)
                crc = 0
                for index in 0..<8 {
                    let byte = Int(truncatingIfNeeded: word &>> UInt64(index &* 8)) & 0xFF
                    crc ^= tables[(7 &- index) &* 256 &+ byte]
                }
                offset &+= 8
            }
            while offset < bytes.count {
                crc = tables[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[offset])] ^ crc >> 8
                offset &+= 1
            }
            return ~crc
        }
    }

    /// A checksum as eight hexadecimal digits.
    package static func text(of checksum: UInt32) -> String {
        let digits = String(checksum, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// Reads a checksum from eight hexadecimal digits.
    package static func checksum(ofText digits: UnsafeRawBufferPointer) -> UInt32? {
        guard digits.count == 8 else { return nil }
        var checksum: UInt32 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                checksum = checksum << 4 | UInt32(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                checksum = checksum << 4 | UInt32(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return checksum
    }
}
