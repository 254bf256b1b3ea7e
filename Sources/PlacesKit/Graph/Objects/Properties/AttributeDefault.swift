public import Foundation

/// What makes the value of an attribute of each new object: the expression after the attribute's `=`.
///
/// Whether it always makes the same cannot be known, so it is asked for each object. New rows hold the value that
/// it made for the prototype, so most often nothing has to be written.
@usableFromInline
final class AttributeDefault: Sendable {
    /// Makes the next value; returns whether it is another than the prototype's, and initialises the datum with it then.
    ///
    /// A class holds it, and the value comes back beside the answer, since every new object asks for every
    /// default: that way nothing is counted or copied.
    let make: Making

    @usableFromInline
    typealias Making = @Sendable (UnsafeMutablePointer<Datum>) -> Bool

    /// What makes a default, and what it made for the prototype.
    @inlinable @inline(__always)
    static func making<Value: AttributeValue>(
        _ make: @escaping @Sendable () -> Value, initial: Value
    ) -> AttributeDefault {
        // Bytes may lie in files, and an encoded value takes long to make again.
        if Value.Stored.self == Data.self || Value.attributeType == .json {
            return AttributeDefault { datum in
                let value = make()
                if value == initial { return false }
                datum.initialize(to: value.datum)
                return true
            }
        }
        let held = initial.storedIfAny
        return AttributeDefault { datum in
            let value = make()
            if value.storedIfAny == held { return false }
            datum.initialize(to: value.datum)
            return true
        }
    }

    @usableFromInline
    init(_ make: @escaping Making) { self.make = make }

    /// The next value, if it is another than what was made for the prototype.
    var next: Datum? {
        withUnsafeTemporaryAllocation(of: Datum.self, capacity: 1) { buffer in
            let datum = buffer.baseAddress.unsafelyUnwrapped
            return make(datum) ? datum.move() : nil
        }
    }
}
