/// Numbers for texts by how they lie in memory, in the order in which they first come.
///
/// Two texts whose representations are the same are the same text: short ones lie in the representation
/// itself, and long ones that were copied share their storage. To tell so takes neither their bytes nor a
/// count of references. Texts that are the same may still have two numbers.
struct RepresentationNumbers {
    typealias Words = (UInt64, UInt64)

    private struct Slot: BitwiseCopyable {
        var words: Words
        /// Negative where the slot is free.
        var number: Int32
    }

    /// Whether a text is represented by two words, as on every platform of 64 bits.
    static var isPossible: Bool { MemoryLayout<String>.size == MemoryLayout<Words>.size }

    private var slots = Self.slots(1 << 10)
    private var count: Int32 = 0

    private static func slots(_ count: Int) -> ContiguousArray<Slot> {
        ContiguousArray(repeating: Slot(words: (0, 0), number: -1), count: count)
    }

    /// The number of the text at an address, and whether its representation is new.
    @inline(__always)
    mutating func number(of text: UnsafePointer<String>) -> (number: Int32, isNew: Bool) {
        let words = UnsafeRawPointer(text).loadUnaligned(as: Words.self)
        let mask = slots.count &- 1
        var position = ValueHash.hash(words.0, words.1) & mask
        while case let slot = slots[position], slot.number >= 0 {
            if slot.words == words { return (slot.number, false) }
            position = (position &+ 1) & mask
        }
        slots[position] = Slot(words: words, number: count)
        count &+= 1
        if Int(count) &* 2 > slots.count { grow() }
        return (count &- 1, true)
    }

    @inline(never)
    private mutating func grow() {
        let old = slots
        slots = Self.slots(old.count * 2)
        let mask = slots.count - 1
        for slot in old where slot.number >= 0 {
            var position = ValueHash.hash(slot.words.0, slot.words.1) & mask
            while slots[position].number >= 0 { position = (position + 1) & mask }
            slots[position] = slot
        }
    }
}
