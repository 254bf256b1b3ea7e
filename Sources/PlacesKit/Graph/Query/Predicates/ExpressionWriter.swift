import Foundation

/// Writes expressions of predicates as a person would, to say what was not compiled.
struct ExpressionWriter {
    let resolver: any KeyPathResolver
    let layout: GraphLayout
    /// What the variables of optional chains are called; all others are `$0`.
    private var names: [PredicateExpressions.VariableID: String] = [:]

    init(resolver: any KeyPathResolver, layout: GraphLayout) {
        self.resolver = resolver
        self.layout = layout
    }

    func text(_ expression: any PredicateExpression) -> String {
        expression.text(self) ?? "…"
    }

    /// Two expressions with an operator between them.
    func text(
        _ left: any PredicateExpression, _ operation: String, _ right: any PredicateExpression
    ) -> String {
        "\(operand(left)) \(operation) \(operand(right))"
    }

    /// An expression, in parentheses where it has more than one word.
    func operand(_ expression: any PredicateExpression) -> String {
        let text = text(expression)
        return text.contains(" ") && !text.hasSuffix(")") && !text.hasPrefix("\"")
            ? "(\(text))" : text
    }

    /// A call with a closure.
    func call(
        _ base: any PredicateExpression, _ name: String, _ body: any PredicateExpression
    ) -> String {
        call(operand(base), name, text(body))
    }

    private func call(_ base: String, _ name: String, _ body: String) -> String {
        "\(base).\(name) { \(body) }"
    }

    func name(of variable: PredicateExpressions.VariableID) -> String { names[variable] ?? "$0" }

    /// What an optional chain says, or `flatMap`.
    func chain(
        _ wrapped: any PredicateExpression, _ variable: PredicateExpressions.VariableID,
        _ transform: any PredicateExpression
    ) -> String {
        var inner = self
        // Written once: chains lie in each other.
        let base = operand(wrapped)
        inner.names[variable] = base + "?"
        let chain = inner.text(transform)
        return chain.hasPrefix(base + "?.") ? chain : call(base, "flatMap", text(transform))
    }

    /// A value, cut where it is long.
    func text(constant value: Any) -> String {
        switch value {
        case let text as String:
            text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
        case let list as any Collection: "[\(list.count) values]"
        case let value as any AttributeValue where isNil(value): "nil"
        case is Date: String(carefullyDescribing: value)
        case is any Numeric, is Bool, is UUID, is URL: "\(value)"
        default: "a value of type \(type(of: value))"
        }
    }

    // MARK: - Key paths

    /// The names of the properties of a key path, as far as they are known.
    func text(_ keyPath: AnyKeyPath) -> String {
        let (root, value) = (type(of: keyPath).rootType, type(of: keyPath).valueType)
        if keyPath == \String.count { return "count" }
        if String.isEmptyKeyPaths.contains(keyPath) { return "isEmpty" }
        let members = root as? any CountedMembers.Type
        if keyPath == members?.countKeyPath { return "count" }
        if keyPath == members?.isEmptyKeyPath { return "isEmpty" }
        guard let entity = resolver.number(of: root), let resolved = resolver.resolve(keyPath)
        else {
            let kind = AttributeType.isJSON(value) ? "value of type" : "computed"
            return "(a \(kind) \(value))"
        }
        let table = layout.entities[entity].table
        func names(_ slots: [Slot]) -> [String] { layout.names(of: slots, from: table) }
        return switch resolved {
        case .property(let slots): names(slots).joined(separator: "?.")
        case .composite(let slots, _, _):
            String(names(slots).joined(separator: "?.").prefix { $0 != "." })
        case .count(let slots): (names(slots) + ["count"]).joined(separator: ".")
        case .identity(let slots): (names(slots) + ["objectID"]).joined(separator: "?.")
        }
    }

    private func isNil(_ value: some AttributeValue) -> Bool { value.datum == .null }
}
