extension Condition {
    /// Every one of some conditions, in as few words as it takes.
    ///
    /// What is opaque in one of them asks the whole predicate, so that once is enough.
    static func every(_ conditions: [Condition]) -> Condition {
        var parts: [Condition] = []
        for condition in conditions {
            switch condition {
            case .constant(true): continue
            case .constant(false): return condition
            case .all(let inner): parts += inner
            default: parts.append(condition)
            }
        }
        if let first = parts.firstIndex(where: \.isOpaque) {
            let opaque = parts[first]
            parts.removeAll { if case .opaque = $0 { true } else { false } }
            parts.append(opaque)
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .constant(true) : .all(parts)
    }

    /// At least one of some conditions, in as few words as it takes.
    static func some(_ conditions: [Condition]) -> Condition {
        var parts: [Condition] = []
        for condition in conditions {
            switch condition {
            case .constant(false): continue
            case .constant(true): return condition
            case .any(let inner): parts += inner
            default: parts.append(condition)
            }
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .constant(false) : .any(parts)
    }

    /// The opposite, in as few words as it takes.
    ///
    /// The opposite of less is not greater or equal: nothing compares with `nil` and `nan`.
    var negated: Condition {
        switch self {
        case .constant(let answer): .constant(!answer)
        case .not(let condition): condition
        case .comparison(let left, .equal, let right): .comparison(left, .notEqual, right)
        case .comparison(let left, .notEqual, let right): .comparison(left, .equal, right)
        default: .not(self)
        }
    }

    /// Whether two conditions have the same answer.
    ///
    /// They are written twice, so that they are found by sets, indexes and joins. Long ones stand there once and are asked
    /// row by row, or conditions on the answers of such conditions would double at each level.
    static func same(_ left: Condition, _ right: Condition) -> Condition {
        guard left.size(upTo: writtenTwice) + right.size(upTo: writtenTwice) <= writtenTwice else {
            return .comparing(
                .truth(isNil: .constant(false), left), .equal,
                .truth(isNil: .constant(false), right))
        }
        return .some([.every([left, right]), .every([left.negated, right.negated])])
    }

    /// How many parts conditions or operands may have together that are written more than once: those of some sixty
    /// comparisons.
    static let writtenTwice = 200
}
