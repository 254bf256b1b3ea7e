import PlacesBase

extension FormatParser {
    /// How tightly expressions are bound.
    enum Binding { case bits, sum, product, power }

    /// An expression; a predicate is an error.
    mutating func value(_ binding: Binding) throws(PredicateFormatError) -> FormatNode {
        let column = token.column
        let node = try expression(binding)
        guard !node.isPredicate else {
            throw unexpected("a predicate", expected: "a value", at: column)
        }
        return node
    }

    /// An expression, or a predicate in parentheses.
    mutating func expression(_ binding: Binding) throws(PredicateFormatError) -> FormatNode {
        switch binding {
        case .bits: try bits()
        case .sum: try chain([.plus: .plus, .minus: .minus], tighter: .product)
        case .product: try chain([.times: .times, .divided: .divided], tighter: .power)
        case .power: try power()
        }
    }

    private mutating func chain(
        _ operators: [FormatMark: ArithmeticOperator], tighter: Binding
    ) throws(PredicateFormatError) -> FormatNode {
        var left = try expression(tighter)
        while case .mark(let mark) = token.kind, let operation = operators[mark] {
            guard !left.isPredicate else { return left }
            advance()
            let right = try value(tighter)
            left = try node(
                .arithmetic(left, operation, right), at: left.column, over: [left, right])
        }
        return left
    }

    /// A sign, or a power: `-2 ** 2` is -4, and `2 ** 3 ** 2` is 512.
    private mutating func power() throws(PredicateFormatError) -> FormatNode {
        let column = token.column
        if skip(.minus) {
            let operand = try nestedValue(.power)
            return try node(.negative(operand), at: column, over: [operand])
        }
        if skip(.bitComplement) { return try complement(at: column) }
        let base = try operand()
        guard token.kind == .mark(.power), !base.isPredicate else { return base }
        advance()
        let exponent = try nestedValue(.power)
        return try node(.arithmetic(base, .power, exponent), at: column, over: [base, exponent])
    }

    private mutating func operand() throws(PredicateFormatError) -> FormatNode {
        let column = token.column
        switch token.kind {
        case .integer(let value): return try literal(.integer(value))
        case .unsigned(let value): return try literal(.unsigned(value))
        case .number(let value): return try literal(.double(value))
        case .string(let text): return try literal(.string(text))
        case .argument("K"):
            var start = FormatPath()
            try appendKeys(keyArgument(), to: &start, at: column)
            advance()
            return try path(start, at: column)
        case .argument("%"): throw expected("a value")
        case .argument(let letter):
            let value = try argument(letter)
            advance()
            return try steps(behind: node(.value(value), at: column))
        case .variable(let name):
            advance()
            return try path(FormatPath(variable: name, variableColumn: column), at: column)
        case .aggregate: return try path(FormatPath(), at: column)
        case .escapedWord(let name):
            advance()
            return try path(
                FormatPath(steps: [FormatStep(kind: .key(name), column: column)]), at: column)
        case .word: return try word()
        case .mark(.leftBrace): return try steps(behind: list())
        case .mark(.leftParenthesis):
            advance()
            var inner = try nested { parser throws(PredicateFormatError) in
                try parser.logic(level: .or)
            }
            try require(.rightParenthesis)
            inner.isGrouped = true
            return inner.isPredicate ? inner : try steps(behind: inner)
        case .mark, .end: throw expected("a key path, a value or (")
        }
    }

    private mutating func literal(_ datum: Datum) throws(PredicateFormatError) -> FormatNode {
        let column = token.column
        advance()
        return try steps(behind: node(.value(.datum(datum)), at: column))
    }

