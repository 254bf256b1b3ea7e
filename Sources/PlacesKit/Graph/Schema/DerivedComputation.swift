/// What a closure makes of other attributes of the same object.
///
/// What closures do cannot be compared, so all are equal: a description is that of the names.
@usableFromInline
struct DerivedComputation: Sendable, Hashable {
    /// Makes the value of a row; gets the blocks of the attributes, by their positions, and the row's offset in them.
    let make: @Sendable (_ block: (Int) -> UnsafeMutableRawPointer, _ offset: Int) -> Datum
    /// Lets what the closure makes of blanks be what attributes of its type read as that hold no value of the type, unless
    /// another value is known.
    let rememberFallback: @Sendable () -> Void

    @usableFromInline
    static func == (left: DerivedComputation, right: DerivedComputation) -> Bool { true }

    @usableFromInline
    func hash(into hasher: inout Hasher) {}
}
