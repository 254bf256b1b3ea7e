extension KeptAnswers {
    /// Whether the row at the end of a way, whose members are asked, may be the same for many rows.
    func isShared(_ way: MembersPath) -> Bool {
        scope.isShared || way.levels > 0 || way.slots.count > 1
    }

    /// What reads nothing but the row that is asked, and is found once for each.
    func kept<Result>(
        _ find: @escaping (Row, Frame) -> Result
    ) -> (Row, Frame) -> Result {
        var known: [Row: Result] = [:]
        return { row, _ in
            if let result = known[row] { return result }
            let result = find(row, nil)
            known[row] = result
            return result
        }
    }

    /// What an operand is at the row whose members a way leads to, found once for each.
    func kept(_ operand: Operand, at way: MembersPath) -> Value {
        atOwner(of: way) { _, owners in
            let value = kept(KeptAnswers(graph, owners).value(of: operand))
            return { value($0, $1) }
        }
    }

    /// Tells of rows what is made of the row whose members a way leads to; `.null` where the way breaks.
    ///
    /// - Parameters:
    ///   - way: The way.
    ///   - make: Makes a function of that row, given the relationship that has the members and the row's table. The
    ///     function also gets the frame in which the members are asked.
    /// - Returns: A function of rows.
    func atOwner(
        of way: MembersPath,
        _ make: (Slot, TableNumber) -> (Row, UnsafePointer<RowFrame>) -> Datum
    ) -> Value {
        let (graph, table) = (graph, scope.table)
        let links = way.slots.dropLast()
        let start = scopes[scopes.count - 1 - way.levels].table
        let value = make(
            way.slots[links.endIndex],
            links.reduce(start) { graph.destination(of: $1, in: $0) })
        return { row, frame in
            withFrame(row, table, frame) { frame in
                guard let start = frame.pointee.ancestor(way.levels),
                    let (owner, _) = graph.follow(links, from: start.row, in: start.table)
                else { return .null }
                return value(owner, frame)
            }
        }
    }

    /// Tells of owners how many of their members satisfy a condition.
    ///
    /// An owner that is asked again and again, each time for members whose value compares so with another one, has its
    /// members in the order of that value: what takes O(k) for k members the first two times is found by halving then.
    ///
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - table: The table of the owners.
    ///   - isShared: Whether one owner may be asked many times.
    ///   - condition: The condition.
    ///   - isOneEnough: Whether any number may stand for a greater one, but for 0.
    /// - Returns: A function of an owner and the frame in which its members are asked.
    func members(
        _ slot: Slot, of table: TableNumber, isShared: Bool, thatSatisfy condition: Condition,
        isOneEnough: Bool = false
    ) -> (Row, UnsafePointer<RowFrame>) -> Int {
        let graph = graph
        let inner = following(slot, from: table, isShared: isShared)
        let holds = inner.answer(to: condition)
        func count(_ owner: Row, _ frame: UnsafePointer<RowFrame>) -> Int {
            let members = graph.related(owner, slot, in: table)
            guard isOneEnough else { return members.count { holds($0, frame) } }
            return members.contains { holds($0, frame) } ? 1 : 0
        }
        guard isShared, let question = MembersQuestion(condition) else { return count }
        let (value, other) = (inner.value(of: question.value), inner.value(of: question.other))
        let (isAsked, rest) = (
            inner.answer(to: question.own), question.rest.map(inner.answer)
        )
        var asked: Set<Row> = []
        var known: [Row: RowsByValue] = [:]
        return { owner, frame in
            if asked.insert(owner).inserted { return count(owner, frame) }
            let members =
                known[owner]
                ?? RowsByValue(
                    graph.related(owner, slot, in: table).lazy
                        .filter { isAsked($0, frame) }.map { (value($0, frame), $0) })
            known[owner] = members
            let found = members.rows(question.comparison, other(.none, frame))
            guard let rest else { return found.reduce(0) { $0 + $1.count } }
            if isOneEnough {
                return found.contains { $0.contains { rest($0.row, frame) } } ? 1 : 0
            }
            return found.reduce(0) { $0 + $1.count { rest($0.row, frame) } }
        }
    }
}

/// A condition on members by which one value of each is compared with a value that is the same for all of them.
private struct MembersQuestion {
    /// What is compared of each member.
    var value: Operand
    var comparison: ComparisonOperator
    /// The value that is the same for all members.
    var other: Operand
    /// What is asked besides of each member alone.
    var own = Condition.constant(true)
    /// What is asked besides of the member and rows before it.
    var rest: Condition?

    /// The question that a condition asks; `nil` where it asks no such one.
    init?(_ condition: Condition) {
        let parts = if case .all(let parts) = condition { parts } else { [condition] }
        let questions = parts.enumerated().compactMap { index, part in
            MembersQuestion(comparison: part).map { (index: index, question: $0) }
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

    private init?(comparison condition: Condition) {
        guard case .comparison(let left, let comparison, let right) = condition else { return nil }
        if left.isOfMember, right.isOfOthers {
            self.init(value: left, comparison: comparison, other: right)
        } else if right.isOfMember, left.isOfOthers {
            self.init(value: right, comparison: comparison.mirrored, other: left)
        } else {
            return nil
        }
    }

    private init(value: Operand, comparison: ComparisonOperator, other: Operand) {
        (self.value, self.comparison, self.other) = (value, comparison, other)
    }
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
    fileprivate var isOfMember: Bool { ConditionPart.operand(self).reach == 0 }

    /// Whether the operand reads rows before the one that it is asked of, and not that.
    fileprivate var isOfOthers: Bool {
        let part = ConditionPart.operand(self)
        return part.reach > 0 && !part.readsPresentRow
    }

    /// The way to the members that the operand is about, and what it is at their owner, where it reads nothing but that.
    var ofOwner: (way: MembersPath, end: Operand)? {
        func end(_ way: MembersPath) -> MembersPath {
            MembersPath(slots: Array(way.slots.suffix(1)))
        }
        func reads(_ value: Operand) -> Bool { ConditionPart.operand(value).reach == 0 }
        switch self {
        case .aggregate(let function, let way, let value) where reads(value):
            return (way, .aggregate(function, end(way), value))
        case .member(let way, let index, let value) where reads(value):
            return (way, .member(end(way), index, value))
        case .countWhere(let way, let condition) where !condition.looksOut():
            return (way, .countWhere(end(way), condition))
        case .first(let way, let condition, let value)
        where !condition.looksOut() && reads(value):
            return (way, .first(end(way), where: condition, value))
        default: return nil
        }
    }
}

extension ConditionPart {
    /// Whether the part may read the row that it is asked of.
    fileprivate var readsPresentRow: Bool {
        switch self {
        case .operand(.attribute), .operand(.count), .operand(.identity), .condition(.kind),
            .condition(.rows), .condition(.opaque):
            return true
        default: break
        }
        var reads = false
        forEachPart { part, scope in
            switch scope {
            case .here: reads = reads || part.readsPresentRow
            case .related: reads = true
            case .members(let way): reads = reads || way.levels == 0 || part.reach > 0
            case .outer: break
            }
        }
        return reads
    }
}
