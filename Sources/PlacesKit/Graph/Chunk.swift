/// How 1,024 values of a column lie in memory.
///
/// A chunk is one block: the token of the transaction that may write it, one validity bit a row
/// (clear means `nil`), and the elements. Readers find everything from the block's address alone.
@usableFromInline
enum ChunkLayout {
    @usableFromInline static let shift = 10
    @usableFromInline static let rows = 1 << shift
    @usableFromInline static let mask = rows - 1
    @usableFromInline static let words = rows / 64
    @usableFromInline static let validityOffset = 16
    @usableFromInline static let elementsOffset = validityOffset + words * 8
}

/// Owns the block of 1,024 values of a column.
///
/// Sendable, because a block is written only while its token is that of a transaction that has not
/// yet given it away: `Transaction.freeze()` retires the token before anybody else sees the chunk,
/// and tokens are never used twice.
final class Chunk<Element: ColumnElement>: @unchecked Sendable {
    let block: UnsafeMutableRawPointer

    private init(owner: UInt64) {
        block = .allocate(
            byteCount: ChunkLayout.elementsOffset
                + MemoryLayout<Element>.stride * ChunkLayout.rows,
            alignment: 16)
        block.storeBytes(of: owner, as: UInt64.self)
    }

    /// A chunk whose rows all hold `element`, valid or not.
    convenience init(owner: UInt64, repeating element: Element, isValid: Bool) {
        self.init(owner: owner)
        block.validity.initialize(repeating: isValid ? .max : 0, count: ChunkLayout.words)
        block.elements(of: Element.self).initialize(repeating: element, count: ChunkLayout.rows)
    }

    /// A chunk with the same rows that another transaction may write.
    convenience init(owner: UInt64, copying other: Chunk) {
        self.init(owner: owner)
        block.validity.initialize(from: other.block.validity, count: ChunkLayout.words)
        block.elements(of: Element.self)
            .initialize(from: other.block.elements(of: Element.self), count: ChunkLayout.rows)
    }

    deinit {
        block.elements(of: Element.self).deinitialize(count: ChunkLayout.rows)
        block.deallocate()
    }
}

extension UnsafeMutableRawPointer {
    /// The token of the transaction that may write this chunk.
    @inlinable @inline(__always)
    var chunkOwner: UInt64 { load(as: UInt64.self) }

    /// The validity bits of this chunk, 64 rows a word.
    @inlinable @inline(__always)
    var validity: UnsafeMutablePointer<UInt64> {
        (self + ChunkLayout.validityOffset).assumingMemoryBound(to: UInt64.self)
    }

    /// The elements of this chunk.
    @inlinable @inline(__always)
    func elements<Element>(of type: Element.Type) -> UnsafeMutablePointer<Element> {
        (self + ChunkLayout.elementsOffset).assumingMemoryBound(to: Element.self)
    }

    /// Whether the row at `offset` in this chunk holds a value.
    @inlinable @inline(__always)
    func isValid(at offset: Int) -> Bool {
        validity[offset &>> 6] &>> UInt64(offset & 63) & 1 != 0
    }

    /// Marks the row at `offset` in this chunk as holding a value, or as `nil`.
    @inlinable @inline(__always)
    func setValid(_ isValid: Bool, at offset: Int) {
        let bit: UInt64 = 1 &<< UInt64(offset & 63)
        if isValid { validity[offset &>> 6] |= bit } else { validity[offset &>> 6] &= ~bit }
    }
}
