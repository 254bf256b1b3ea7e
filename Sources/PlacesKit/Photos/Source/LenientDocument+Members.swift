import PlacesBase

extension LenientDocument {
    /// The index of the value of an object's first member with a name; nil if there is none.
    ///
    /// - Complexity: O(1) on average if the object has an index, else O(*n*) in its members.
    func member(_ key: StaticString, of object: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            tokens.withUnsafeBufferPointer { tokens in
                let token = tokens[object]
                guard token.end > token.start else {
                    return Self.search(key, from: object + 1, to: Int(token.next), tokens, bytes)
                }
                return slots.withUnsafeBufferPointer { slots in
                    let slots = UnsafeBufferPointer(
                        rebasing: slots[Int(token.start)..<Int(token.end)])
                    let name = UnsafeRawBufferPointer(
                        start: key.utf8Start, count: key.utf8CodeUnitCount)
                    var slot = Self.hash(name) & (slots.count - 1)
                    while slots[slot] != 0 {
                        let index = object + Int(slots[slot])
                        if Self.isKey(tokens[index], name, in: bytes) { return index + 1 }
                        slot = (slot + 1) & (slots.count - 1)
                    }
                    return nil
                }
            }
        }
    }

    private static func search(
        _ key: StaticString, from start: Int, to end: Int, _ tokens: UnsafeBufferPointer<Token>,
        _ bytes: UnsafeRawBufferPointer
    ) -> Int? {
        let name = UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        var index = start
        while index < end {
            if isKey(tokens[index], name, in: bytes) { return index + 1 }
            index = Int(tokens[index + 1].next)
        }
        return nil
    }

    /// Whether a key is spelled like this, without escapes.
    @inline(__always)
    private static func isKey(
        _ token: Token, _ name: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer
    ) -> Bool {
        guard Int(token.end - token.start) == name.count, token.kind == .plainString else {
            return false
        }
        return JSONScan.matches(name, in: bytes, at: Int(token.start))
    }

    /// A hash of a name's length and a few of its bytes, in which the names of services differ.
    @inline(__always)
    static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        guard let first = name.first, let last = name.last else { return 0 }
        let middle = name[name.count / 2]
        let beforeLast = name[max(0, name.count - 2)]
        let mixed =
            UInt32(first) &* 0x9E37 ^ UInt32(middle) &* 0x79B9 ^ UInt32(beforeLast) &* 0x7F4B
            ^ UInt32(last) &* 0x1657 ^ UInt32(truncatingIfNeeded: name.count) &* 0x2545
        return Int(mixed ^ mixed >> 9)
    }
}
