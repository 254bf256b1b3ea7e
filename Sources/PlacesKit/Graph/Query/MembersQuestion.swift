/// A condition on members by which one value of each, or of rows to which relationships lead from it, is compared with a
/// value that is the same for all of them.
struct MembersQuestion {
    /// Relationships to one after the other, the last one to one or to many, and what is asked of each row there alone.
    typealias Step = (slots: [Slot], own: Condition)

    /// From each member to the rows that have the value; nothing where that is the member itself.
    private(set) var steps: [Step] = []
    /// What is compared.
    private(set) var value: Operand
    private(set) var comparison: ComparisonOperator
    /// Whether it must not compare so: what is greater or equal is not all that is not less.
    private(set) var isNegated = false
    /// The value that is the same for all, as it is asked of a row that has the other.
    private(set) var other: Operand
    /// What is asked besides of each member alone.
    private(set) var own = Condition.constant(true)
    /// What is asked besides of the member and rows before it.
    private(set) var rest: Condition?

    /// The questions of which one must be answered for a member to satisfy a condition; none where it asks no such
    /// ones.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - isOneEnough: Whether it only counts that there is a member, and not how many there are.
    ///   - limit: The most questions that the condition is taken for.
    /// - Returns: The questions.
    static func all(
        of condition: Condition, isOneEnough: Bool, limit: Int = 8
    ) -> [MembersQuestion] {
        if let question = MembersQuestion(condition, behind: 0, mayStep: isOneEnough) {
            return [question]
        }
        guard isOneEnough else { return [] }
        guard condition.looksOut() else { return [MembersQuestion(own: condition)] }
        for (index, part) in condition.parts.enumerated() {
            guard case .any(let choices) = part, part.looksOut() else { continue }
            guard choices.count <= limit else { return [] }
            var rest = condition.parts
            rest.remove(at: index)
            let questions = choices.map { choice in
                all(
                    of: .every(rest + [choice]), isOneEnough: true, limit: limit / choices.count)
            }
            return questions.contains { $0.isEmpty } ? [] : questions.flatMap { $0 }
        }
        return []
    }

    /// The question that a condition asks; `nil` where it asks no such one.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - depth: How many steps lead from the members to the rows of which it is asked.
    ///   - mayStep: Whether relationships may be followed from those.
    private init?(_ condition: Condition, behind depth: Int, mayStep: Bool) {
        let parts = condition.parts
        let questions = parts.enumerated().compactMap { index, part in
            MembersQuestion(part: part, behind: depth, mayStep: mayStep).map {
                (index: index, question: $0)
            }
        }
        // Fewer members equal a value than are less or greater, and nearly all are something else.
        guard
            let (index, question) = questions.min(by: {
                $0.question.comparison.found < $1.question.comparison.found
            })
        else { return nil }
        self = question
        own = .every(parts.filter { !$0.looksOut() })
        let others = parts.indices.filter { $0 != index && parts[$0].looksOut() }
        rest = others.isEmpty ? nil : .every(others.map { parts[$0] })
    }

    private init?(part: Condition, behind depth: Int, mayStep: Bool) {
        let step: (slots: [Slot], condition: Condition)
        switch part {
        case .not(.comparison(let left, let comparison, let right)):
            let comparison = Condition.comparison(left, comparison, right)
            guard
                let question = MembersQuestion(part: comparison, behind: depth, mayStep: false)
            else { return nil }
            self = question
            isNegated = true
            return
        case .comparison(let left, let comparison, let right)
        where left.isOfRow && right.isOfOthers(behind: depth):
            self.init(value: left, comparison: comparison, other: right)
            return
        case .comparison(let left, let comparison, let right)
        where right.isOfRow && left.isOfOthers(behind: depth):
            self.init(value: right, comparison: comparison.mirrored, other: left)
            return
        case .related(let slot, let condition, false), .anyMember(let slot, let condition):
            step = ([slot], condition)
        case .comparison(.countWhere(let way, let condition), .greater, .constant(.integer(0)))
        where way.levels == 0:
            step = (way.slots, condition)
        default: return nil
        }
        guard mayStep,
            let next = MembersQuestion(step.condition, behind: depth + 1, mayStep: true),
            next.rest == nil
        else { return nil }
        self = next
        steps.insert((step.slots, next.own), at: 0)
    }

    /// Whether there is a member that satisfies a condition by itself.
    private init(own: Condition) {
        let same = Operand.constant(.boolean(true))
        self.init(value: same, comparison: .equal, other: same)
        self.own = own
    }

    private init(value: Operand, comparison: ComparisonOperator, other: Operand) {
        (self.value, self.comparison, self.other) = (value, comparison, other)
    }
}

/// A question that is asked of the members of owners again and again.
final class MembersSearch {
    typealias Entry = RowsByValue.Entry

    /// Where rows are from which a step leads, where the step itself begins, and what is asked of each row there.
    private typealias Way = (
        start: TableNumber, links: ArraySlice<Slot>, slot: Slot, owners: TableNumber,
        isAsked: KeptAnswers.Answer
    )

