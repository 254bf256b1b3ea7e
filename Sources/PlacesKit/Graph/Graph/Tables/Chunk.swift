import Foundation
public import Synchronization

/// How 1,024 values of a column lie in memory.
///
/// A chunk is one block: the token of the transaction that may write it, whether its elements are blobs, what its texts
/// are packed in as long as they are no strings, whether they are, one validity bit a row (clear means `nil`), and the
/// elements. Readers find everything from the block's address alone.
@usableFromInline
enum ChunkLayout {
    @usableFromInline static let shift = 10
    @usableFromInline static let rows = 1 << shift
    @usableFromInline static let mask = rows - 1
    @usableFromInline static let words = rows / 64
    @usableFromInline static let isExternalOffset = 8
    @usableFromInline static let packedOffset = 16
    @usableFromInline static let isPackedOffset = 24
    /// A multiple of 16, as is where the elements begin: no string lies in two lines of the cache.
    @usableFromInline static let validityOffset = 32
    @usableFromInline static let elementsOffset = validityOffset + words * 8
}

/// Owns the block of 1,024 values of a column.
///
/// Sendable, because a block is written only while its token is that of a transaction that has not
/// yet given it away: `Transaction.freeze()` retires the token before anybody else sees the chunk,
/// and tokens are never used twice.
final class Chunk: @unchecked Sendable {
    let block: UnsafeMutableRawPointer
    private let kind: ColumnKind
    /// Whether all rows hold a value without references, so that copying them is copying bytes.
    private let isEmpty: Bool
    /// What queries made of the text in the chunk; nothing for other kinds.
    let companions: ChunkCompanions?

    private let knownStatistics = AtomicLazyReference<ChunkStatistics>()
    private let knownDigests = AtomicLazyReference<TextDigests>()
    /// Whether a query asked for either before.
    private let wasAsked = Atomic<Bool>(false)

    private init(owner: UInt64, kind: ColumnKind, isEmpty: Bool = false) {
        self.kind = kind
        self.isEmpty = isEmpty
        companions = kind == .string ? ChunkCompanions() : nil
        block = .allocate(
            byteCount: ChunkLayout.elementsOffset + kind.stride * ChunkLayout.rows, alignment: 16)
        block.storeBytes(of: owner, as: UInt64.self)
        block.storeBytes(
            of: kind == .blob, toByteOffset: ChunkLayout.isExternalOffset, as: Bool.self)
        block.storeBytes(of: 0, toByteOffset: ChunkLayout.packedOffset, as: UInt.self)
        block.packedFlag.initialize(to: Atomic(false))
    }

    /// A chunk that nobody may write and whose rows all hold `datum`, or what the kind has for no
    /// value, valid or not.
    convenience init(kind: ColumnKind, repeating datum: Datum, isValid: Bool) {
        self.init(owner: 0, kind: kind, isEmpty: datum.isEmpty)
        block.validity.initialize(repeating: isValid ? .max : 0, count: ChunkLayout.words)
        switch kind {
        case .boolean: fill(datum, Bool.self)
        case .integer: fill(datum, Int64.self)
        case .double: fill(datum, Double.self)
        case .decimal: fill(datum, Decimal.self)
        case .string: fill(datum, String.self)
        case .uuid: fill(datum, UUID.self)
        case .data: fill(datum, Data.self)
        case .blob:
            let bytes = datum.element(of: Data.self) ?? .unset
            fill(bytes.isEmpty ? Blob.unset : Blob(bytes, isInline: true))
        case .reference: fill(Row.unset)
        }
    }

    private func fill<Element: ColumnElement>(_ datum: Datum, _ type: Element.Type) {
        fill(datum.isEmpty ? .unset : datum.element(of: type) ?? .unset)
    }

    private func fill<Element>(_ value: Element) {
        block.elements(of: Element.self).initialize(repeating: value, count: ChunkLayout.rows)
    }

    /// A chunk with the same rows that another transaction may write.
    convenience init(owner: UInt64, copying other: Chunk) {
        self.init(owner: owner, kind: other.kind)
        block.validity.initialize(from: other.block.validity, count: ChunkLayout.words)
        switch kind {
        case .string where !other.isEmpty: copyTexts(from: other)
        case .data where !other.isEmpty: copyElements(Data.self, from: other)
        case .blob: copyElements(Blob.self, from: other)
        case .boolean, .integer, .double, .decimal, .uuid, .reference, .string, .data:
            copyBytes(from: other)
        }
    }

    private func copyBytes(from other: Chunk) {
        (block + ChunkLayout.elementsOffset).copyMemory(
            from: other.block + ChunkLayout.elementsOffset,
            byteCount: kind.stride * ChunkLayout.rows)
    }

