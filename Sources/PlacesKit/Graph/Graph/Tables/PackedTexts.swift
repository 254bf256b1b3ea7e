import Foundation
import Synchronization

/// The texts of a chunk that are no strings yet: their UTF-8 lies in one piece.
///
/// A document has far more texts than anybody looks at, and a string of its own takes some fifty bytes and more time
/// than the rest of a value. So texts that are read from a file are packed, one behind the other, and where the string of
/// one would lie there is written where its text is. Who asks for the elements of the chunk gets strings: they are made
/// of all texts at one go, and once.
///
/// Sendable, because a chunk is filled by one thread before anybody else sees it, and after that texts are read, and
/// made strings, by who holds the lock.
final class PackedTexts: @unchecked Sendable {
    /// The lengths in UTF-8 for which it pays: shorter texts lie in the string itself, and beside longer ones what a
    /// string takes is little.
    static let lengths = 16...1024

    /// Whether texts of any chunk were packed.
    static var wereMade: Bool { made.load(ordering: .relaxed) }
    private static let made = Atomic(false)

    private let lock = Mutex<Void>(())
    private var bytes: UnsafeMutableRawPointer?
    private var count = 0
    private var capacity = 0
    /// How many strings were made of single texts.
    private var singles = 0

    /// Where a text lies among the bytes of its chunk.
    ///
    /// It is the first word of what lies in place of a string; the second one is zero, as that of no string is.
    private struct Location {
        let start: UInt32
        let count: UInt32

        init?(start: Int, count: Int) {
            guard let start = UInt32(exactly: start), let count = UInt32(exactly: count) else {
                return nil
            }
            (self.start, self.count) = (start, count)
        }

        init(_ slot: UnsafeRawPointer) {
            start = slot.load(as: UInt32.self)
            count = slot.load(fromByteOffset: 4, as: UInt32.self)
        }

        func store(at slot: UnsafeMutableRawPointer) {
            slot.storeBytes(of: start, as: UInt32.self)
            slot.storeBytes(of: count, toByteOffset: 4, as: UInt32.self)
            slot.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
        }
    }

    init() { Self.made.store(true, ordering: .relaxed) }

    deinit { free(bytes) }

    // MARK: - Packing

    /// Adds a text, and writes in `slot` where it is; false where there is no room for it.
    fileprivate func append(
        _ utf8: UnsafeRawBufferPointer, at slot: UnsafeMutableRawPointer
    ) -> Bool {
        if capacity - count < utf8.count { resize(to: max(1 << 12, (count + utf8.count) * 2)) }
        guard let bytes, capacity - count >= utf8.count,
            let location = Location(start: count, count: utf8.count)
        else { return false }
        UnsafeMutableRawBufferPointer(start: bytes + count, count: utf8.count)
            .copyMemory(from: utf8)
        count += utf8.count
        location.store(at: slot)
        return true
    }

    /// Gives back the memory that is left, when no more texts come.
    func trim() { if count > 0 { resize(to: count) } }

    private func resize(to capacity: Int) {
        guard let resized = realloc(bytes, capacity) else { return }
        (bytes, self.capacity) = (resized, capacity)
    }

    // MARK: - Reading

    /// Hands the UTF-8 of a row of a block, which is that of the chunk, to `body`, and returns what that does; `nil` where
    /// a string lies.
    fileprivate func read<Result: Sendable>(
        _ block: UnsafeMutableRawPointer, at row: Int,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        lock.withLock { _ in
            block.isPacked ? utf8(at: block.slots(of: String.self) + row).map(body) : nil
        }
    }

    /// The text of a row of a block; `nil` where a string lies.
    ///
    /// Who asks for single texts as often as there are rows would go on with it: strings are made of all, to be kept.
    fileprivate func text(_ block: UnsafeMutableRawPointer, at row: Int) -> String? {
        let made = read(block, at: row) { utf8 in
            singles += 1
            return (text: String(decoding: utf8, as: UTF8.self), isLast: singles > ChunkLayout.rows)
        }
        if made?.isLast == true { unpack(block) }
        return made?.text
    }

    /// Makes strings of all texts of a block.
    fileprivate func unpack(_ block: UnsafeMutableRawPointer) {
        lock.withLock { _ in
            // Somebody else may have been faster.
            guard block.isPacked else { return }
            for row in 0..<ChunkLayout.rows {
                let slot = block.slots(of: String.self) + row
                guard let utf8 = utf8(at: slot) else { continue }
                slot.initialize(to: String(decoding: utf8, as: UTF8.self))
            }
            block.packedFlag.pointee.store(false, ordering: .releasing)
            free(bytes)
            (bytes, count, capacity) = (nil, 0, 0)
        }
    }

