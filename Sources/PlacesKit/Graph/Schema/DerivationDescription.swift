/// How PlacesKit computes a derived attribute from the members of a to-many relationship, or from the
/// object at the end of a chain of to-one relationships.
public struct DerivationDescription: Sendable, Hashable {
    /// A function of the members.
    public enum Function: String, Sendable, Codable, CaseIterable, BitwiseCopyable {
        /// The number of members.
        case count
        /// Whether there is a member.
        case any
        /// The sum of an attribute.
        case sum
        /// The least value of an attribute.
        case minimum
        /// The greatest value of an attribute.
        case maximum
        /// The number of different values of a property.
        case countDistinct
        /// The value of an attribute at the end of a chain of to-one relationships.
        case value
    }

    /// The function of the members.
    public var function: Function
    /// The name of the to-many relationship; for a value, the names of the to-one relationships that lead
    /// to it, joined by dots.
    public var relationship: String
    /// The name of the members' attribute, or to-one relationship, that the function reads.
    public var property: String?
    /// The name of a Boolean attribute that selects the members; `nil` for all members.
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

    /// The names of the relationships that lead to what is read.
    var path: [String] {
        guard function == .value else { return [relationship] }
        return relationship.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// What is derived from no members.
    var neutral: Datum? {
        switch function {
        case .count, .countDistinct: .integer(0)
        case .any: .boolean(false)
        case .sum, .minimum, .maximum, .value: nil
        }
    }
}
