extension FormatParser {
    /// Reads the steps that follow the start of a key path.
    mutating func path(
        _ start: FormatPath, at column: Int
    ) throws(PredicateFormatError) -> FormatNode {
        var path = start
        if case .aggregate(let name) = token.kind, path.steps.isEmpty, path.variable == nil {
            path.steps.append(FormatStep(kind: .aggregate(name), column: token.column))
            advance()
        }
        try readSteps(into: &path, at: column)
        return try node(.path(path), at: column)
    }

    /// Reads the steps that follow a value, or a key path in parentheses.
    mutating func steps(
        behind base: FormatNode
    ) throws(PredicateFormatError) -> FormatNode {
        if case .path(var path) = base.kind {
            try readSteps(into: &path, at: base.column)
            return try node(.path(path), at: base.column)
        }
        var path = FormatPath()
        try readSteps(into: &path, at: base.column)
        if path.steps.isEmpty { return base }
        return try node(.steps(base, path.steps), at: base.column, over: [base])
    }

    private mutating func readSteps(
        into path: inout FormatPath, at column: Int
    ) throws(PredicateFormatError) {
        while true {
            // Each step may be a level of the condition.
            guard path.steps.count <= Self.limit else {
                throw problem(.tooDeep(limit: Self.limit), at: column)
            }
            if skip(.dot) {
                try appendKey(to: &path)
            } else if token.kind == .mark(.leftBracket), token.isAttached {
                try appendIndex(to: &path)
            } else {
                return
            }
        }
    }

    /// What stands for the values of all members, which the key behind it names anyway.
    ///
    /// That each is there only once makes no difference to what any, all or none of them are.
    private static let unions = ["unionOfObjects", "distinctUnionOfObjects"]

    private mutating func appendKey(to path: inout FormatPath) throws(PredicateFormatError) {
        let column = token.column
        switch token.kind {
        case .word(let name) where name.uppercased() == "SELF": break
        case .word(let name), .escapedWord(let name):
            try append(.key(name), to: &path, at: column)
        case .aggregate(let name): try append(.aggregate(name), to: &path, at: column)
        case .argument("K"): try appendKeys(keyArgument(), to: &path, at: column)
        case .variable(let name):
            throw unexpected(
                "$\(name)", expected: "%K, and the name of the property as an argument")
        default: throw expected("a property or a function like @count")
        }
        advance()
    }

    /// An index in brackets; a modifier of an operator never comes here, for it follows no path.
    private mutating func appendIndex(to path: inout FormatPath) throws(PredicateFormatError) {
        let column = token.column
        advance()
        let kind: FormatStep.Kind
        switch token.kind {
        case .word(let word) where word.uppercased() == "FIRST": kind = .index(0)
        case .word(let word) where word.uppercased() == "LAST": kind = .index(-1)
        case .word(let word) where word.uppercased() == "SIZE": kind = .size
        case .integer(let value):
            guard let index = Int32(exactly: value) else { throw expected("a smaller index") }
            kind = .index(Int(index))
        default: throw expected("an index, FIRST, LAST or SIZE")
        }
        advance()
        try require(.rightBracket)
        try append(kind, to: &path, at: column)
    }

    /// Appends the steps of a key path that an argument names.
    mutating func appendKeys(
        _ text: String, to path: inout FormatPath, at column: Int
    ) throws(PredicateFormatError) {
        for name in text.split(separator: ".", omittingEmptySubsequences: false) {
            if name.isEmpty || name == "@" {
                throw unexpected("\"\(text)\"", expected: "a key path for %K", at: column)
            }
            if name.uppercased() == "SELF" { continue }
            try append(
                name.hasPrefix("@") ? .aggregate(String(name.dropFirst())) : .key(String(name)),
                to: &path, at: column)
        }
    }

    /// Appends a step, of which a union only says that it stands there.
    ///
    /// What is counted, added up or numbered would be other values behind a union than those of each member.
    private func append(
        _ kind: FormatStep.Kind, to path: inout FormatPath, at column: Int
    ) throws(PredicateFormatError) {
        let step = FormatStep(kind: kind, column: column)
        if case .aggregate(let name) = kind, Self.unions.contains(name) {
            if let function = path.steps.first(where: \.isOfMany) {
                throw problem(.unsupported("@\(name) behind \(function.text)"), at: column)
            }
            path.union = name
            return
        }
        if let union = path.union, step.isOfMany {
            throw problem(.unsupported("\(step.text) behind @\(union)"), at: column)
        }
        path.steps.append(step)
    }
}
