extension FormatNode {
    /// Whether the part asks for the present time.
    var asksForNow: Bool {
        switch kind {
        case .now: true
        case .truth, .value, .path: false
        case .not(let inner), .negative(let inner), .subquery(_, variable: _, let inner),
            .steps(let inner, _):
            inner.asksForNow
        case .all(let parts), .any(let parts), .list(let parts), .function(_, let parts):
            parts.contains(where: \.asksForNow)
        case .comparison(let comparison):
            comparison.left.asksForNow || comparison.right.asksForNow
        case .arithmetic(let left, _, let right): left.asksForNow || right.asksForNow
        case .ternary(let test, let first, let second):
            [test, first, second].contains(where: \.asksForNow)
        }
    }
}
