extension Equatable {
    /// Whether a value does not equal itself, as NaN does not.
    var isNotANumber: Bool { self != self }

    /// Whether two values are equal, or both what does not equal itself.
    func isSame(as other: Self) -> Bool {
        self == other || isNotANumber && other.isNotANumber
    }
}
