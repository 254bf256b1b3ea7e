import Foundation

/// A delta on the graph of a transaction: whose rows its objects have there, and what of its changes
/// nobody else has come before.
///
/// It looks at all that before the first change alters anything.
struct DeltaReplay: Replayable {
    private let delta: Delta
    private var arrivals: [[Arrival]]
    private var departures: [[Row]]
    /// The changes of each property that are to be made: their positions in the delta, and rows.
    private var changes: [ColumnAddress: [(position: Int, row: Row, target: Row)]] = [:]
    private var pairs: [TableNumber: (parted: [EdgeEnds], joined: [EdgeEnds])] = [:]
    private var positions: [Position] = []
    /// What others have saved since the changes were made; `nil` where that is nothing.
    private let overtaking: SavedGraph?

    /// A position, by rows.
    private struct Position {
        var list: ListKey
        var member: Row
        var previous: Row
        var next: Row
        var isFirst: Bool
        /// Whether it goes where others have saved it: nothing is left of an own move.
        var isSaved: Bool
    }

    private struct ListKey: Hashable {
        var table: TableNumber
        var slot: Slot
        var owner: Row
    }

    private struct MemberKey: Hashable {
        var list: ListKey
        var member: Row
    }

    init(
        _ delta: Delta, over saved: SavedGraph, in transaction: Transaction,
        _ isContested: (RowAddress) -> Bool
    ) {
        self.delta = delta
        let (graph, layout) = (transaction.graph, transaction.layout)
        let overtaking = delta.isOvertaken(by: saved) ? saved : nil
        self.overtaking = overtaking
        arrivals = Array(repeating: [], count: layout.entityTables.count)
        departures = arrivals.map { _ in [] }
        var known = KnownRows(graph: graph)
        for object in delta.returns {
            let table = object.table
            guard
                let (row, generation) = graph.rowAndGeneration(of: object.object, in: table)
            else { continue }
            // What came back by itself has its values.
            guard !transaction.contains(row, in: table) else { continue }
            let address = RowAddress(table: table, row: row)
            // What others have deleted too stays deleted, or at least the next save is to settle that.
            if object.wasSaved, overtaking?.graph.contains(row, in: table) == false,
                !isContested(address)
            {
                continue
            }
            arrivals[table].append(
                Arrival(
                    row: row, kind: object.kind, generation: generation, isNew: !object.wasSaved))
            known.returning[address] = generation
        }
        for object in delta.departures {
            let table = object.table
            departures[table].append(known.row(of: object.object, in: table))
        }
        for (position, change) in delta.changes.enumerated() {
            let (table, slot) = (change.table, change.slot)
            let row = known.row(of: change.object, in: table)
            var target = Row.none
            if case .object(let number, let rival) = change.value {
                let destination = layout.destination(of: slot, in: table)
                target = known.row(of: number, in: destination)
                if graph.isTaken(target, of: slot, in: table, but: row, rival) { continue }
            }
            let isOpen =
                change.former.map {
                    (graph.contains(row, in: table)
                        || change.isOfGone && transaction.denies(row, in: table))
                        && (graph.holds($0, row, slot, in: table)
                            || known.hasLost($0, row, slot, in: table))
                } ?? (known.returning[RowAddress(table: table, row: row)] != nil)
            guard isOpen else { continue }
            changes[ColumnAddress(table: table, column: slot), default: []]
                .append((position, row, target))
        }
        for pair in delta.pairs {
            let table = pair.table
            guard let (first, second) = layout.edgeLists(of: table) else { continue }
            let ends = EdgeEnds(
                first: known.row(of: pair.first, in: first.owners),
                second: known.row(of: pair.second, in: second.owners))
            // Where what is saved differs from what was, others did the same.
            if let isSaved = overtaking?.joins(ends, first, second), isSaved != pair.wasSaved {
                // Whom they joined as well stays, and nothing of an own place does.
                if isSaved, !pair.isJoined {
                    addSavedPosition(of: ends.second, in: first, of: ends.first)
                    addSavedPosition(of: ends.first, in: second, of: ends.second)
                }
                continue
            }
            if pair.isJoined {
                pairs[table, default: ([], [])].joined.append(ends)
            } else {
                pairs[table, default: ([], [])].parted.append(ends)
            }
        }
        for position in delta.positions {
            let (table, slot) = (position.table, position.slot)
            let members = layout.destination(of: slot, in: table)
            let owner = known.row(of: position.owner, in: table)
            let member = known.row(of: position.member, in: members)
            if position.isNew, graph.contains(member, in: members),
                transaction.isMember(member, of: owner, slot, in: table)
            {
                continue
            }
            self.positions.append(
                Position(
                    list: ListKey(table: table, slot: slot, owner: owner), member: member,
                    previous: known.row(of: position.previous, in: members),
                    next: known.row(of: position.next, in: members),
                    isFirst: position.previous == Delta.noObject,
                    isSaved: position.wasSaved
                        && overtaking?.orderedLists(slot, in: table)?.link(member, of: owner)
                            != nil
                ))
        }
    }

