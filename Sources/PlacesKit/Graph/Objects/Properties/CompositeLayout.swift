/// What a composite attribute consists of, for code that is not generic over its type.
struct CompositeLayout {
    let type: Any.Type
    /// Whether there may be none.
    let isOptional: Bool
    /// The key paths of the parts, in the order of their slots.
    let keyPaths: [AnyKeyPath]
    /// Which parts each value has, in that order.
    let areRequired: [Bool]
    /// The parts of a value of the type, or of no value, where they can be compared; `nil` for a value of another type.
    let data: (Any) -> [Datum]?
    /// Makes the parts that each value has, in that order, as `init()` does.
    let makeRequiredParts: () -> [Datum]

    init<Whole: CompositeAttribute>(_ type: Whole.Type, isOptional: Bool) {
        self.type = type
        self.isOptional = isOptional
        keyPaths = Whole.parts.map(\.keyPath)
        areRequired = Whole.parts.map { !$0.isOptional }
        data = { value in
            if isNil(value) { return Whole.parts.map { _ in .null } }
            return (value as? Whole).map { whole in
                Whole.parts.map { $0.isJSON ? .null : $0.datum(whole) }
            }
        }
        makeRequiredParts = {
            let whole = Whole()
            return Whole.parts.filter { !$0.isOptional }.map { $0.datum(whole) }
        }
    }

    /// How many parts there are.
    var count: Int { keyPaths.count }
}
