/// What takes a batch of changes back, in values: it holds no graph, so keeping it keeps no chunks.
///
/// A delta is made of a change set when that is registered for undo, and `Transaction.apply` makes its
/// changes on whatever the graph is by then. It knows objects by their numbers, for the row of an object
/// that is gone may be given to another; but those that it brings back, or may, it holds.
struct Delta: Sendable {
    /// The number of no object.
    static let noObject: Int64 = -1

    /// What a property holds.
    enum Value {
        case attribute(Datum)
        /// Bytes with external storage, whose file is shared and not read.
        case blob(Blob)
        /// Where a to-one relationship leads, and in a one-to-one relationship whose partner the other
        /// end was when the changes were made, which it must still be.
        case object(Int64, rival: Int64)
    }

    /// A property that gets another value.
    struct Change {
        var object: Int64
        var table: TableNumber
        var slot: Slot
        var value: Value
        /// What it must still hold to be changed; `nil` for an object that comes back.
        var former: Value?
        /// Whether the object is gone before and after, and leads elsewhere by a link that forbade its delete.
        var isOfGone = false
    }

    /// An object that comes back.
    struct Return {
        var object: Int64
        var table: TableNumber
        var kind: Int32
        /// Whether it was saved.
        var wasSaved: Bool
    }

    /// An object that goes.
    struct Departure: Hashable {
        var object: Int64
        var table: TableNumber
    }

    /// Two objects that are joined or parted by an edge of a table.
    struct Pair {
        var first: Int64
        var second: Int64
        var table: TableNumber
        var isJoined: Bool
        /// Whether they were joined in what was saved.
        var wasSaved: Bool
    }

    /// Where a member of a to-many relationship belongs: between two others, if there are any.
    struct Position {
        var table: TableNumber
        var slot: Slot
        var owner: Int64
        var member: Int64
        var previous: Int64
        var next: Int64
        /// Whether the member comes to the list; if it is there already, it stays where it is.
        var isNew: Bool
        /// Whether it was there in an ordered relationship as it was saved.
        var wasSaved: Bool

        fileprivate var place: Place {
            Place(table: table, slot: slot, owner: owner, member: member)
        }
    }

    /// A member and its list.
    fileprivate struct Place: Hashable {
        var table: TableNumber
        var slot: Slot
        var owner: Int64
        var member: Int64
    }

    /// The properties by their tables and slots, those of objects that come back first.
    private(set) var changes: ContiguousArray<Change> = []
    private(set) var returns: ContiguousArray<Return> = []
    private(set) var departures: ContiguousArray<Departure> = []
    /// Those that are parted first.
    private(set) var pairs: ContiguousArray<Pair> = []
    /// The members that come to a list or move in it; those of one list in its order.
    private(set) var positions: ContiguousArray<Position> = []
    /// Keeps the rows of objects that came or went from being used again.
    private let heldRows: HeldRows?
    /// The number of the commit on which the changes were made, and how often their context had saved by then.
    private let base: (number: Int, saves: Int)
    /// About how many bytes the delta takes.
    private(set) var byteCount = 0

    /// What takes changes back that a context has made on top of what was saved.
    ///
    /// - Complexity: O(k) for k changed properties and links; O(k log n) where members of ordered
    ///   lists of n were moved.
    init(undoing changes: ChangeSet, of rows: RowAllocator, over saved: SavedGraph) {
        let (from, to) = (changes.after, changes.before)
        heldRows = HeldRows(changes, of: rows)
        base = (saved.number, saved.saves)
        let inverse = changes.inverse
        let kept = KeptLinks(inverse)
        for table in inverse.tables.tableNumbers
        where !inverse.tables[table].isEmpty || !inverse.tables[table].relinked.isEmpty
            || kept.areThere(in: table)
        {
            returns += inverse.tables[table].inserted.map {
                Return(
                    object: to.number(of: $0, in: table), table: table,
                    kind: to.kind($0, in: table),
                    wasSaved: saved.graph.contains($0, in: table))
            }
            departures += inverse.tables[table].deleted.map {
                Departure(object: from.number(of: $0, in: table), table: table)
            }
            for slot in to.layout.tables[table].valueSlots {
                add(slot, in: table, of: inverse, kept.led(by: slot, in: table))
            }
        }
        for move in ListMoves(inverse, kept).all {
            let members = to.layout.destination(of: move.slot, in: move.table)
            positions.append(
                Position(
                    table: move.table, slot: move.slot,
                    owner: to.number(of: move.owner, in: move.table),
                    member: to.number(of: move.member, in: members),
                    previous: to.number(of: move.previous, in: members),
                    next: to.number(of: move.next, in: members), isNew: move.isNew,
                    wasSaved: saved.agrees(with: move)))
        }
        for table in inverse.changedEdges {
            addPairs(in: table, of: inverse, kept.led(by: .firstEnd, in: table), saved)
        }
        byteCount = ownByteCount
    }

