public import Foundation

/// What makes the value of an attribute of each new object: the expression after the attribute's `=`.
///
/// Whether it always makes the same cannot be known, so it is asked for each object. New rows hold the value that
/// it made for the prototype, so most often nothing has to be written.
@usableFromInline
struct AttributeDefault: @unchecked Sendable {
    // NB: Not `Sendable` by its type: the initialiser of a property captures nothing of any object, and runs on
    // whichever thread makes one.
    /// The next value, or `nil` where it is the one that a new row holds in a block, at an offset.
    let next: (UnsafeMutableRawPointer, Int) -> Datum?

    /// What makes a default, and what it made for the prototype.
    @inlinable
    init<Value: AttributeValue>(_ make: @escaping () -> Value, initial: Value) {
        // Bytes may lie in files, and an encoded value takes long to make again.
        if Value.Stored.self == Data.self || Value.attributeType == .json {
            self.init { _, _ in
                let value = make()
                return value == initial ? nil : value.datum
            }
            return
        }
        // Captures nothing but a function: the value is compared where it lies, not with a copy of it.
        self.init { block, offset in
            let value = make()
            let isValid = block.isValid(at: offset)
            guard let stored = value.stored else { return isValid ? .null : nil }
            let isSame = isValid && block.elements(of: Value.Stored.self)[offset] == stored
            return isSame ? nil : value.datum
        }
    }

    @usableFromInline
    init(_ next: @escaping (UnsafeMutableRawPointer, Int) -> Datum?) { self.next = next }

    /// The next value, or `nil` where it is the one that a new row holds.
    func next(for row: Int32, _ slot: Int, in access: UnsafePointer<TableAccess>) -> Datum? {
        let block = access.pointee.columns[slot][Int(row) &>> ChunkLayout.shift]
        return next(block, Int(row) & ChunkLayout.mask)
    }
}