    private mutating func word() throws(PredicateFormatError) -> FormatNode {
        let column = token.column
        switch keyword {
        case .nilValue, .null: return try literal(.null)
        case .yes, .isTrue: return try literal(.boolean(true))
        case .no, .isFalse: return try literal(.boolean(false))
        case .isSelf:
            advance()
            return try path(FormatPath(), at: column)
        case .subquery: return try subquery()
        case nil: break
        case let reserved?:
            let name = reserved.rawValue.lowercased()
            throw expected("a key path, a value or (; write #\(name) for a property of that name")
        }
        guard case .word(let name) = token.kind else { throw expected("a key path") }
        advance()
        guard token.kind == .mark(.leftParenthesis) else {
            return try path(
                FormatPath(steps: [FormatStep(kind: .key(name), column: column)]), at: column)
        }
        advance()
        return try steps(behind: call(of: name, at: column))
    }

    /// A function's arguments, and the parenthesis behind them.
    private mutating func call(
        of name: String, at column: Int
    ) throws(PredicateFormatError) -> FormatNode {
        let known = name.lowercased()
        if known == "now" {
            try require(.rightParenthesis)
            return try node(.now, at: column)
        }
        if known == "ternary" {
            let test = try nestedPredicate(.or)
            try require(.comma)
            let first = try nestedValue(.bits)
            try require(.comma)
            let second = try nestedValue(.bits)
            try require(.rightParenthesis)
            return try node(
                .ternary(test, first, otherwise: second), at: column, over: [test, first, second])
        }
        guard let function = FormatFunction.named[known] else {
            throw problem(.unsupported("the function \(name)"), at: column)
        }
        var arguments = [try nestedValue(.bits)]
        while arguments.count < function.arity.upperBound, skip(.comma) {
            arguments.append(try nestedValue(.bits))
        }
        guard arguments.count >= function.arity.lowerBound else {
            throw expected(", and another argument of \(known)()")
        }
        try require(.rightParenthesis)
        // An object is a value that is known when it is read, as that of an argument.
        if function == .cast, case .value(.datum(.string(let text))) = arguments[0].kind,
            case .value(.datum(.string("NSManagedObjectID"))) = arguments[1].kind
        {
            guard let id = ObjectID(text) else {
                throw unexpected(
                    "\"\(text)\"", expected: "an entity and a number, as 'Photo/17'",
                    at: arguments[0].column)
            }
            return try node(.value(.object(id)), at: column)
        }
        return try node(.function(function, arguments), at: column, over: arguments)
    }

    private mutating func list() throws(PredicateFormatError) -> FormatNode {
        let column = token.column
        advance()
        var elements: [FormatNode] = []
        if !skip(.rightBrace) {
            repeat {
                elements.append(try nestedValue(.bits))
            } while skip(.comma)
            guard skip(.rightBrace) else { throw expected(", or }") }
        }
        return try node(.list(elements), at: column, over: elements)
    }

    /// `SUBQUERY(collection, $variable, predicate)`, and what follows it: `.@count`.
    private mutating func subquery() throws(PredicateFormatError) -> FormatNode {
        let column = token.column
        advance()
        try require(.leftParenthesis)
        let collection = try value(.power)
        guard case .path(let path) = collection.kind else {
            throw unexpected("a value", expected: "a relationship", at: collection.column)
        }
        try require(.comma)
        guard case .variable(let name) = token.kind else { throw expected("a variable, as in $x") }
        advance()
        try require(.comma)
        let test = try nestedPredicate(.or)
        try require(.rightParenthesis)
        switch token.kind {
        case .mark(.dot):
            advance()
            guard case .aggregate("count") = token.kind else {
                throw expected("@count: the members of a SUBQUERY can only be counted")
            }
            advance()
        case .mark(.leftBracket):
            advance()
            guard case .word(let word) = token.kind, word.uppercased() == "SIZE" else {
                throw expected("SIZE")
            }
            advance()
            try require(.rightBracket)
        default: throw expected(".@count behind the SUBQUERY")
        }
        return try node(
            .subquery(path, variable: name, test), at: column, over: [collection, test])
    }
}
