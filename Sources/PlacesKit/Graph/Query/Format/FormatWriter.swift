import Foundation

/// Writes a condition as a predicate format that parses to the same.
struct FormatWriter {
    private let layout: GraphLayout
    /// The rows that relationships were followed from, and the present one: their tables, and what leads
    /// to a property of theirs.
    private var rows: [(table: TableNumber, prefix: String)]

    init(_ layout: GraphLayout, table: TableNumber) {
        self.layout = layout
        rows = [(table, "")]
    }

    private var table: TableNumber { rows[rows.count - 1].table }
    private var prefix: String { rows[rows.count - 1].prefix }

    /// The predicate that a condition stands for.
    ///
    /// - Throws: `NotCompiled` with what formats have no words for.
    func text(_ condition: Condition) throws(NotCompiled) -> String {
        switch condition {
        case .constant(let answer): return answer ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .not(let condition): return "NOT (\(try text(condition)))"
        case .all(let parts): return try joined(parts, by: "AND")
        case .any(let parts): return try joined(parts, by: "OR")
        case .comparison(.applied(.folded(let folding), let left), let order, let right):
            return try "\(text(left)) \(order.symbol)\(folding.suffix) \(text(right))"
        case .comparison(let left, let order, .constant(let value)):
            return try "\(text(left)) \(order.symbol) \(literal(value, of: left))"
        case .comparison(let left, let order, let right):
            return try "\(text(left)) \(order.symbol) \(text(right))"
        case .text(let operand, let test):
            guard !test.pattern.isEmpty || test.operation.hasPattern else {
                return "\(try text(operand)) != nil"
            }
            return try text(
                operand, test.operation, test.folding,
                FormatValue.datum(.string(test.pattern)).literal)
        case .texts(let left, let operation, let folding, let right):
            func test(_ left: String, _ right: String) throws(NotCompiled) -> String {
                try "\(left) \(word(operation))\(folding.suffix) \(right)"
            }
            if operation.hasPattern { return try test(text(left), text(right)) }
            let (whole, part) = (try repeated(left), try repeated(right))
            // Nothing is found in every text here.
            return try "(\(part) == '' AND \(whole) != nil OR \(test(whole, part)))"
        case .membership(let operand, let values):
            var list: [String] = []
            for value in values { list.append(try literal(value, of: operand)) }
            list.sort()
            return "\(try text(operand)) IN {\(list.joined(separator: ", "))}"
        case .related(let slot, let inner, let otherwise):
            let path = path([slot])
            let test = try following(end(of: [slot]), as: path + ".").text(inner)
            return otherwise ? "(\(path) == nil OR \(test))" : "(\(path) != nil AND \(test))"
        case .anyMember(let slot, let inner):
            return try count(MembersPath(slots: [slot]), where: inner) + " > 0"
        case .kind: throw NotCompiled(reason: "the class of an object")
        case .rows: throw NotCompiled(reason: "a choice of objects")
        case .opaque(let part): throw NotCompiled(reason: part.reason)
        }
    }

    private func joined(
        _ parts: [Condition], by word: String
    ) throws(NotCompiled) -> String {
        var texts: [String] = []
        for part in parts { texts.append(try text(part)) }
        return "(" + texts.joined(separator: " \(word) ") + ")"
    }

    private func text(
        _ operand: Operand, _ operation: TextOperator, _ folding: TextFolding, _ pattern: String
    ) throws(NotCompiled) -> String {
        // What is about words folds them anyway.
        let suffix = operation.isAboutWords ? "" : folding.suffix
        return try "\(text(operand)) \(word(operation))\(suffix) \(pattern)"
    }

    private func word(_ operation: TextOperator) throws(NotCompiled) -> String {
        if let keyword = operation.keyword { return keyword }
        throw NotCompiled(reason: "a search for whole words")
    }

    // MARK: - Values

