extension Equatable {
    /// Whether a value does not equal itself, as NaN does not.
    var isNotANumber: Bool { self != self }
}