    /// Lets a member of an ordered many-to-many relationship go where others have saved it.
    private mutating func addSavedPosition(of member: Row, in list: ListLayout, of owner: Row) {
        guard let slot = list.ownerSlot, list.order != nil else { return }
        positions.append(
            Position(
                list: ListKey(table: list.owners, slot: slot, owner: owner), member: member,
                previous: Row.none, next: Row.none, isFirst: false, isSaved: true))
    }

    // MARK: - Changes

    func mayLead(toDeleted row: Row, in table: TableNumber) -> Bool { true }

    func arrivals(in table: TableNumber) -> [Arrival] { arrivals[table] }

    func departures(in table: TableNumber) -> [Row] { departures[table] }

    var staying: Set<RowAddress> { [] }

    func write(_ slot: Slot, in table: TableNumber, to transaction: Transaction) {
        for change in changes[ColumnAddress(table: table, column: slot)] ?? [] {
            transaction.write(delta.changes[change.position].value, change.row, slot, in: table)
        }
    }

    func links(of slot: Slot, in table: TableNumber) -> [Link] {
        (changes[ColumnAddress(table: table, column: slot)] ?? []).map {
            Link(row: $0.row, target: $0.target)
        }
    }

    /// The links of an object that comes back are all among the changes.
    func returnMembers(in transaction: Transaction) {}

    func pairs(in table: TableNumber) -> (parted: [EdgeEnds], joined: [EdgeEnds]) {
        pairs[table] ?? ([], [])
    }

    // MARK: - Positions

    /// Brings members back between their former neighbours: behind the one before them or, where others
    /// took that away, before the next that is where it was.
    func arrangeMembers(in transaction: Transaction) {
        let saved = arrangeSavedMembers(in: transaction)
        let positions = positions.filter {
            !saved.contains(MemberKey(list: $0.list, member: $0.member))
        }
        var waiting = Set(positions.map { MemberKey(list: $0.list, member: $0.member) })
        var absent: [MemberKey: Position] = [:]
        for var position in positions where !position.list.owner.isNone && !position.member.isNone {
            let list = position.list
            // A member that does not come back leaves its place to the one behind it.
            if let former = absent[MemberKey(list: list, member: position.previous)] {
                (position.previous, position.isFirst) = (former.previous, former.isFirst)
            }
            let isMember = transaction.isMember(
                position.member, of: list.owner, list.slot, in: list.table)
            guard isMember else {
                let key = MemberKey(list: list, member: position.member)
                absent[key] = position
                waiting.remove(key)
                continue
            }
            let previous = position.previous
            guard !waiting.contains(MemberKey(list: list, member: previous)) else { continue }
            // A member whose predecessor is known no more was not the first one.
            if previous.isNone, !position.isFirst { continue }
            let isMoved = transaction.moveMember(
                position.member, behind: previous.isNone ? nil : previous, of: list.owner,
                list.slot,
                in: list.table)
            if isMoved { waiting.remove(MemberKey(list: list, member: position.member)) }
        }
        for position in positions.reversed()
        where !position.list.owner.isNone && !position.next.isNone {
            let (list, next) = (position.list, position.next)
            let key = MemberKey(list: list, member: position.member)
            guard waiting.contains(key),
                !waiting.contains(MemberKey(list: list, member: next))
            else { continue }
            let isMoved = transaction.moveMember(
                position.member, before: next, of: list.owner, list.slot, in: list.table)
            if isMoved { waiting.remove(key) }
        }
    }

