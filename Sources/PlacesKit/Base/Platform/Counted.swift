extension Int {
    /// The number and the noun, in the plural if need be.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
