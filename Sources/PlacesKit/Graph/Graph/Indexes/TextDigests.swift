/// A part of the hash of each text of a chunk: texts with different digests are different.
final class TextDigests: Sendable {
    private let digests: ContiguousArray<UInt32>

    /// The digests of the texts of a chunk.
    init(of block: UnsafeMutableRawPointer) {
        digests = ContiguousArray(
            (0..<ChunkLayout.rows).lazy.map { Self.digest(of: block.textHash(at: $0)) })
    }

    /// The digest of a text, the same for all texts that are canonically equivalent.
    static func digest(of text: String) -> UInt32 {
        digest(of: ValueHash.hash(text))
    }

    private static func digest(of hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash) }

    /// Which of 64 rows have a digest.
    @inline(__always)
    func rows(with digest: UInt32, inWord word: Int) -> UInt64 {
        digests.withUnsafeBufferPointer { digests in
            var bits: UInt64 = 0
            for bit in 0..<64 {
                let isSame: UInt64 = digests[word &* 64 &+ bit] == digest ? 1 : 0
                bits |= isSame &<< UInt64(truncatingIfNeeded: bit)
            }
            return bits
        }
    }
}
