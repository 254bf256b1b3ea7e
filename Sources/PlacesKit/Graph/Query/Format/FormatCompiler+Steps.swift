extension FormatCompiler {
    /// What steps behind a value that is no key path lead to.
    mutating func operand(
        _ steps: ArraySlice<FormatStep>, behind base: FormatNode
    ) throws(PredicateFormatError) -> FormatOperand {
        if let elements = try elements(of: base) {
            return try operand(steps, behind: elements, named: "this")
        }
        return try operand(steps, behind: operand(base), named: "this")
    }

    /// What steps behind a variable lead to, which was given a value.
    mutating func substituted(
        _ path: FormatPath, at column: Int
    ) throws(PredicateFormatError) -> FormatOperand {
        let start = FormatPath(variable: path.variable)
        let base = FormatNode(column: column, kind: .path(start))
        if !path.steps.isEmpty, let elements = try elements(of: base) {
            return try operand(path.steps[...], behind: elements, named: start.text)
        }
        let value = try value(ofVariable: path.variable ?? "", at: column)
        return try operand(
            path.steps[...], behind: operand(value, at: column), named: start.text)
    }

    /// An element of a list or their number, and what lies behind it.
    private func operand(
        _ steps: ArraySlice<FormatStep>, behind elements: [FormatOperand], named name: String
    ) throws(PredicateFormatError) -> FormatOperand {
        var rest = steps
        guard let step = rest.popFirst() else { return FormatOperand(constant: .null) }
        let result: FormatOperand
        switch step.kind {
        case .size, .aggregate("count"):
            result = FormatOperand(constant: .integer(Int64(elements.count)))
        case .index(let index):
            let position = index < 0 ? elements.count + index : index
            // A relationship has no member there either.
            result =
                elements.indices.contains(position)
                ? elements[position] : FormatOperand(constant: .null)
        case .aggregate(let function):
            throw problem(.unsupported("@\(function) of a list"), at: step.column)
        case .key(let key):
            throw problem(.propertyOfValue(key, value: name), at: step.column)
        }
        return try operand(rest, behind: result, named: name + step.text)
    }

    /// What lies behind one value: its length, if it has one.
    private func operand(
        _ steps: ArraySlice<FormatStep>, behind value: FormatOperand, named name: String
    ) throws(PredicateFormatError) -> FormatOperand {
        var rest = steps
        guard let step = rest.popFirst() else { return value }
        guard case .key(let key) = step.kind else {
            throw problem(.oneValue(name, operation: step.text), at: step.column)
        }
        guard step.isLength, value.type.hasLength || value.type == .null else {
            throw problem(.propertyOfValue(key, value: name), at: step.column)
        }
        return try operand(rest, behind: value.length, named: "\(name).\(key)")
    }
}

extension FormatStep {
    /// Whether the step asks how long text or data is.
    var isLength: Bool { kind == .key("length") }

    /// The step as a person would write it alone.
    var text: String { FormatPath(steps: [self]).text }
}