    /// The UTF-8 of a text; `nil` where a string lies.
    private func utf8(at slot: UnsafeMutablePointer<String>) -> UnsafeRawBufferPointer? {
        guard !StringBits(slot).isString else { return nil }
        let location = Location(slot)
        return UnsafeRawBufferPointer(
            start: bytes.map { $0 + Int(location.start) }, count: Int(location.count))
    }
}

extension UnsafeMutableRawPointer {
    /// What the texts of this chunk are packed in, or were; `nil` if none ever was.
    ///
    /// It stays as long as the chunk, for somebody may be waiting for its lock.
    private var packedTexts: Unmanaged<PackedTexts>? {
        UnsafeRawPointer(
            bitPattern: load(fromByteOffset: ChunkLayout.packedOffset, as: UInt.self)
        ).map { Unmanaged.fromOpaque($0) }
    }

    // MARK: - While a chunk is filled, and nobody else sees it

    /// Packs the text of a row; false where it has to be a string.
    func pack(_ utf8: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard PackedTexts.lengths.contains(utf8.count), StringBits.isKnown else { return false }
        let texts: Unmanaged<PackedTexts>
        if let packedTexts {
            texts = packedTexts
        } else {
            texts = .passRetained(PackedTexts())
            storeBytes(
                of: UInt(bitPattern: texts.toOpaque()), toByteOffset: ChunkLayout.packedOffset,
                as: UInt.self)
            packedFlag.pointee.store(true, ordering: .relaxed)
        }
        // Where strings were made of the others this one becomes a string, too.
        guard isPacked else { return false }
        let slot = slots(of: String.self) + offset
        if StringBits(slot).isString { slot.update(repeating: "", count: 1) }
        return texts._withUnsafeGuaranteedRef { $0.append(utf8, at: slot) }
    }

    /// Gives a row a string, where it is packed or not.
    func put(_ text: consuming String, at offset: Int) {
        let slot = slots(of: String.self) + offset
        // Only where texts are packed is it known how strings lie in memory.
        if isPacked, !StringBits(slot).isString {
            slot.initialize(to: text)
        } else {
            slot.pointee = text
        }
    }

    /// Gives back the memory that is left, when no more texts come.
    func trimPackedTexts() { packedTexts?._withUnsafeGuaranteedRef { $0.trim() } }

    /// Ends what texts of a chunk are packed in that ends itself.
    func freePackedTexts() { packedTexts?.release() }

    // MARK: - Reading

    /// Makes strings of the texts of this chunk, if they are none yet.
    ///
    /// It releases nothing that a caller could hold: so accessors need not retain anything around the call, as they would
    /// around the look at the flag.
    @usableFromInline @inline(never) @_effects(releasenone)
    func unpackTexts() {
        if isPacked { packedTexts?._withUnsafeGuaranteedRef { $0.unpack(self) } }
    }

    /// Hands the UTF-8 of a row of this chunk to `body`, where it is packed, and returns what that does; `nil` where there
    /// is a string, which lies among the slots.
    @inline(__always)
    func readPacked<Result: Sendable>(
        at offset: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        guard isPacked, let packedTexts else { return nil }
        return packedTexts._withUnsafeGuaranteedRef { $0.read(self, at: offset, body) }
    }

    /// The text of a row of this chunk, which may stay packed.
    func text(at offset: Int) -> String {
        let packed: String? =
            if isPacked, let packedTexts {
                packedTexts._withUnsafeGuaranteedRef { $0.text(self, at: offset) }
            } else {
                nil
            }
        return packed ?? slots(of: String.self)[offset]
    }

    /// The hash under which an index keeps the text of a row of this chunk, which stays packed.
    func textHash(at offset: Int) -> Int {
        readPacked(at: offset, ValueHash.textHash) ?? slots(of: String.self)[offset].indexHash
    }

    /// Whether a row of this chunk holds a value; text stays packed.
    @inline(__always)
    func holds<Element: ColumnElement>(_ value: Element, at offset: Int) -> Bool {
        if Element.self == String.self, isPacked, let text = value as? String,
            let isSame = readPacked(at: offset, { text.isCanonicallyEqual(to: $0) })
        {
            return isSame
        }
        return slots(of: Element.self)[offset] == value
    }
}
