/// The members of an object that is asked for many of them, found by their names in O(1).
///
/// A photo of a list has sixty members and is asked for fifty, some of which it lacks.
final class LenientMembers: Sendable {
    /// Open addressing: the indexes of keys in the document, or -1.
    private let slots: [Int32]

    init(of object: Int, in document: LenientDocument) {
        let tokens = document.tokens
        let end = Int(tokens[object].next)
        var capacity = 16
        // Every member takes two tokens at least.
        while capacity < end - object { capacity *= 2 }
        var slots = [Int32](repeating: -1, count: capacity)
        document.bytes.withUnsafeBytes { bytes in
            var index = object + 1
            while index < end {
                let token = tokens[index]
                let name = UnsafeRawBufferPointer(
                    rebasing: bytes[Int(token.start)..<Int(token.end)])
                var slot = Self.hash(name) & (capacity - 1)
                while slots[slot] >= 0 { slot = (slot + 1) & (capacity - 1) }
                slots[slot] = Int32(truncatingIfNeeded: index)
                index = Int(tokens[index + 1].next)
            }
        }
        self.slots = slots
    }

    /// The index of the value of a member, the first of its name; nil if there is none.
    func member(_ key: StaticString, in document: LenientDocument) -> Int? {
        let name = UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        var slot = Self.hash(name) & (slots.count - 1)
        return document.bytes.withUnsafeBytes { bytes in
            while slots[slot] >= 0 {
                let index = Int(slots[slot])
                if LenientDocument.isKey(document.tokens[index], key, in: bytes) {
                    return index + 1
                }
                slot = (slot + 1) & (slots.count - 1)
            }
            return nil
        }
    }

    /// Tells names apart by their lengths and ends, as those of services differ there.
    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        guard let first = name.first, let last = name.last else { return 0 }
        let middle = name[name.count / 2]
        let beforeLast = name[max(0, name.count - 2)]
        let mixed =
            UInt32(first) &* 0x9E37 ^ UInt32(middle) &* 0x79B9 ^ UInt32(beforeLast) &* 0x7F4B
            ^ UInt32(last) &* 0x1657 ^ UInt32(truncatingIfNeeded: name.count) &* 0x2545
        return Int(mixed ^ mixed >> 9)
    }
}