    private func text(_ operand: Operand) throws(NotCompiled) -> String {
        switch operand {
        case .constant(let value): return FormatValue.datum(value).literal
        case .attribute(let path): return self.path(path)
        case .count(let path): return self.path(path) + ".@count"
        case .identity(let path):
            if !path.isEmpty { return self.path(path) }
            return prefix.isEmpty ? "SELF" : String(prefix.dropLast())
        case .coalesced(let first, let second):
            let value = try repeated(first)
            return try "TERNARY(\(value) != nil, \(value), \(text(second)))"
        case .chosen(let test, let first, let second):
            return try "TERNARY(\(text(test)), \(text(first)), \(text(second)))"
        case .arithmetic(let left, let operation, let right):
            guard let symbol = operation.symbol else {
                throw NotCompiled(reason: "such arithmetic")
            }
            return try "(\(text(left)) \(symbol) \(text(right)))"
        case .exact(let left, let operation, let right, let type):
            return try text(.arithmetic(left, operation, right), exactly: type)
        case .applied(let function, let inner):
            guard let name = function.formatName else {
                throw NotCompiled(reason: "a function of a value")
            }
            return try "\(name)(\(text(inner)))"
        case .distance(let latitude, let longitude, let center):
            let point = [center.latitude, center.longitude].map {
                FormatValue.datum(.double($0)).literal
            }
            return try """
            distance(\(text(latitude)), \(text(longitude)), \(point[0]), \(point[1]))
            """
        case .aggregate(let function, let members, let inner):
            return try behind(members, ".@" + function.rawValue, inner)
        case .member(let members, let index, let inner):
            let step = FormatPath(steps: [FormatStep(kind: .index(index), column: 0)])
            return try behind(members, step.text, inner)
        case .countWhere(let members, let condition): return try count(members, where: condition)
        case .relevance: throw NotCompiled(reason: "relevance")
        case .first: throw NotCompiled(reason: "the first member that satisfies a condition")
        case .outer(let levels, let inner):
            return try back(levels).text(inner)
        }
    }

    /// A value that is written twice, which grows by powers where such ones lie in each other.
    private func repeated(_ operand: Operand) throws(NotCompiled) -> String {
        let text = try text(operand)
        if case .constant = operand { return text }
        guard text.utf8.count <= Self.longestRepeated else {
            throw NotCompiled(reason: "a long calculation that is asked for twice")
        }
        return text
    }

    private static let longestRepeated = 10_000

    /// Arithmetic of a type, where that of formats comes to the same.
    private func text(
        _ operand: Operand, exactly type: AttributeType
    ) throws(NotCompiled) -> String {
        guard case .arithmetic(_, let operation, _) = operand else { return try text(operand) }
        switch (type, operation) {
        case (.double, .plus), (.double, .minus), (.double, .times): return try text(operand)
        case (.double, _): throw NotCompiled(reason: "a division that may be by zero")
        case (.float, _): throw NotCompiled(reason: "arithmetic of Float")
        case (.decimal, _): throw NotCompiled(reason: "arithmetic of Decimal")
        default: throw NotCompiled(reason: "arithmetic that may overflow")
        }
    }

    /// A value that is compared with an operand: an object, where that is one.
    private func literal(_ value: Datum, of operand: Operand) throws(NotCompiled) -> String {
        if case .outer(let levels, let inner) = operand {
            return try back(levels).literal(value, of: inner)
        }
        guard case .identity = operand, case .string(let text) = value, let id = ObjectID(text)
        else { return FormatValue.datum(value).literal }
        return FormatValue.object(id).literal
    }

    /// What a function or an index makes of an attribute of some members.
    private func behind(
        _ members: MembersPath, _ step: String, _ inner: Operand
    ) throws(NotCompiled) -> String {
        guard case .attribute(let path) = inner else {
            throw NotCompiled(reason: "more than an attribute of a member")
        }
        let writer = back(members.levels)
        let value = FormatWriter(layout, table: writer.end(of: members.slots)).path(path)
        return "\(writer.path(members.slots))\(step).\(value)"
    }

    private func count(
        _ members: MembersPath, where condition: Condition
    ) throws(NotCompiled) -> String {
        let writer = back(members.levels)
        let variable = "$member\(rows.count)"
        let test = try following(writer.end(of: members.slots), as: variable + ".").text(condition)
        return "SUBQUERY(\(writer.path(members.slots)), \(variable), \(test)).@count"
    }

    // MARK: - Rows

    /// Writes of a row that a relationship leads to from the present one.
    private func following(_ table: TableNumber, as prefix: String) -> FormatWriter {
        var writer = self
        writer.rows.append((table, prefix))
        return writer
    }

    /// Writes of a row further out.
    private func back(_ levels: Int) -> FormatWriter {
        var writer = self
        writer.rows.removeLast(levels)
        return writer
    }

    private func path(_ slots: [Slot]) -> String {
        prefix
            + layout.names(of: slots, from: table).map(FormatValue.keyPathText)
            .joined(separator: ".")
    }

    /// The table at the end of a chain of relationships.
    private func end(of slots: [Slot]) -> TableNumber {
        slots.reduce(table) { layout.destination(of: $1, in: $0) }
    }
}

extension ArithmeticOperator {
    /// The operator as a format has it, if it has one.
    var symbol: String? {
        switch self {
        case .plus: "+"
        case .minus: "-"
        case .times: "*"
        case .divided: "/"
        case .power: "**"
        case .remainder, .bits: nil
        }
    }
}
