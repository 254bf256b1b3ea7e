/// What makes the value of an attribute of each new object: the expression after the attribute's `=`.
///
/// Whether it always makes the same cannot be known, so it is asked for each object. New rows hold the value that
/// it made for the prototype, so most often nothing has to be written.
@usableFromInline
struct AttributeDefault: @unchecked Sendable {
    // NB: Not `Sendable` by its type: the initialiser of a property captures nothing of any object, and runs on
    // whichever thread makes one.
    /// The next value, or `nil` where it is the one that new rows hold.
    let next: () -> Datum?

    @inlinable
    init<Value: AttributeValue>(_ make: @escaping () -> Value, initial: Value) {
        self.init {
            let value = make()
            return value == initial ? nil : value.datum
        }
    }

    @usableFromInline
    init(_ next: @escaping () -> Datum?) { self.next = next }
}
