public import Foundation

/// What makes the value of an attribute of each new object: the expression after the attribute's `=`.
///
/// Whether it always makes the same cannot be known, so it is asked for each object. New rows hold the value that
/// it made for the prototype, so most often nothing has to be written.
@usableFromInline
final class AttributeDefault: @unchecked Sendable {
    // NB: Not `Sendable` by its type: the initialiser of a property captures nothing of any object, and runs on
    // whichever thread makes one.
    /// Makes the next value; returns whether it is another than a new row holds in a column, and initialises the datum
    /// with it then.
    ///
    /// A class holds it, and the value comes back beside the answer, since every new object asks for every
    /// default: that way nothing is counted or copied.
    private let make: Making

    @usableFromInline
    typealias Making = (
        UnsafeMutablePointer<TableAccess>, Row, Slot, UnsafeMutablePointer<Datum>
    ) -> Bool

    /// What makes a default, and what it made for the prototype.
    ///
    /// Inlined, so that the two functions become one that captures nothing.
    @inlinable @inline(__always)
    static func making<Value: AttributeValue>(
        _ make: @escaping () -> Value, initial: Value
    ) -> AttributeDefault {
        // Bytes may lie in files, and an encoded value takes long to make again.
        if Value.Stored.self == Data.self || Value.attributeType == .json {
            return AttributeDefault { _, _, _, datum in
                let value = make()
                if value == initial { return false }
                datum.initialize(to: value.datum)
                return true
            }
        }
        // The value is compared where it lies, not with a copy of it.
        return AttributeDefault { access, row, slot, datum in
            let value = make()
            let stored = value.storedIfAny
            // What made the value may have written other objects, and even saved: the row lies where it lies now.
            let block = access.pointee.columns[slot.index][row.chunk]
            let offset = row.offset
            let isValid = block.isValid(at: offset)
            if let stored {
                if isValid, block.elements(of: Value.Stored.self)[offset] == stored { return false }
            } else if !isValid {
                return false
            }
            datum.initialize(to: value.datum)
            return true
        }
    }

    @usableFromInline
    init(_ make: @escaping Making) { self.make = make }

    /// Gives a row, which holds what was made for the prototype, the next value.
    @inline(__always)
    func write(to row: Row, _ slot: Slot, in table: TableNumber, of transaction: Transaction) {
        let access = transaction.access + table.index
        withUnsafeTemporaryAllocation(of: Datum.self, capacity: 1) { buffer in
            let datum = buffer.baseAddress.unsafelyUnwrapped
            guard make(access, row, slot, datum) else { return }
            let value = datum.move()
            // What made the value may have rolled back the insert.
            guard transaction.contains(row, in: table) else { return }
            transaction.write(value, row, slot, in: table)
        }
    }
}
