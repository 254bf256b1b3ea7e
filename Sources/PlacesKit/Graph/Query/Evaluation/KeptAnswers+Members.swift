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

    /// Tells of rows how many members satisfy a condition, to which a way leads; `.null` where it breaks.
    ///
    /// With `isOneEnough` any number may stand for a greater one, but for 0.
    func count(
        of way: MembersPath, where condition: Condition, isOneEnough: Bool = false
    ) -> Value {
        atOwner(of: way) { slot, owners in
            let count = members(
                slot, of: owners, isShared: isShared(way), thatSatisfy: condition,
                isOneEnough: isOneEnough)
            return { .integer(Int64(count($0, $1))) }
        }
    }

    /// Tells of owners how many of their members satisfy a condition.
    ///
    /// An owner that is asked again and again, each time for members whose value compares so with another one, has its
    /// members in the order of that value: what takes O(k) for k members the first two times is found by halving then.
    /// Where one member is enough, the value may be one of several that relationships lead to from it, and there may be
    /// several conditions of which one is enough.
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
        guard isShared else { return count }
        let searches = MembersQuestion.all(of: condition, isOneEnough: isOneEnough).map {
            MembersSearch($0, of: inner)
        }
        guard let search = searches.first else { return count }
        var asked: Set<Row> = []
        return { owner, frame in
            if asked.insert(owner).inserted { return count(owner, frame) }
            func related() -> RelatedRows { graph.related(owner, slot, in: table) }
            if isOneEnough {
                let isThere = searches.contains { search in
                    search.found(owner, frame, related).contains {
                        $0.contains { search.rest?($0.row, frame) ?? true }
                    }
                }
                return isThere ? 1 : 0
            }
            let found = search.found(owner, frame, related)
            guard let rest = search.rest else { return found.reduce(0) { $0 + $1.count } }
            return found.reduce(0) { $0 + $1.count { rest($0.row, frame) } }
        }
    }
}

extension Operand {
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

extension ComparisonOperator {
    /// Whether a count compares with a number as any other does, but for 0.
    func asksForNone(_ number: Datum) -> Bool {
        switch (self, number) {
        case (_, .integer(0)), (.less, .integer(1)), (.greaterOrEqual, .integer(1)): true
        default: false
        }
    }
}
