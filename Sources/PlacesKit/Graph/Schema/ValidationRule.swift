/// A condition that each saved value of an attribute must satisfy.
///
/// A save checks it for objects that were inserted or changed. `nil` satisfies every rule.
public enum ValidationRule: Sendable, Hashable {
    /// A range for the number of characters of text, or bytes of data; `nil` is no bound.
    case length(minimum: Int?, maximum: Int?)
    /// A range for the value; `nil` is no bound.
    case range(minimum: Datum?, maximum: Datum?, excludesMaximum: Bool = false)
    /// A regular expression that the whole text must match.
    case pattern(String)
}

extension ValidationRule: CustomStringConvertible {
    /// The condition, as the end of a sentence after "must".
    public var description: String {
        switch self {
        case .length(let minimum, let maximum):
            switch (minimum, maximum) {
            case (let minimum?, let maximum?) where minimum == maximum:
                "have a length of \(minimum)"
            case (let minimum?, let maximum?): "have a length of \(minimum) to \(maximum)"
            case (let minimum?, nil): "have a length of at least \(minimum)"
            case (nil, let maximum?): "have a length of at most \(maximum)"
            case (nil, nil): "have any length"
            }
        case .range(let minimum, let maximum, let excludesMaximum):
            switch (minimum?.exactDescription, maximum?.exactDescription) {
            case (let minimum?, let maximum?):
                excludesMaximum
                    ? "be at least \(minimum) and less than \(maximum)"
                    : "be from \(minimum) to \(maximum)"
            case (let minimum?, nil): "be at least \(minimum)"
            case (nil, let maximum?): "be \(excludesMaximum ? "less than" : "at most") \(maximum)"
            case (nil, nil): "be anything"
            }
        case .pattern(let pattern): "match the regular expression \(pattern)"
        }
    }
}
