/// The parts of a query of records, as they stand in its text.
struct RecordQueryText: Sendable {
    /// The name of the entity, and where it stands.
    var entity = ""
    var entityColumn = 1
    var predicate: FormatNode?
    var sorting: [(path: FormatNode, isAscending: Bool, hasGreatestNil: Bool)] = []
    var limit: Int?
    var offset = 0
}

/// The words that begin the parts of a query; none of them is reserved.
private enum QueryWord: String {
    case predicate = "WHERE"
    case sort = "SORT"
    case limit = "LIMIT"
    case offset = "OFFSET"
    case by = "BY"
    case ascending = "ASC"
    case descending = "DESC"
    case nulls = "NULLS"
    case first = "FIRST"
    case last = "LAST"
}

extension FormatParser {
    /// The parts of a query's text with its arguments.
    static func query(
        _ text: String, _ arguments: [Any?]
    ) throws(PredicateFormatError) -> RecordQueryText {
        var parser = try FormatParser(text, arguments)
        return try parser.query()
    }

    private mutating func query() throws(PredicateFormatError) -> RecordQueryText {
        var query = RecordQueryText()
        query.entityColumn = token.column
        query.entity = try entityName()
        var expectation = "WHERE, SORT, LIMIT, OFFSET or the end"
        if skip(.predicate) {
            query.predicate = try predicate(level: .or)
            expectation = "AND, OR, SORT, LIMIT, OFFSET or the end"
        }
        if skip(.sort) {
            _ = skip(QueryWord.by)
            repeat { query.sorting.append(try sorting()) } while skip(.comma)
            expectation = "ASC, DESC, NULLS, a comma, LIMIT, OFFSET or the end"
        }
        if skip(.limit) {
            query.limit = try count()
            expectation = "OFFSET or the end"
        }
        if skip(.offset) {
            query.offset = try count()
            expectation = query.limit == nil ? "the end, as LIMIT stands before OFFSET" : "the end"
        }
        guard token.kind == .end else { throw expected(expectation) }
        try checkArguments()
        return query
    }

    private mutating func skip(_ word: QueryWord) -> Bool {
        guard case .word(let text) = token.kind, text.uppercased() == word.rawValue else {
            return false
        }
        advance()
        return true
    }

    private mutating func entityName() throws(PredicateFormatError) -> String {
        switch token.kind {
        // In quotation marks for the names of generic classes, which are no words.
        case .word(let name), .escapedWord(let name), .string(let name):
            advance()
            return name
        case .argument("K"):
            let name = try keyArgument()
            advance()
            return name
        default: throw expected("the name of an entity")
        }
    }

    private mutating func sorting() throws(PredicateFormatError) -> (FormatNode, Bool, Bool) {
        let path = try value(.power)
        guard case .path = path.kind else {
            throw unexpected("a value", expected: "a key path to sort by", at: path.column)
        }
        let isDescending = skip(QueryWord.descending)
        if !isDescending { _ = skip(QueryWord.ascending) }
        guard skip(QueryWord.nulls) else { return (path, !isDescending, false) }
        let isNilFirst = skip(QueryWord.first)
        guard isNilFirst || skip(QueryWord.last) else { throw expected("FIRST or LAST") }
        return (path, !isDescending, isNilFirst == isDescending)
    }

    private mutating func count() throws(PredicateFormatError) -> Int {
        let found: FormatValue
        switch token.kind {
        case .integer(let number): found = .datum(.integer(number))
        case .argument("d"), .argument("i"), .argument("u"), .argument("@"):
            guard case .argument(let letter) = token.kind else { fallthrough }
            found = try argument(letter)
        default: throw expected("a number of objects")
        }
        guard case .datum(.integer(let number)) = found, let count = Int(exactly: number),
            count >= 0
        else { throw expected("a number of objects") }
        advance()
        return count
    }

    /// The node of a text that is a key path and nothing else.
    static func keyPath(_ text: String) throws(PredicateFormatError) -> FormatNode {
        var parser = try FormatParser(text, [])
        let path = try parser.value(.power)
        guard case .path = path.kind else {
            throw parser.unexpected("a value", expected: "a key path", at: path.column)
        }
        guard parser.token.kind == .end else { throw parser.expected("the end of the key path") }
        return path
    }
}
