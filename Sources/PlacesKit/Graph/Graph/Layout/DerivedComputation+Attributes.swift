extension DerivedComputation {
    /// What a closure makes of attributes of these types.
    @usableFromInline
    static func making<each Source: AttributeValue, Value: AttributeValue>(
        _ body: @escaping @Sendable (repeat each Source) -> Value
    ) -> DerivedComputation {
        DerivedComputation(
            make: { block, offset in
                var position = 0
                func next<Element: AttributeValue>(_ type: Element.Type) -> Element {
                    defer { position += 1 }
                    let block = block(position)
                    return Element(
                        stored: block.elements(of: Element.Stored.self)[offset],
                        isValid: !Element.isOptional || block.isValid(at: offset))
                }
                return body(repeat next((each Source).self)).datum
            },
            rememberFallback: {
                FallbackValues.remember(made: {
                    body(repeat (each Source)(stored: .unset, isValid: false))
                })
            })
    }
}