    /// Adds the values of a property, where kept links lead, for members that lead nowhere by then, and where objects
    /// lead as they go, or have led since.
    private mutating func add(
        _ slot: Slot, in table: TableNumber, of inverse: ChangeSet, _ kept: Set<Row>
    ) {
        let (from, to) = (inverse.before, inverse.after)
        var rows = inverse.rows(changing: slot, in: table)
        rows += kept
        rows += inverse.departed(leadingElsewhereBy: slot, in: table)
        if to.layout.tables[table].relationships[slot] != nil {
            rows = ContiguousArray(to.links(from: rows, slot, in: table).map(\.row))
        }
        for row in rows {
            let isReturn = !from.contains(row, in: table) && to.contains(row, in: table)
            // What an object's entity lacks it does not have when it comes back either.
            if isReturn, !to.holds(slot, row, in: table) { continue }
            var former: Value?
            if kept.contains(row) {
                former = .object(Delta.noObject, rival: Delta.noObject)
            } else if !isReturn {
                former = from.content(row, slot, in: table, rivals: from)
            }
            changes.append(
                Change(
                    object: (isReturn ? to : from).number(of: row, in: table), table: table,
                    slot: slot, value: to.content(row, slot, in: table, rivals: from),
                    former: former,
                    isOfGone: !isReturn && !from.contains(row, in: table)))
        }
    }

    /// Adds the pairs that edges of a table join or part, and those that were joined by kept ones.
    private mutating func addPairs(
        in table: TableNumber, of inverse: ChangeSet, _ kept: Set<Row>, _ saved: SavedGraph
    ) {
        let (from, to) = (inverse.before, inverse.after)
        guard let (first, second) = to.layout.edgeLists(of: table) else { return }
        let (parted, joined) = to.edges(differingFrom: from, in: table)
        // Each is numbered where it is joined: in the other graph its row may be no object's, or another's.
        func pair(_ ends: EdgeEnds, in graph: Graph, isJoined: Bool) -> Pair {
            Pair(
                first: graph.number(of: ends.first, in: first.owners),
                second: graph.number(of: ends.second, in: second.owners), table: table,
                isJoined: isJoined, wasSaved: saved.joins(ends, first, second) ?? false)
        }
        pairs += parted.map { pair($0, in: from, isJoined: false) }
        pairs += to.sequenced(joined + kept, first, second).map {
            pair(to.ends(of: $0, in: table), in: to, isJoined: true)
        }
    }

    /// Whether others have saved since, and the context itself has not: then what is saved as the changes left it is
    /// others' work.
    func isOvertaken(by saved: SavedGraph) -> Bool {
        base.saves == saved.saves && base.number != saved.number
    }

    /// Leaves what others have done as well as they saved it, before the context saves itself: what is saved then is
    /// as much theirs as its own.
    mutating func settle(over saved: SavedGraph) {
        guard isOvertaken(by: saved) else { return }
        let graph = saved.graph
        func row(_ object: Int64, in table: TableNumber) -> Row {
            graph.rowAndGeneration(of: object, in: table)?.row ?? Row.none
        }
        returns.removeAll {
            $0.wasSaved && !graph.contains(row($0.object, in: $0.table), in: $0.table)
        }
        var arranged: [Place] = []
        pairs.removeAll { pair in
            guard let (first, second) = graph.layout.edgeLists(of: pair.table) else {
                return false
            }
            let ends = EdgeEnds(
                first: row(pair.first, in: first.owners),
                second: row(pair.second, in: second.owners))
            guard let isSaved = saved.joins(ends, first, second), isSaved != pair.wasSaved else {
                return false
            }
            guard isSaved, !pair.isJoined else { return true }
            for (list, owner, member) in [
                (first, pair.first, pair.second), (second, pair.second, pair.first),
            ] {
                guard let slot = list.ownerSlot, list.order != nil else { continue }
                arranged.append(
                    Place(table: list.owners, slot: slot, owner: owner, member: member))
            }
            return true
        }
        arranged += positions.filter(\.wasSaved).map(\.place)
        settlePositions(of: arranged, in: saved)
        byteCount = ownByteCount
    }

