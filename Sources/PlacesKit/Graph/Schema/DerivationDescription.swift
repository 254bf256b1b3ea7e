/// How the value of a derived attribute follows from the members of a to-many relationship.
public struct DerivationDescription: Sendable, Hashable {
    /// What is made of the members.
    public enum Function: String, Sendable, Codable, CaseIterable, BitwiseCopyable {
        /// How many there are.
        case count
        /// Whether there is one.
        case any
        /// The sum of an attribute.
        case sum
        /// The least value of an attribute.
        case minimum
        /// The greatest value of an attribute.
        case maximum
        /// How many different values a property has.
        case countDistinct
    }

    /// What is made of the members.
    public var function: Function
    /// The name of the to-many relationship.
    public var relationship: String
    /// The name of the members' attribute, or to-one relationship, that the function reads.
    public var property: String?
    /// The name of the members' truth value that says which of them count; `nil` for all.
    public var condition: String?

    /// Describes a derivation.
    package init(
        _ function: Function, of relationship: String, property: String? = nil,
        where condition: String? = nil
    ) {
        self.function = function
        self.relationship = relationship
        self.property = property
        self.condition = condition
    }

    /// What is derived from no members.
    var neutral: Datum? {
        switch function {
        case .count, .countDistinct: .integer(0)
        case .any: .boolean(false)
        case .sum, .minimum, .maximum: nil
        }
    }
}