    /// Brings members where others have saved them, behind the next one before them that is there; returns those.
    private func arrangeSavedMembers(in transaction: Transaction) -> Set<MemberKey> {
        guard let overtaking else { return [] }
        var waiting = Set(
            positions.lazy.filter(\.isSaved).map { MemberKey(list: $0.list, member: $0.member) })
        var arranged: Set<MemberKey> = []
        for position in positions {
            let list = position.list
            guard waiting.contains(MemberKey(list: list, member: position.member)),
                let saved = overtaking.orderedLists(list.slot, in: list.table)
            else { continue }
            let members = transaction.layout.destination(of: list.slot, in: list.table)
            func isThere(_ member: Row) -> Bool {
                transaction.contains(member, in: members)
                    && transaction.isMember(member, of: list.owner, list.slot, in: list.table)
            }
            var chain = [position.member]
            var previous = saved.previous(position.member, of: list.owner)
            while !previous.isNone {
                if waiting.contains(MemberKey(list: list, member: previous)) {
                    chain.append(previous)
                } else if isThere(previous) {
                    break
                }
                previous = saved.previous(previous, of: list.owner)
            }
            for member in chain.reversed() {
                let key = MemberKey(list: list, member: member)
                waiting.remove(key)
                guard isThere(member) else { continue }
                transaction.moveMember(
                    member, behind: previous.isNone ? nil : previous, of: list.owner, list.slot,
                    in: list.table)
                arranged.insert(key)
                previous = member
            }
        }
        return arranged
    }
}

/// The rows of objects by their numbers, also of those that are about to come back.
private struct KnownRows {
    let graph: Graph
    /// For each row of an object that comes back how often it was used before.
    var returning: [RowAddress: Int32] = [:]

    /// The row of the object of a number, whether it lives or comes back; `Row.none` where there is none.
    func row(of number: Int64, in table: TableNumber) -> Row {
        if let row = graph.row(of: number, in: table) { return row }
        guard let (row, generation) = graph.rowAndGeneration(of: number, in: table),
            returning[RowAddress(table: table, row: row)] == generation
        else { return Row.none }
        return row
    }

    /// Whether a to-one relationship leads nowhere that led to an object which is about to come back: a rule had kept
    /// the link when that went.
    func hasLost(_ value: Delta.Value, _ row: Row, _ slot: Slot, in table: TableNumber) -> Bool {
        guard case .object(let number, _) = value, graph.reference(row, slot, in: table).isNone
        else { return false }
        let destination = graph.layout.destination(of: slot, in: table)
        let target = self.row(of: number, in: destination)
        return returning[RowAddress(table: destination, row: target)] != nil
    }
}

extension Transaction {
    /// Writes the value of an attribute; objects are links, and made with those.
    func write(_ value: Delta.Value, _ row: Row, _ slot: Slot, in table: TableNumber) {
        switch value {
        case .attribute(let datum): write(datum, row, slot, in: table)
        case .blob(let blob): write(blob, true, row, slot, table)
        case .object: break
        }
    }
}

extension Graph {
    /// Whether a property of a row is this, to the last bit.
    func holds(
        _ value: Delta.Value, _ row: Row, _ slot: Slot, in table: TableNumber
    ) -> Bool {
        let column = tables[table].columns[slot]
        switch value {
        case .object(let number, _):
            let destination = layout.destination(of: slot, in: table)
            return self.number(of: reference(row, slot, in: table), in: destination) == number
        case .blob(let blob):
            return column.isValid(at: row) && column.element(Blob.self, at: row) == blob
        case .attribute(.null): return !column.isValid(at: row)
        case .attribute(let datum):
            return column.isValid(at: row) && column.holds(datum, at: row)
        }
    }

    /// Whether the other end of a one-to-one relationship has got a partner that it had not when changes
    /// were made.
    fileprivate func isTaken(
        _ target: Row, of slot: Slot, in table: TableNumber, but row: Row, _ rival: Int64
    ) -> Bool {
        guard !target.isNone, case .oneToOne(let other) = layout.tables[table].relationships[slot]
        else { return false }
        let partner = reference(target, other.column, in: other.table)
        return !partner.isNone && partner != row && number(of: partner, in: table) != rival
    }
}

extension Column {
    /// Whether a row holds a value, to the last bit.
    fileprivate func holds(_ datum: Datum, at row: Row) -> Bool {
        func holds<Element: ColumnElement>(_ type: Element.Type) -> Bool {
            datum.element(of: type).map { element(type, at: row).isIdentical(to: $0) } ?? false
        }
        return switch kind {
        case .boolean: holds(Bool.self)
        case .integer: holds(Int64.self)
        case .double: holds(Double.self)
        case .decimal: holds(Decimal.self)
        case .string: holds(String.self)
        case .uuid: holds(UUID.self)
        case .data: holds(Data.self)
        case .blob, .reference: false
        }
    }
}
