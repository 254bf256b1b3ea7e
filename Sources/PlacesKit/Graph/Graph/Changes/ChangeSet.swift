/// What one batch of changes did: the graph before, the graph after, and the rows that differ.
///
/// It is the one account of a change. Saves, merges, results controllers and listeners all read it.
struct ChangeSet: Sendable {
    /// Apart, for a change is handed from one to the next, and two graphs are a dozen counted references.
    private final class Content: Sendable {
        let before: Graph
        let after: Graph
        let tables: [TableChanges]
        let rows: ChangedRows

        init(
            before: Graph, after: Graph, tables: [TableChanges], rows: ChangedRows = ChangedRows()
        ) {
            self.before = before
            self.after = after
            self.tables = tables
            self.rows = rows
        }
    }

    private var content: Content

    init(before: Graph, after: Graph, tables: [TableChanges]) {
        content = Content(before: before, after: after, tables: tables)
    }

    /// The graph as it was.
    var before: Graph { content.before }
    /// The graph as it is now.
    var after: Graph {
        get { content.after }
        set {
            content = Content(
                before: before, after: newValue, tables: tables, rows: content.rows)
        }
    }
    /// The changes of each entity, by its number.
    var tables: [TableChanges] {
        get { content.tables }
        set { content = Content(before: before, after: after, tables: newValue) }
    }

    /// Whether nothing changed.
    var isEmpty: Bool { tables.allSatisfy(\.isEmpty) }

    /// What happened to a row of a table; `nil` for nothing.
    ///
    /// - Complexity: O(1) on average, if it is asked for often; O(n) for n changed rows of the table at first.
    func change(of row: Row, in table: TableNumber) -> RowChange? {
        content.rows.change(of: row, in: table, content.tables[table])
    }

    /// Whether a property of any row may have changed, or rows came or went.
    func hasChanged(_ slot: Slot, in table: TableNumber) -> Bool {
        !tables[table].inserted.isEmpty || !tables[table].deleted.isEmpty
            || tables[table].updated.contains { $0.changes.contains(PropertyMask(slot: slot)) }
    }

    /// The changes with all slots that were written, also those that share one member of a mask.
    var writes: [TableChanges] {
        var writes = tables
        for table in tables.tableNumbers
        where after.layout.tables[table].relationships.slots.upperBound > .firstShared {
            for update in tables[table].updated where update.changes.contains(.shared) {
                let changed = after.sharedSlots(of: update.row, in: table).filter {
                    hasChanged(update, $0, in: table)
                }
                writes[table].beyondMask[update.row] = Set(changed)
            }
        }
        return writes
    }

    /// Whether a row that changed is in `later`, a graph that came after the change, not as it was in `first`, one
    /// that came before it.
    func isVisible(in later: Graph, since first: Graph) -> Bool {
        tables.tableNumbers.contains { table in
            func differs(_ row: Row, _ mask: PropertyMask) -> Bool {
                let isThere = later.contains(row, in: table)
                guard first.contains(row, in: table) == isThere else { return true }
                return isThere && later.isChanged(row, among: mask, since: first, in: table)
            }
            let rows = tables[table]
            return rows.inserted.contains { differs($0, .all) }
                || rows.deleted.contains { differs($0, .all) }
                || rows.updated.contains { differs($0.row, $0.changes) }
        }
    }

    /// This change followed by `later`, as one: what came and went again is left out.
    func merging(_ later: ChangeSet) -> ChangeSet {
        var merged = tables
        for table in tables.tableNumbers {
            merged[table].append(later.tables[table]) { row in
                before.contains(row, in: table)
            } net: { row, mask in
                later.after.changes(from: before, row, among: mask, in: table)
            }
            merged[table].relinked.removeAll { !later.after.relinks($0, since: before, in: table) }
        }
        return ChangeSet(before: before, after: later.after, tables: merged)
    }
}

/// What changed in one entity's table.
struct TableChanges: Sendable {
    /// Rows that are new, in the order in which they came.
    var inserted: ContiguousArray<Row> = []
    /// Rows that are gone.
    var deleted: ContiguousArray<Row> = []
    /// Rows that are gone, and were not there before, whose links changed that forbid their delete.
    var relinked: ContiguousArray<Row> = []
    /// Rows that were there before and are there now, with other values.
    var updated: ContiguousArray<RowUpdate> = []
    /// Which of the slots that share one member of a mask changed of updated rows, where it is not just those whose
    /// values differ, or somebody asked.
    var beyondMask: [Row: Set<Slot>] = [:]

