/// What a closure makes of other attributes of the same object.
///
/// What closures do cannot be compared, so all are equal: a description is that of the names.
@usableFromInline
struct DerivedComputation: Sendable, Hashable {
    /// Makes the value of a row; gets the blocks of the attributes, by their positions, and the row's offset in them.
    let make: @Sendable (_ block: (Int) -> UnsafeMutableRawPointer, _ offset: Int) -> Datum

    /// What a closure makes of attributes of these types.
    @usableFromInline
    static func making<each Source: AttributeValue, Value: AttributeValue>(
        _ body: @escaping @Sendable (repeat each Source) -> Value
    ) -> DerivedComputation {
        DerivedComputation { block, offset in
            var position = 0
            func next<Element: AttributeValue>(_ type: Element.Type) -> Element {
                defer { position += 1 }
                let block = block(position)
                return Element(
                    stored: block.elements(of: Element.Stored.self)[offset],
                    isValid: !Element.isOptional || block.isValid(at: offset))
            }
            return body(repeat next((each Source).self)).datum
        }
    }

    @usableFromInline
    static func == (left: DerivedComputation, right: DerivedComputation) -> Bool { true }

    @usableFromInline
    func hash(into hasher: inout Hasher) {}
}
