/// Between which numbers the elements of a chunk lie, so that a query need not look at each.
final class ChunkStatistics: Sendable {
    private let all: NumberBounds
    private let valid: NumberBounds

    /// `nil` for columns that do not hold 64-bit integers or floating-point numbers.
    init?(of block: UnsafeMutableRawPointer, _ kind: ColumnKind) {
        switch kind {
        case .integer:
            let elements = block.elements(of: Int64.self)
            (all, valid) = Self.bounds(block) { elements[$0].orderedBits }
        case .double:
            let elements = block.elements(of: Double.self)
            (all, valid) = Self.bounds(block) {
                elements[$0].isNaN ? nil : elements[$0].orderedBits
            }
        case .boolean, .decimal, .string, .uuid, .data, .blob, .reference: return nil
        }
    }

    @inline(__always)
    private static func bounds(
        _ block: UnsafeMutableRawPointer, _ bits: (Int) -> UInt64?
    ) -> (all: NumberBounds, valid: NumberBounds) {
        var (all, valid) = (NumberBounds(), NumberBounds())
        for row in 0..<ChunkLayout.rows {
            let bits = bits(row)
            all.include(bits)
            if block.isValid(at: row) { valid.include(bits) }
        }
        return (all, valid)
    }

    /// The bounds of all elements, or of those that are values.
    func bounds(ofValues isValid: Bool) -> NumberBounds { isValid ? valid : all }
}

/// The least and the greatest of some numbers, as bits in their order.
struct NumberBounds: Sendable {
    private(set) var low = UInt64.max
    private(set) var high = UInt64.min
    /// Whether there is something that is not a number, which compares with nothing.
    private(set) var hasNaN = false

    /// Whether there is no number.
    var isEmpty: Bool { low > high }

    /// Counts a number, or what is not one.
    @inline(__always)
    mutating func include(_ bits: UInt64?) {
        guard let bits else {
            hasNaN = true
            return
        }
        low = min(low, bits)
        high = max(high, bits)
    }
}
