import Foundation

extension Int64 {
    /// Bits in the order of the numbers.
    var orderedBits: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }
}

extension Double {
    /// Bits in the order of the numbers: negative ones reversed, both zeros equal, and all that is
    /// not a number last.
    var orderedBits: UInt64 {
        if isNaN { return .max }
        let bits = (self == 0 ? 0 : self).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }
}

extension Decimal {
    /// How the number compares with another: negative if it comes first.
    func order(to other: Decimal) -> Int { self < other ? -1 : other < self ? 1 : 0 }
}

extension UUID {
    /// The first eight bytes, which are ordered like the beginning of the text.
    var orderedPrefix: UInt64 { withUnsafeBytes(of: uuid) { UInt64(prefixOf: $0) } }

    /// How the identifier compares with another, as their texts do: negative if it comes first.
    func order(to other: UUID) -> Int {
        withUnsafeBytes(of: uuid) { left in
            withUnsafeBytes(of: other.uuid) { right in
                for (a, b) in zip(left, right) where a != b { return a < b ? -1 : 1 }
                return 0
            }
        }
    }
}

extension Data {
    /// The first eight bytes.
    var orderedPrefix: UInt64 { withUnsafeBytes { UInt64(prefixOf: $0) } }

    /// How the bytes compare with others: negative if they come first.
    func order(to other: Data) -> Int {
        lexicographicallyPrecedes(other) ? -1 : self == other ? 0 : 1
    }
}

extension String {
    /// The first eight bytes of the form in which text is compared: UTF-8 of the canonically
    /// composed text.
    var orderedPrefix: UInt64 {
        let quick = utf8.withContiguousStorageIfAvailable { $0.canonicalPrefix } ?? nil
        return quick
            ?? Array(precomposedStringWithCanonicalMapping.utf8.prefix(8))
            .withUnsafeBytes { UInt64(prefixOf: $0) }
    }

    /// How the text compares with another: negative if it comes first.
    ///
    /// NB: The standard library's `<` contradicts itself where text is not composed: it has "éx" before
    /// "é" if the latter is written with a combining accent. An index needs one order.
    func canonicalOrder(to other: String) -> Int {
        let quick =
            utf8.withContiguousStorageIfAvailable { left in
                other.utf8.withContiguousStorageIfAvailable { left.canonicalOrder(to: $0) } ?? nil
            } ?? nil
        if let quick { return quick }
        if self == other { return 0 }
        let left = precomposedStringWithCanonicalMapping.utf8
        return left.lexicographicallyPrecedes(other.precomposedStringWithCanonicalMapping.utf8)
            ? -1 : 1
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The first eight bytes of UTF-8, or `nil` where composing the text might change them.
    ///
    /// Nothing below U+0300, the first combining mark, changes unless a mark follows, and only the
    /// lead bytes of what comes from there on are 0xCC or more.
    fileprivate var canonicalPrefix: UInt64? {
        var end = Swift.min(count, 8)
        for index in 0..<end where self[index] >= 0xcc { return nil }
        while end < count, self[end] & 0xc0 == 0x80 { end += 1 }
        if end < count, self[end] >= 0xcc { return nil }
        return UInt64(prefixOf: UnsafeRawBufferPointer(self))
    }

    /// How text in UTF-8 compares with another, or `nil` where composing might change what decides.
    ///
    /// What decides is the first character in which they differ. Composing leaves it alone where
    /// neither it nor the next is a combining mark or anything else from U+0300 on.
    fileprivate func canonicalOrder(to other: UnsafeBufferPointer<UInt8>) -> Int? {
        let shared = Swift.min(count, other.count)
        var index = 0
        while index < shared, self[index] == other[index] { index += 1 }
        if index == count, index == other.count { return 0 }
        while index > 0, isInside(index) || other.isInside(index) { index -= 1 }
        guard isPlain(from: index), other.isPlain(from: index) else { return nil }
        let (left, right) = (scalar(at: index), other.scalar(at: index))
        return left < right ? -1 : 1
    }

    /// Whether a position is after the first byte of a character.
    private func isInside(_ index: Int) -> Bool { index < count && self[index] & 0xc0 == 0x80 }

    /// Whether the character at a position and the next, if there are any, are below U+0300.
    private func isPlain(from index: Int) -> Bool {
        guard index < count else { return true }
        var next = index + 1
        while isInside(next) { next += 1 }
        return self[index] < 0xcc && (next >= count || self[next] < 0xcc)
    }

    /// The bytes of the character at a position, below U+0300, as a number; less than any at the end.
    private func scalar(at index: Int) -> Int {
        guard index < count else { return -1 }
        return isInside(index + 1) ? Int(self[index]) << 8 | Int(self[index + 1]) : Int(self[index])
    }
}

extension UInt64 {
    /// A number in the order of the bytes: the first eight, or fewer and zeros.
    fileprivate init(prefixOf bytes: UnsafeRawBufferPointer) {
        var number: UInt64 = 0
        for index in 0..<8 { number = number << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        self = number
    }
}