    /// One by one, for the library's way to copy many asks each for its type.
    private func copyElements<Element>(_ type: Element.Type, from other: Chunk) {
        let (elements, originals) = (block.elements(of: type), other.block.elements(of: type))
        for row in 0..<ChunkLayout.rows {
            (elements + row).initialize(to: originals[row])
        }
    }

    /// Most texts of most columns are short or missing: their bytes are in the string itself, which is copied without
    /// being counted.
    private func copyTexts(from other: Chunk) {
        guard StringBits.isKnown else { return copyElements(String.self, from: other) }
        // Who writes a chunk reads it, too: both then share the strings.
        other.block.makeStrings()
        copyBytes(from: other)
        let (texts, originals) = (
            block.slots(of: String.self), other.block.slots(of: String.self)
        )
        for row in 0..<ChunkLayout.rows where StringBits(originals + row).isCounted {
            (texts + row).initialize(to: originals[row])
        }
    }

    private func dropTexts() {
        let texts = block.slots(of: String.self)
        guard StringBits.isKnown else {
            texts.deinitialize(count: ChunkLayout.rows)
            return
        }
        for row in 0..<ChunkLayout.rows where StringBits(texts + row).isCounted {
            (texts + row).deinitialize(count: 1)
        }
        block.freePackedTexts()
    }

    deinit {
        switch kind {
        case .string: dropTexts()
        case .data: block.elements(of: Data.self).deinitialize(count: ChunkLayout.rows)
        case .blob: block.elements(of: Blob.self).deinitialize(count: ChunkLayout.rows)
        case .boolean, .integer, .double, .decimal, .uuid, .reference: break
        }
        block.deallocate()
    }
}

/// What queries know of a chunk that nobody writes any more.
///
/// It is made when it is asked for a second time: for a single query it takes longer than it saves. Of texts that are
/// packed it is made the first time, in less time than strings.
extension Chunk {
    /// The bounds of the elements; `nil` the first time, and where they are not numbers.
    var statistics: ChunkStatistics? {
        if let known = knownStatistics.load() { return known }
        guard wasAsked.exchange(true, ordering: .relaxed),
            let statistics = ChunkStatistics(of: block, kind)
        else { return nil }
        return knownStatistics.storeIfNil(statistics)
    }

    /// The digests of the elements, which are texts; `nil` the first time, unless they are packed.
    var digests: TextDigests? {
        if let known = knownDigests.load() { return known }
        guard wasAsked.exchange(true, ordering: .relaxed) || block.isPacked, kind == .string
        else { return nil }
        return knownDigests.storeIfNil(TextDigests(of: block))
    }
}

extension Datum {
    /// Whether this is no value, or one of no length.
    fileprivate var isEmpty: Bool {
        switch self {
        case .string(let value): value.isEmpty
        case .data(let value): value.isEmpty
        default: self == .null
        }
    }
}

extension UnsafeMutableRawPointer {
    /// The token of the transaction that may write this chunk.
    @inlinable @inline(__always)
    var chunkOwner: UInt64 { load(as: UInt64.self) }

    /// Whether the elements of this chunk are blobs.
    @inlinable @inline(__always)
    var isExternal: Bool { load(fromByteOffset: ChunkLayout.isExternalOffset, as: Bool.self) }

    /// The validity bits of this chunk, 64 rows a word.
    @inlinable @inline(__always)
    var validity: UnsafeMutablePointer<UInt64> {
        (self + ChunkLayout.validityOffset).assumingMemoryBound(to: UInt64.self)
    }

    /// What says whether texts of this chunk are packed.
    @inlinable @inline(__always)
    var packedFlag: UnsafeMutablePointer<Atomic<Bool>> {
        (self + ChunkLayout.isPackedOffset).assumingMemoryBound(to: Atomic<Bool>.self)
    }

    /// Whether texts of this chunk are packed.
    @inlinable @inline(__always)
    var isPacked: Bool { packedFlag.pointee.load(ordering: .acquiring) }

    /// The elements of this chunk; texts are strings from now on.
    @inlinable @inline(__always)
    func elements<Element>(of type: Element.Type) -> UnsafeMutablePointer<Element> {
        if Element.self == String.self { makeStrings() }
        return slots(of: type)
    }

    /// Makes strings of the texts of this chunk, if they are none yet.
    @inlinable @inline(__always)
    func makeStrings() { if isPacked { unpackTexts() } }

    /// The elements of this chunk as they lie: texts may be packed.
    @inlinable @inline(__always)
    func slots<Element>(of type: Element.Type) -> UnsafeMutablePointer<Element> {
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
