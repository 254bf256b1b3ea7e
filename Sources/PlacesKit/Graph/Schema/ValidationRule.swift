/// What a value of an attribute must be like.
///
/// It is checked for objects that were inserted or changed, when they are saved. No value satisfies
/// every rule.
public enum ValidationRule: Sendable, Hashable {
    /// Text has so many characters, or data so many bytes; `nil` is no bound.
    case length(minimum: Int?, maximum: Int?)
    /// The value lies between two bounds; `nil` is no bound.
    case range(minimum: Datum?, maximum: Datum?, excludesMaximum: Bool = false)
    /// The whole text matches a regular expression.
    case pattern(String)
}

extension ValidationRule: CustomStringConvertible {
    /// What the value must be, as a sentence goes on after "must".
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
            switch (minimum, maximum) {
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
