/// How PlacesKit computes a derived attribute from the members of a to-many relationship, from the
/// object at the end of a chain of to-one relationships, or from other attributes of the object.
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
        /// What a closure of the class makes of other attributes of the object.
        case computed
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
    /// The names of the object's own attributes that a closure gets.
    public var sources: [String] = []
    /// The closure.
    var computation: DerivedComputation?

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
        switch function {
        case .computed: []
        case .value:
            relationship.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        default: [relationship]
        }
    }

    /// The names of what is read in the objects to which the path leads.
    var properties: [String] { [property, condition].compactMap(\.self) + sources }

    /// What is derived from no members.
    var neutral: Datum? {
        switch function {
        case .count, .countDistinct: .integer(0)
        case .any: .boolean(false)
        case .sum, .minimum, .maximum, .value, .computed: nil
        }
    }
}
