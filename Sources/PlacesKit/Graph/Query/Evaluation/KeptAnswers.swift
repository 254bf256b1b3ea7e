/// Makes closures that tell of rows what conditions and operands are there, and keep what they found out about the members
/// of an owner.
///
/// `Graph.matches` and `Graph.value` say the same of one row. They would ask all members of an owner again for each row
/// that leads to it, and for each member.
struct KeptAnswers {
    typealias Frame = UnsafePointer<RowFrame>?
    typealias Answer = (Row, Frame) -> Bool
    typealias Value = (Row, Frame) -> Datum

    /// Where rows lie that are asked, or from which relationships were followed to those.
    struct Scope {
        let table: TableNumber
        /// Whether one row may be asked many times.
        let isShared: Bool
    }

    let graph: Graph
    /// The present rows, and before them those from which relationships were followed.
    let scopes: [Scope]
    /// Answers for what was not compiled.
    private let opaque: (Row) -> Bool

    init(
        _ graph: Graph, _ table: TableNumber, opaque: @escaping (Row) -> Bool = { _ in false }
    ) {
        self.init(graph, [Scope(table: table, isShared: false)], opaque: opaque)
    }

    init(_ graph: Graph, _ scopes: [Scope], opaque: @escaping (Row) -> Bool = { _ in false }) {
        self.graph = graph
        self.scopes = scopes
        self.opaque = opaque
    }

    /// Where the present rows lie.
    var scope: Scope { scopes[scopes.count - 1] }

    /// Tells of rows whether they satisfy a condition.
    func answer(to condition: Condition) -> Answer {
        let (graph, table, opaque) = (graph, scope.table, opaque)
        let part = ConditionPart.condition(condition)
        guard isWorthwhile(part) else {
            return { graph.matches(condition, $0, in: table, outer: $1, opaque: opaque) }
        }
        if scope.isShared, part.reach == 0 {
            return kept(KeptAnswers(graph, table).answer(to: condition))
        }
        switch condition {
        case .constant, .kind, .rows, .opaque:
            return { graph.matches(condition, $0, in: table, outer: $1, opaque: opaque) }
        case .not(let condition):
            let holds = answer(to: condition)
            return { !holds($0, $1) }
        case .all(let conditions):
            let parts = conditions.map(answer)
            return { row, frame in parts.allSatisfy { $0(row, frame) } }
        case .any(let conditions):
            let parts = conditions.map(answer)
            return { row, frame in parts.contains { $0(row, frame) } }
        case .comparison(.countWhere(let way, let condition), let comparison, .constant(let number))
        where condition.looksOut() && comparison.asksForNone(number):
            let count = count(of: way, where: condition, isOneEnough: true)
            return { comparison.holds(count($0, $1), number) }
        case .comparison(let left, let comparison, let right):
            let (left, right) = (value(of: left), value(of: right))
            return { comparison.holds(left($0, $1), right($0, $1)) }
        case .membership(let operand, let set):
            let value = value(of: operand)
            return { set.contains(value($0, $1)) }
        case .text(let operand, let test):
            let value = value(of: operand)
            return { row, frame in
                guard case .string(let text) = value(row, frame) else { return false }
                return test.passes(text)
            }
        case .texts(let left, let operation, let folding, let right):
            let (left, right) = (value(of: left), value(of: right))
            return { row, frame in
                guard case .string(let text) = left(row, frame),
                    case .string(let pattern) = right(row, frame)
                else { return false }
                return TextTest(operation, pattern, folding: folding).passes(text)
            }
        case .related(let slot, let condition, let otherwise):
            let holds = following(slot, from: table, isShared: scope.isShared)
                .answer(to: condition)
            return { row, frame in
                let target = graph.reference(row, slot, in: table)
                guard !target.isNone else { return otherwise }
                return withFrame(row, table, frame) { holds(target, $0) }
            }
        case .anyMember(let slot, let condition):
            let count = members(
                slot, of: table, isShared: scope.isShared, thatSatisfy: condition,
                isOneEnough: true)
            return { row, frame in withFrame(row, table, frame) { count(row, $0) > 0 } }
        }
    }

