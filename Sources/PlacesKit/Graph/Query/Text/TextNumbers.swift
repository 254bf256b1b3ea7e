/// Numbers for texts, in the order in which they first come; canonically equivalent texts have one.
///
/// The texts themselves stay where they are: whoever uses this keeps them.
struct TextNumbers {
    private struct Slot: BitwiseCopyable {
        /// A part of the hash.
        var tag: UInt32
        /// Negative where the slot is free.
        var number: Int32
    }

    private var slots: ContiguousArray<Slot>
    private var texts: ContiguousArray<UnsafePointer<String>> = []
    private var hashes: ContiguousArray<Int> = []

    init() { slots = Self.slots(1 << 10) }

    private static func slots(_ count: Int) -> ContiguousArray<Slot> {
        ContiguousArray(repeating: Slot(tag: 0, number: -1), count: count)
    }

    /// The number of the text at an address, and whether the text is new.
    @inline(__always)
    mutating func number(of text: UnsafePointer<String>) -> (number: Int32, isNew: Bool) {
        let hash = ValueHash.hash(text.pointee)
        let tag = UInt32(truncatingIfNeeded: hash >> 32)
        let mask = slots.count &- 1
        var position = hash & mask
        while case let slot = slots[position], slot.number >= 0 {
            if slot.tag == tag, texts[Int(slot.number)].pointee == text.pointee {
                return (slot.number, false)
            }
            position = (position &+ 1) & mask
        }
        let number = Int32(truncatingIfNeeded: texts.count)
        texts.append(text)
        hashes.append(hash)
        slots[position] = Slot(tag: tag, number: number)
        if texts.count &* 2 > slots.count { grow() }
        return (number, true)
    }

    @inline(never)
    private mutating func grow() {
        slots = Self.slots(slots.count * 4)
        let mask = slots.count - 1
        for (number, hash) in hashes.enumerated() {
            var position = hash & mask
            while slots[position].number >= 0 { position = (position + 1) & mask }
            slots[position] = Slot(
                tag: UInt32(truncatingIfNeeded: hash >> 32),
                number: Int32(truncatingIfNeeded: number))
        }
    }
}
