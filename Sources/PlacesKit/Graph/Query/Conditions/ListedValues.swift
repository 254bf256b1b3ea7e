/// Values in which others are looked up: one is among them where it equals one of them as `ComparisonOperator` has it,
/// which says that numbers of different kinds may be equal.
struct ListedValues: Sendable {
    /// What is no number, and equals only what is the same.
    private var others: Set<Datum> = []
    /// The numbers by what they are as a `Double`: what is equal comes to the same one, but for decimals.
    private var numbers: [Double: [Datum]] = [:]
    /// Decimals, whose digits say more.
    private var decimals: [Datum] = []

    init(_ values: [Datum]) {
        for value in values {
            switch (value, value.number) {
            case (.decimal, _): decimals.append(value)
            case (_, let number?):
                // What is not a number equals nothing, and would be another key each time.
                if !number.isNaN { numbers[number, default: []].append(value) }
            case (_, nil): others.insert(value)
            }
        }
    }

    /// Whether a value equals one of them.
    ///
    /// - Complexity: O(1) on average where neither the value nor those of the list are decimals, otherwise O(n).
    func contains(_ value: Datum) -> Bool {
        guard let number = value.number else { return others.contains(value) }
        func isEqual(_ other: Datum) -> Bool { ComparisonOperator.equal.holds(value, other) }
        if decimals.contains(where: isEqual) { return true }
        if case .decimal = value { return numbers.values.contains { $0.contains(where: isEqual) } }
        return numbers[number]?.contains(where: isEqual) ?? false
    }
}
