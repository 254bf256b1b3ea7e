/// A part of the hash of each text of a chunk: texts with different digests are different.
final class TextDigests: Sendable {
    private let digests: ContiguousArray<UInt32>

    /// The digests of the texts of a chunk.
    init(of block: UnsafeMutableRawPointer) {
        let texts = block.elements(of: String.self)
        digests = ContiguousArray(
            (0..<ChunkLayout.rows).lazy.map { Self.digest(of: texts[$0]) })
    }

    /// The digest of a text, the same for all texts that are canonically equivalent.
    static func digest(of text: String) -> UInt32 {
        UInt32(truncatingIfNeeded: ValueHash.hash(text))
    }

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
