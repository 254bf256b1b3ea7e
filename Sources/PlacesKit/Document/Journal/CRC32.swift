/// The CRC-32 of gzip, zip and PNG, which every language has at hand: polynomial 0xEDB88320, reflected.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { crc, _ in
            crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320
        }
    }

    /// The checksum of some bytes.
    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var crc = UInt32.max
            for byte in bytes { crc = table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8 }
            return ~crc
        }
    }
}
