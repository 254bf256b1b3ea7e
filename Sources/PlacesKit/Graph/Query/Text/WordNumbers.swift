/// Numbers for words, in the order in which they first come: a hash table with open addressing.
struct WordNumbers {
    private struct Slot: BitwiseCopyable {
        var word: UInt64
        /// Negative where the slot is free.
        var number: Int32
    }

    private var slots: ContiguousArray<Slot>
    private var count: Int32 = 0

    init() { slots = ContiguousArray(repeating: Slot(word: 0, number: -1), count: 1 << 8) }

    /// The number of a word, and whether the word is new.
    @inline(__always)
    mutating func number(of word: UInt64) -> (number: Int32, isNew: Bool) {
        let mask = slots.count &- 1
        var position = ValueHash.hash(word) & mask
        while slots[position].number >= 0 {
            if slots[position].word == word { return (slots[position].number, false) }
            position = (position &+ 1) & mask
        }
        slots[position] = Slot(word: word, number: count)
        count &+= 1
        if Int(count) &* 2 > slots.count { grow() }
        return (count &- 1, true)
    }

    @inline(never)
    private mutating func grow() {
        let old = slots
        slots = ContiguousArray(repeating: Slot(word: 0, number: -1), count: old.count * 4)
        let mask = slots.count - 1
        for slot in old where slot.number >= 0 {
            var position = ValueHash.hash(slot.word) & mask
            while slots[position].number >= 0 { position = (position + 1) & mask }
            slots[position] = slot
        }
    }
}
