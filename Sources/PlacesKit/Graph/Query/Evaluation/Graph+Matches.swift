extension Graph {
    /// Whether a row satisfies a condition.
    ///
    /// `opaque` answers for what was not compiled; `outer` is where relationships were followed from
    /// to come here.
    func matches(
        _ condition: Condition, _ row: Row, in table: TableNumber,
        outer: UnsafePointer<RowFrame>? = nil,
        opaque: (Row) -> Bool
    ) -> Bool {
        func value(_ operand: Operand) -> Datum {
            self.value(of: operand, row, in: table, outer: outer)
        }
        switch condition {
        case .constant(let answer): return answer
        case .not(let condition):
            return !matches(condition, row, in: table, outer: outer, opaque: opaque)
        case .all(let conditions):
            return conditions.allSatisfy {
                matches($0, row, in: table, outer: outer, opaque: opaque)
            }
        case .any(let conditions):
            return conditions.contains {
                matches($0, row, in: table, outer: outer, opaque: opaque)
            }
        case .kind(let kinds): return kinds.contains(kind(row, in: table))
        case .rows(let rows): return rows.contains(row)
        case .comparison(let left, let comparison, let right):
            return comparison.holds(value(left), value(right))
        case .text(let operand, let test):
            guard case .string(let text) = value(operand) else { return false }
            return test.passes(text)
        case .texts(let operand, let operation, let folding, let other):
            guard case .string(let text) = value(operand),
                case .string(let pattern) = value(other)
            else { return false }
            return TextTest(operation, pattern, folding: folding).passes(text)
        case .membership(let operand, let set): return set.contains(value(operand))
        case .related(let slot, let condition, let otherwise):
            let target = reference(row, slot, in: table)
            guard !target.isNone else { return otherwise }
            return withFrame(row, table, outer) { frame in
                matches(condition, target, in: destination(of: slot, in: table), outer: frame) {
                    _ in false
                }
            }
        case .anyMember(let slot, let condition):
            return withFrame(row, table, outer) { frame in
                related(row, slot, in: table).contains {
                    matches(condition, $0, in: destination(of: slot, in: table), outer: frame) {
                        _ in false
                    }
                }
            }
        case .opaque: return opaque(row)
        }
    }

    /// What an operand is at a row.
    func value(
        of operand: Operand, _ row: Row, in table: TableNumber,
        outer: UnsafePointer<RowFrame>? = nil
    ) -> Datum {
        switch operand {
        case .constant(let datum): return datum
        case .attribute(let path):
            guard let (row, table) = follow(path.dropLast(), from: row, in: table) else {
                return .null
            }
            return value(row, path[path.count - 1], in: table)
        case .count(let path):
            guard let (row, table) = follow(path.dropLast(), from: row, in: table) else {
                return .null
            }
            return .integer(Int64(memberCount(row, path[path.count - 1], in: table)))
        case .identity(let path):
            guard let (row, table) = follow(path[...], from: row, in: table) else { return .null }
            return .integer(number(of: row, in: table))
        case .coalesced(let first, let second):
            let value = value(of: first, row, in: table, outer: outer)
            return value == .null ? self.value(of: second, row, in: table, outer: outer) : value
        case .chosen(let condition, let first, let second):
            let isFirst = matches(condition, row, in: table, outer: outer) { _ in false }
            return value(of: isFirst ? first : second, row, in: table, outer: outer)
        case .arithmetic(let left, let operation, let right):
            return operation.apply(
                value(of: left, row, in: table, outer: outer),
                value(of: right, row, in: table, outer: outer))
        case .exact(let left, let operation, let right, let type):
            return operation.exact(
                value(of: left, row, in: table, outer: outer),
                value(of: right, row, in: table, outer: outer), as: type)
        case .distance(let latitude, let longitude, let center):
            return center.kilometers(
                latitude: value(of: latitude, row, in: table, outer: outer),
                longitude: value(of: longitude, row, in: table, outer: outer))
        case .relevance(let rank):
            return .double(rank.score { value(of: $0, row, in: table, outer: outer) })
        case .applied(let function, let operand):
            return function(value(of: operand, row, in: table, outer: outer))
        case .aggregate(let function, let path, let operand):
            return members(of: path, row, in: table, outer) { members, table, frame in
                function.apply(
                    members.lazy.map { value(of: operand, $0, in: table, outer: frame) })
            }
        case .countWhere(let path, let condition):
            return members(of: path, row, in: table, outer) { members, table, frame in
                let count = members.count { member in
                    matches(condition, member, in: table, outer: frame) { _ in false }
                }
                return .integer(Int64(count))
            }
        case .member(let path, let index, let operand):
            return owner(of: path, row, in: table, outer) { owner, slot, table, frame in
                member(at: index, of: owner, slot, in: table).map {
                    value(
                        of: operand, $0, in: destination(of: slot, in: table), outer: frame)
                } ?? .null
            }
        case .first(let path, let condition, let operand):
            return members(of: path, row, in: table, outer) { members, table, frame in
                let first = members.first { member in
                    matches(condition, member, in: table, outer: frame) { _ in false }
                }
                return first.map { value(of: operand, $0, in: table, outer: frame) } ?? .null
            }
        case .outer(let levels, let operand):
            guard let frame = outer?.pointee.ancestor(levels - 1) else { return .null }
            return value(of: operand, frame.row, in: frame.table, outer: frame.outer)
        }
    }

    /// What `body` makes of the members of a relationship; `.null` where the way there breaks.
    private func members(
        of path: MembersPath, _ row: Row, in table: TableNumber, _ outer: UnsafePointer<RowFrame>?,
        _ body: (RelatedRows, TableNumber, UnsafePointer<RowFrame>) -> Datum
    ) -> Datum {
        owner(of: path, row, in: table, outer) { owner, slot, table, frame in
            body(related(owner, slot, in: table), destination(of: slot, in: table), frame)
        }
    }

    /// What `body` makes of the row whose relationship has the members, and of that; `.null` where the way there breaks.
    private func owner(
        of path: MembersPath, _ row: Row, in table: TableNumber, _ outer: UnsafePointer<RowFrame>?,
        _ body: (Row, Slot, TableNumber, UnsafePointer<RowFrame>) -> Datum
    ) -> Datum {
        withFrame(row, table, outer) { frame in
            guard let start = frame.pointee.ancestor(path.levels),
                let (owner, table) = follow(path.slots.dropLast(), from: start.row, in: start.table)
            else { return .null }
            return body(owner, path.slots[path.slots.count - 1], table, frame)
        }
    }

    /// The member at a position, counted from the end where negative; `nil` where there is none.
    ///
    /// - Complexity: O(p) for p members between it and the end from which it is counted.
    private func member(
        at index: Int, of owner: Row, _ slot: Slot, in table: TableNumber
    ) -> Row? {
        let members = related(owner, slot, in: table)
        guard index < 0 else { return members.dropFirst(index).first { _ in true } }
        guard let list = members.list else {
            return index == -1 && !members.isEmpty ? members.upcoming : nil
        }
        var link = reference(owner, list.tail, in: list.owners)
        var left = -1 - index
        while left > 0, !link.isNone {
            link = reference(link, list.previous, in: list.members)
            left -= 1
        }
        guard !link.isNone else { return nil }
        return members.target.map { reference(link, $0, in: list.members) } ?? link
    }

    /// The row at the end of a chain of to-one relationships, and its table.
    func follow(
        _ path: ArraySlice<Slot>, from row: Row, in table: TableNumber
    ) -> (row: Row, table: TableNumber)? {
        var (row, table) = (row, table)
        for slot in path {
            row = reference(row, slot, in: table)
            guard !row.isNone else { return nil }
            table = destination(of: slot, in: table)
        }
        return (row, table)
    }
}

/// A row from which a relationship was followed while a condition is asked.
struct RowFrame {
    var row: Row
    var table: TableNumber
    var outer: UnsafePointer<RowFrame>?

    /// The frame so many relationships back.
    func ancestor(_ levels: Int) -> RowFrame? {
        var frame: RowFrame? = self
        for _ in 0..<levels { frame = frame?.outer?.pointee }
        return frame
    }
}

/// Calls `body` with a frame that lives as long as the call.
func withFrame<Result>(
    _ row: Row, _ table: TableNumber, _ outer: UnsafePointer<RowFrame>?,
    _ body: (UnsafePointer<RowFrame>) -> Result
) -> Result {
    withUnsafePointer(to: RowFrame(row: row, table: table, outer: outer), body)
}