    /// Tells of rows what an operand is there.
    func value(of operand: Operand) -> Value {
        let (graph, table) = (graph, scope.table)
        let part = ConditionPart.operand(operand)
        guard isWorthwhile(part) else {
            return { graph.value(of: operand, $0, in: table, outer: $1) }
        }
        if let (way, end) = operand.ofOwner, isShared(way) { return kept(end, at: way) }
        if scope.isShared, part.reach == 0 {
            return kept(KeptAnswers(graph, table).value(of: operand))
        }
        switch operand {
        case .constant, .attribute, .count, .identity, .relevance, .member:
            return { graph.value(of: operand, $0, in: table, outer: $1) }
        case .coalesced(let first, let second):
            let (first, second) = (value(of: first), value(of: second))
            return { row, frame in
                let value = first(row, frame)
                return value == .null ? second(row, frame) : value
            }
        case .chosen(let condition, let first, let second):
            let isFirst = KeptAnswers(graph, scopes).answer(to: condition)
            let (first, second) = (value(of: first), value(of: second))
            return { isFirst($0, $1) ? first($0, $1) : second($0, $1) }
        case .arithmetic(let left, let operation, let right):
            let (left, right) = (value(of: left), value(of: right))
            return { operation.apply(left($0, $1), right($0, $1)) }
        case .exact(let left, let operation, let right, let type):
            let (left, right) = (value(of: left), value(of: right))
            return { operation.exact(left($0, $1), right($0, $1), as: type) }
        case .distance(let latitude, let longitude, let center):
            let (latitude, longitude) = (value(of: latitude), value(of: longitude))
            return { center.kilometers(latitude: latitude($0, $1), longitude: longitude($0, $1)) }
        case .applied(let function, let operand):
            let value = value(of: operand)
            return { function(value($0, $1)) }
        case .aggregate(let function, let path, let operand):
            return atOwner(of: path) { slot, owners in
                let value = following(slot, from: owners, isShared: isShared(path))
                    .value(of: operand)
                return { owner, frame in
                    let members = graph.related(owner, slot, in: owners)
                    return function.apply(members.lazy.map { value($0, frame) })
                }
            }
        case .countWhere(let path, let condition):
            return count(of: path, where: condition)
        case .first(let path, let condition, let operand):
            return atOwner(of: path) { slot, owners in
                let inner = following(slot, from: owners, isShared: isShared(path))
                let (holds, value) = (inner.answer(to: condition), inner.value(of: operand))
                return { owner, frame in
                    let first = graph.related(owner, slot, in: owners).first { holds($0, frame) }
                    return first.map { value($0, frame) } ?? .null
                }
            }
        case .outer(let levels, let operand):
            let start = scopes[scopes.count - 1 - levels].table
            let value = KeptAnswers(
                graph,
                scopes.dropLast(levels + 1) + [Scope(table: start, isShared: true)]
            ).value(of: operand)
            return { _, frame in
                guard let start = frame?.pointee.ancestor(levels - 1) else { return .null }
                return value(start.row, start.outer)
            }
        }
    }

    /// Whether a part asks members, so that there is something to keep; and reads no row that is not known here.
    private func isWorthwhile(_ part: ConditionPart) -> Bool {
        part.walksMembers && part.reach < scopes.count
    }

    /// What is asked of the rows at the other end of a relationship.
    ///
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - table: The table of the rows that have it.
    ///   - isShared: Whether one of these rows may be asked many times.
    /// - Returns: What makes the closures.
    func following(_ slot: Slot, from table: TableNumber, isShared: Bool) -> KeptAnswers {
        let leadsTogether =
            switch graph.layout.tables[table].relationships[slot] {
            case .toOne, .manyToMany: true
            case .oneToOne, .toMany, nil: false
            }
        let scope = Scope(
            table: graph.destination(of: slot, in: table), isShared: isShared || leadsTogether)
        return KeptAnswers(graph, scopes + [scope])
    }
}

extension ConditionPart {
    /// Whether members are looked at one after the other for it.
    fileprivate var walksMembers: Bool {
        if case .condition(.anyMember) = self { return true }
        var walks = false
        forEachPart { part, scope in
            if case .members = scope { walks = true }
            walks = walks || part.walksMembers
        }
        return walks
    }
}
