/// Numbers for texts, in the order in which they first come; canonically equivalent texts have one.
///
/// Two texts whose representations in memory are the same are the same text: short ones lie in the
/// representation itself, and long ones that were copied share their storage. So a text is looked for
/// by the two words of its representation first, which takes neither its bytes nor a count of references;
/// where this seldom helps it is given up.
struct TextNumbers {
    private struct Slot: BitwiseCopyable {
        var words: (UInt64, UInt64)
        /// Negative where the slot is free.
        var number: Int32
    }

    private var slots: ContiguousArray<Slot>
    /// The texts by their hashes: the upper half of a hash, and the number.
    private var hashes: ContiguousArray<(tag: UInt32, number: Int32)>
    private var texts: ContiguousArray<String> = []
    private var representations = 0
    /// How many texts were found by their representations, and how many were not, though they were known.
    private var found = 0
    private var missed = 0
    private var usesRepresentations =
        MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size

    init() {
        slots = Self.slots(1 << 10)
        hashes = ContiguousArray(repeating: (0, -1), count: 1 << 10)
    }

    private static func slots(_ count: Int) -> ContiguousArray<Slot> {
        ContiguousArray(repeating: Slot(words: (0, 0), number: -1), count: count)
    }

    /// The number of the text at an address, and whether the text is new.
    @inline(__always)
    mutating func number(of text: UnsafePointer<String>) -> (number: Int32, isNew: Bool) {
        guard usesRepresentations else { return numberByHash(of: text) }
        let words = UnsafeRawPointer(text).loadUnaligned(as: (UInt64, UInt64).self)
        let mask = slots.count &- 1
        var position = ValueHash.hash(words.0, words.1) & mask
        while slots[position].number >= 0 {
            if slots[position].words == words {
                found &+= 1
                return (slots[position].number, false)
            }
            position = (position &+ 1) & mask
        }
        return enter(words, position, text)
    }

    @inline(never)
    private mutating func enter(
        _ words: (UInt64, UInt64), _ position: Int, _ text: UnsafePointer<String>
    ) -> (number: Int32, isNew: Bool) {
        let result = numberByHash(of: text)
        slots[position] = Slot(words: words, number: result.number)
        representations += 1
        if representations * 2 > slots.count { growSlots() }
        // Where most texts lie in storage of their own the first look-up only costs time.
        missed += result.isNew ? 0 : 1
        if missed > max(found, 1 << 12) || representations > max(4 * found, 1 << 16) {
            usesRepresentations = false
        }
        return result
    }

    private mutating func numberByHash(
        of text: UnsafePointer<String>
    ) -> (number: Int32, isNew: Bool) {
        let hash = ValueHash.hash(text.pointee)
        let tag = UInt32(truncatingIfNeeded: hash >> 32)
        let mask = hashes.count - 1
        var position = hash & mask
        while hashes[position].number >= 0 {
            let number = hashes[position].number
            if hashes[position].tag == tag, texts[Int(number)] == text.pointee {
                return (number, false)
            }
            position = (position + 1) & mask
        }
        let number = Int32(truncatingIfNeeded: texts.count)
        texts.append(text.pointee)
        hashes[position] = (tag, number)
        if texts.count * 2 > hashes.count { growHashes() }
        return (number, true)
    }

    private mutating func growSlots() {
        let old = slots
        slots = Self.slots(old.count * 4)
        let mask = slots.count - 1
        for slot in old where slot.number >= 0 {
            var position = ValueHash.hash(slot.words.0, slot.words.1) & mask
            while slots[position].number >= 0 { position = (position + 1) & mask }
            slots[position] = slot
        }
    }

    private mutating func growHashes() {
        hashes = ContiguousArray(repeating: (0, -1), count: hashes.count * 4)
        let mask = hashes.count - 1
        for (number, text) in texts.enumerated() {
            let hash = ValueHash.hash(text)
            var position = hash & mask
            while hashes[position].number >= 0 { position = (position + 1) & mask }
            hashes[position] = (
                UInt32(truncatingIfNeeded: hash >> 32), Int32(truncatingIfNeeded: number)
            )
        }
    }
}
