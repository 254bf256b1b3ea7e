import Foundation

extension ValidationRule {
    /// The rule with its bounds as values of an attribute's type; `nil` where it is not for the type
    /// or allows nothing.
    func fitted(to type: AttributeType) -> ValidationRule? {
        switch self {
        case .length(let minimum, let maximum):
            guard [.string, .url, .data].contains(type), minimum != nil || maximum != nil,
                maximum ?? 0 >= 0, minimum ?? 0 <= maximum ?? .max
            else { return nil }
            return self
        case .range(let minimum, let maximum, let excludesMaximum):
            let bounds = [minimum, maximum].compactMap(\.self)
            guard !bounds.isEmpty, bounds.allSatisfy({ $0.converted(to: type) != nil }) else {
                return nil
            }
            return .range(
                minimum: minimum?.converted(to: type), maximum: maximum?.converted(to: type),
                excludesMaximum: excludesMaximum)
        case .pattern(let pattern):
            guard [.string, .url].contains(type), (try? Regex(pattern)) != nil else { return nil }
            return self
        }
    }

    /// Whether a value of a length satisfies the rule, where it is of lengths.
    func allows(length: Int) -> Bool {
        guard case .length(let minimum, let maximum) = self else { return false }
        return length >= minimum ?? 0 && length <= maximum ?? .max
    }

    /// Tells of a value whether it satisfies the rule; made once for many values.
    ///
    /// Where there is an order of one's own, a range compares by that.
    func check(by order: OwnOrder?) -> (Datum) -> Bool {
        switch self {
        case .length:
            return { value in
                switch value {
                case .string(let text): allows(length: text.count)
                case .data(let data): allows(length: data.count)
                default: true
                }
            }
        case .range(let minimum, let maximum, let excludesMaximum) where order != nil:
            return { value in
                if case .double(let number) = value, number.isNaN { return false }
                let (lower, upper) = (
                    minimum.flatMap { order?.compare(value, $0) },
                    maximum.flatMap { order?.compare(value, $0) }
                )
                return lower != .orderedAscending && upper != .orderedDescending
                    && !(excludesMaximum && upper == .orderedSame)
            }
        case .range(let minimum, let maximum, let excludesMaximum):
            let upper: ComparisonOperator = excludesMaximum ? .less : .lessOrEqual
            return { value in
                (minimum.map { ComparisonOperator.greaterOrEqual.holds(value, $0) } ?? true)
                    && (maximum.map { upper.holds(value, $0) } ?? true)
            }
        case .pattern(let pattern):
            guard let regex = try? Regex(pattern) else { return { _ in true } }
            return { value in
                guard case .string(let text) = value else { return true }
                return (try? regex.wholeMatch(in: text)) != nil
            }
        }
    }
}

extension Datum {
    /// A bound as a value of a type: a literal of an integer may bound any number.
    fileprivate func converted(to type: AttributeType) -> Datum? {
        switch (self, type) {
        case (.integer(let value), _) where type.integerRange != nil:
            // A bound beyond the type's own is as good as those.
            return type == .boolean ? nil : .integer(value)
        case (.integer(let value), .uint64): return UInt64(exactly: value).map(Datum.unsigned)
        case (.integer(let value), .decimal): return .decimal(Decimal(value))
        case (.integer(let value), .double): return .double(Double(value))
        case (.integer(let value), .float): return .double(Double(Float(value)))
        case (.double(let value), .double): return value.isNaN ? nil : .double(value)
        case (.double(let value), .float): return value.isNaN ? nil : .double(Double(Float(value)))
        case (.double(let value), .decimal):
            return Decimal(string: value.description).map(Datum.decimal)
        case (.unsigned, .uint64), (.decimal, .decimal), (.date, .date), (.string, .string):
            return self
        default: return nil
        }
    }
}