    private let graph: Graph
    private let isAsked: KeptAnswers.Answer
    private var ways: [Way] = []
    private let value: KeptAnswers.Value
    private let comparison: ComparisonOperator
    private let isNegated: Bool
    /// The value that is the same for all members, given the frame in which they are asked.
    private let other: (UnsafePointer<RowFrame>) -> Datum
    /// What is asked besides of a member that is found.
    let rest: KeptAnswers.Answer?
    private var known: [Row: RowsByValue] = [:]

    /// What answers a question that is asked of rows.
    init(_ question: MembersQuestion, of answers: KeptAnswers) {
        graph = answers.graph
        (comparison, isNegated) = (question.comparison, question.isNegated)
        isAsked = answers.answer(to: question.own)
        rest = question.rest.map(answers.answer)
        var end = answers
        for step in question.steps {
            let (start, links) = (end.scope.table, step.slots.dropLast())
            let owners = links.reduce(start) { answers.graph.destination(of: $1, in: $0) }
            let slot = step.slots[links.endIndex]
            end = end.following(slot, from: owners, isShared: true)
            ways.append((start, links, slot, owners, end.answer(to: step.own)))
        }
        value = end.value(of: question.value)
        let last = end.value(of: question.other)
        other = ways.reversed().reduce({ last(.none, $0) }) { inner, way in
            { withFrame(.none, way.start, $0, inner) }
        }
    }

    /// The members of an owner that answer the question but for the rest, several times where several values do.
    ///
    /// Where relationships lead from them and there is no rest, it only counts whether there are any: they are no rows.
    func found(
        _ owner: Row, _ frame: UnsafePointer<RowFrame>, _ members: () -> RelatedRows
    ) -> [ArraySlice<Entry>] {
        let rows = known[owner] ?? ordered(members(), frame)
        known[owner] = rows
        return rows.rows(comparison, other(frame), isNegated: isNegated)
    }

    private func ordered(
        _ members: RelatedRows, _ frame: UnsafePointer<RowFrame>
    ) -> RowsByValue {
        let members = members.lazy.filter { [isAsked] in isAsked($0, frame) }
        if ways.isEmpty {
            return RowsByValue(members.map { [value] in (value($0, frame), $0) })
        }
        if rest == nil {
            return RowsByValue(values(behind: Array(members)).map { ($0, Row.none) })
        }
        return RowsByValue(
            members.flatMap { member in
                self.values(behind: [member]).map { ($0, member) }
            })
    }

    /// The values of the rows to which the steps lead from some rows: each is asked once, however many ways lead to it.
    private func values(behind rows: [Row]) -> Set<Datum> {
        var rows = rows
        for way in ways {
            let owners = Set(
                rows.lazy.compactMap { [graph] in
                    graph.follow(way.links, from: $0, in: way.start)?.row
                })
            var ends: Set<Row> = []
            for owner in owners {
                for end in graph.related(owner, way.slot, in: way.owners)
                where !ends.contains(end) && way.isAsked(end, nil) {
                    ends.insert(end)
                }
            }
            rows = Array(ends)
        }
        return Set(rows.lazy.map { [value] in value($0, nil) })
    }
}

extension Condition {
    /// The conditions of which all must hold.
    fileprivate var parts: [Condition] { if case .all(let parts) = self { parts } else { [self] } }
}

extension ComparisonOperator {
    /// How many values compare so with one, roughly.
    fileprivate var found: Int {
        switch self {
        case .equal: 0
        case .less, .lessOrEqual, .greater, .greaterOrEqual: 1
        case .notEqual: 2
        }
    }
}

extension Operand {
    /// Whether the operand reads the row that it is asked of, and none before it.
    fileprivate var isOfRow: Bool { ConditionPart.operand(self).reach == 0 }

    /// Whether the operand reads rows before so many that lead to the one that it is asked of, and neither those nor that.
    fileprivate func isOfOthers(behind depth: Int) -> Bool {
        let part = ConditionPart.operand(self)
        return part.reach > depth && !(0...depth).contains(where: part.reads)
    }
}

extension ConditionPart {
    /// Whether the part may read the row so many relationships back; the one that it is asked of for none.
    fileprivate func reads(_ levels: Int) -> Bool {
        switch self {
        case .operand(.attribute), .operand(.count), .operand(.identity), .condition(.kind),
            .condition(.rows), .condition(.opaque):
            return levels == 0
        default: break
        }
        var reads = false
        forEachPart { part, scope in
            switch scope {
            case .here: reads = reads || part.reads(levels)
            case .related: reads = reads || levels == 0 || part.reads(levels + 1)
            case .members(let way):
                reads = reads || levels == way.levels || part.reads(levels + 1)
            case .outer(let back): reads = reads || levels >= back && part.reads(levels - back)
            }
        }
        return reads
    }
}