    /// Lets members go where others have saved them, if they are there: nothing is left of own moves.
    private mutating func settlePositions(of members: [Place], in saved: SavedGraph) {
        let graph = saved.graph
        var places = Dictionary(
            positions.lazy.map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
        let order = positions.map(\.place) + members
        for place in members {
            let (table, slot) = (place.table, place.slot)
            let destination = graph.layout.destination(of: slot, in: table)
            guard let lists = saved.orderedLists(slot, in: table),
                let owner = graph.rowAndGeneration(of: place.owner, in: table)?.row,
                let member = graph.rowAndGeneration(of: place.member, in: destination)?.row,
                lists.link(member, of: owner) != nil
            else { continue }
            func number(_ row: Row) -> Int64 { graph.number(of: row, in: destination) }
            places[place] = Position(
                table: table, slot: slot, owner: place.owner, member: place.member,
                previous: number(lists.previous(member, of: owner)),
                next: number(lists.next(member, of: owner)), isNew: false, wasSaved: false)
        }
        positions = []
        for var place in order {
            // Whom a member comes behind comes before it.
            var chain: [Position] = []
            while let position = places.removeValue(forKey: place) {
                chain.append(position)
                place.member = position.previous
            }
            positions += chain.reversed()
        }
    }

    /// Whether the changes were made after a context had saved so often.
    func isMade(after saves: Int) -> Bool { base.saves >= saves }

    private var ownByteCount: Int {
        func size<Element>(_ elements: ContiguousArray<Element>) -> Int {
            elements.isEmpty ? 0 : 48 + elements.capacity * MemoryLayout<Element>.stride
        }
        return changes.reduce(
            MemoryLayout<Delta>.size + size(changes) + size(returns) + size(departures)
                + size(pairs) + size(positions) + (returns.count + departures.count)
                * HeldRows.stride
        ) { $0 + $1.value.heapByteCount + ($1.former?.heapByteCount ?? 0) }
    }
}

extension Delta.Value {
    /// How many bytes are held beside the value itself; other holders may share them.
    fileprivate var heapByteCount: Int {
        switch self {
        // Up to 15 bytes of text lie in the value.
        case .attribute(.string(let text)): text.utf8.count > 15 ? 48 + text.utf8.count : 0
        case .attribute(.data(let bytes)): bytes.count > 14 ? 80 + bytes.count : 0
        case .attribute, .object: 0
        case .blob(let blob): 96 + blob.pendingCount
        }
    }
}

extension ChangeSet {
    /// The tables of edges that may have changed.
    fileprivate var changedEdges: [TableNumber] {
        var found: Set<TableNumber> = []
        for table in tables.tableNumbers where !tables[table].isEmpty {
            for (slot, relationship) in zip(
                after.layout.tables[table].relationships.slots,
                after.layout.tables[table].relationships)
            {
                guard case .manyToMany(let own, _) = relationship, hasChanged(slot, in: table)
                else { continue }
                found.insert(own.members)
            }
        }
        return found.sorted()
    }
}

extension Graph {
    /// Whether the entity of a row's object has the property in a slot.
    fileprivate func holds(_ slot: Slot, _ row: Row, in table: TableNumber) -> Bool {
        let layout = layout.tables[table]
        guard layout.kinds != nil else { return true }
        let kind = Int(max(0, kind(row, in: table)))
        return self.layout.entities[layout.entities[kind]].slots.contains(slot)
    }

    /// What a property of a row holds; in a one-to-one relationship with the partner that the other end
    /// has in another graph.
    fileprivate func content(
        _ row: Row, _ slot: Slot, in table: TableNumber, rivals: Graph
    ) -> Delta.Value {
        let column = tables[table].columns[slot]
        switch layout.tables[table].relationships[slot] {
        case .toOne(let list):
            return .object(
                number(of: reference(row, slot, in: table), in: list.owners),
                rival: Delta.noObject)
        case .oneToOne(let other):
            let target = reference(row, slot, in: table)
            let rival =
                target.isNone ? Row.none : rivals.reference(target, other.column, in: other.table)
            return .object(
                number(of: target, in: other.table), rival: rivals.number(of: rival, in: table))
        case .toMany, .manyToMany, nil:
            if column.kind == .blob, column.isValid(at: row) {
                return .blob(column.element(Blob.self, at: row))
            }
            return .attribute(datum(row, slot, in: table))
        }
    }
}