    /// Whether nothing changed.
    var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && updated.isEmpty }

    /// How many rows changed.
    var count: Int { inserted.count + deleted.count + updated.count }

    /// Lets `later` follow these changes.
    ///
    /// `isOld` says whether a row was there before them, `net` what is left of the changes of a row.
    /// Many small changes may follow a large one, so what did not change again is not hashed.
    fileprivate mutating func append(
        _ later: TableChanges, isOld: (Row) -> Bool, net: (Row, PropertyMask) -> PropertyMask
    ) {
        if !later.deleted.isEmpty {
            let gone = Set(later.deleted)
            inserted.removeAll(where: gone.contains)
            updated.removeAll { gone.contains($0.row) }
        }
        deleted += later.deleted.filter(isOld)
        var repeated = later.updated.filter { isOld($0.row) }
        let returned = Set(later.inserted.filter(isOld))
        inserted += later.inserted.filter { !returned.contains($0) }
        if !returned.isEmpty {
            deleted.removeAll(where: returned.contains)
            repeated += returned.sorted().compactMap { row in
                let changes = net(row, .all)
                return changes.isEmpty ? nil : RowUpdate(row: row, changes: changes)
            }
        }
        let positions = positions(of: repeated)
        for update in repeated {
            if let position = positions[update.row] {
                let changes = updated[position].changes.union(update.changes)
                updated[position].changes = net(update.row, changes)
            } else {
                updated.append(update)
            }
        }
        if !positions.isEmpty { updated.removeAll { $0.changes.isEmpty } }
        let known = Set(relinked)
        relinked += later.relinked.filter { !known.contains($0) }
    }

    /// Leaves out of updated rows what other changes do not write; rows that the others insert keep all their updates.
    mutating func keepUpdates(alsoIn other: TableChanges) {
        let new = Set(other.inserted)
        let masks = Dictionary(
            uniqueKeysWithValues: other.updated.lazy.map { ($0.row, $0.changes) })
        for index in updated.indices where !new.contains(updated[index].row) {
            updated[index].changes.formIntersection(masks[updated[index].row] ?? [])
        }
        updated.removeAll { $0.changes.isEmpty }
        for (row, slots) in beyondMask where !new.contains(row) {
            beyondMask[row] = slots.intersection(other.beyondMask[row] ?? [])
        }
    }

    /// Where rows that changed again are among the updated ones.
    private func positions(of repeated: [RowUpdate]) -> [Row: Int] {
        guard !repeated.isEmpty else { return [:] }
        let rows = Set(repeated.map(\.row))
        var positions: [Row: Int] = [:]
        for (position, update) in updated.enumerated()
        where rows.count == 1 ? update.row == repeated[0].row : rows.contains(update.row) {
            positions[update.row] = position
        }
        return positions
    }
}

/// A row whose values changed, and which of them.
struct RowUpdate: Sendable, Equatable {
    var row: Row
    var changes: PropertyMask
}

/// A set of property slots of one entity.
///
/// The slots from 61 on share one member, so an entity may have any number of properties. Whoever asks about one of
/// those compares its values, too.
@usableFromInline
struct PropertyMask: OptionSet, Hashable, Sendable {
    @usableFromInline let rawValue: UInt64

    @inlinable
    init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The mask of one slot.
    @inlinable @inline(__always)
    init(slot: Slot) {
        rawValue = 1 &<< UInt64(truncatingIfNeeded: Swift.min(slot.rawValue, 61))
    }

    /// The members of some slots.
    init(slots: some Sequence<Slot>) { self.init(slots.map { PropertyMask(slot: $0) }) }

    /// The member of the slots that share one.
    static let shared = PropertyMask(slot: .firstShared)
    /// Every slot.
    static let all = PropertyMask(rawValue: 1 << 62 - 1)
    /// Not a slot: the row was deleted in this batch.
    static let deleted = PropertyMask(rawValue: 1 << 62)
    /// Not a slot: the row was inserted in this batch.
    static let inserted = PropertyMask(rawValue: 1 << 63)
}

extension Slot {
    /// The first of the slots that share a member of masks.
    static var firstShared: Slot { Slot(61) }

    /// Whether it shares a member of masks.
    var isShared: Bool { self >= .firstShared }
}
