/// The SHA-256 digest of bytes, as FIPS 180-4 defines it; Foundation has none on all platforms.
package struct SHA256 {
    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
        0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
        0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
        0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
        0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
    private static let blockSize = 64

    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
    )

    /// The digest of some bytes as 64 hexadecimal digits.
    package static func text(of bytes: UnsafeRawBufferPointer) -> String {
        var hash = SHA256()
        let rest = bytes.count % blockSize
        hash.process(UnsafeRawBufferPointer(rebasing: bytes.dropLast(rest)))
        // What is left, a one, zeros, and the number of bits.
        var end = Array(bytes.suffix(rest)) + [0x80]
        let isRoomy = end.count <= blockSize - 8
        end += repeatElement(0, count: (isRoomy ? 1 : 2) * blockSize - 8 - end.count)
        withUnsafeBytes(of: (UInt64(bytes.count) &* 8).bigEndian) { end += $0 }
        end.withUnsafeBytes { hash.process($0) }
        let (a, b, c, d, e, f, g, h) = hash.state
        return [a, b, c, d, e, f, g, h].map(CRC32.text).joined()
    }

    /// Processes whole blocks.
    private mutating func process(_ bytes: UnsafeRawBufferPointer) {
        Self.constants.withUnsafeBufferPointer { constants in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.blockSize) { words in
                for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
                    for index in 0..<16 {
                        let word = bytes.loadUnaligned(
                            fromByteOffset: start &+ index &* 4, as: UInt32.self)
                        words[index] = UInt32(bigEndian: word)
                    }
                    for index in 16..<64 {
                        let (near, far) = (words[index &- 2], words[index &- 15])
                        let s0 = far.rotated(7) ^ far.rotated(18) ^ far &>> 3
                        let s1 = near.rotated(17) ^ near.rotated(19) ^ near &>> 10
                        words[index] = words[index &- 16] &+ s0 &+ words[index &- 7] &+ s1
                    }
                    mix(words, constants)
                }
            }
        }
    }

    private mutating func mix(
        _ words: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        var (a, b, c, d, e, f, g, h) = state
        for index in 0..<64 {
            let s1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let choice = e & f ^ ~e & g
            let first = h &+ s1 &+ choice &+ constants[index] &+ words[index]
            let s0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let majority = a & b ^ a & c ^ b & c
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ s0 &+ majority)
        }
        state.0 &+= a
        state.1 &+= b
        state.2 &+= c
        state.3 &+= d
        state.4 &+= e
        state.5 &+= f
        state.6 &+= g
        state.7 &+= h
    }
}

extension UInt32 {
    /// The bits moved to the right, around the end.
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}
