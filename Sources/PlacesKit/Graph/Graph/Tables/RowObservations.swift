import Observation
import Synchronization

/// Who wants to know, through the Observation framework, of changes to which properties of rows.
///
/// A row gets a registrar when it is first read where reads are being tracked, and loses it when all
/// that was read has changed: nobody is told twice of one read. Nor is who reads again while he is told
/// of a change told of the rest of it: what is told is read by other key paths from then on.
final class RowObservations {
    /// A key path of a row to tell of.
    struct Notice {
        fileprivate let registrar: ObservationRegistrar
        fileprivate let keyPath: KeyPath<ObservedRow, Bool>
    }

    private struct Entry {
        let registrar = ObservationRegistrar()
        /// What was read, without slots that share a member.
        var mask: PropertyMask = []
        /// Those of them that were read.
        var shared: Set<Slot> = []
        /// What is read by its second key path now.
        var turned: PropertyMask = []
        /// The same of the slots that share a member.
        var turnedShared: Set<Slot> = []

        var isEmpty: Bool { mask.isEmpty && shared.isEmpty }
    }

    /// The observed rows by table.
    private var entries: [[Row: Entry]]
    /// Those of them whose objects were gone already when they were read.
    private var gone: Set<RowAddress> = []
    /// Changes of observed rows that nobody was told of.
    private var touched:
        ContiguousArray<(table: TableNumber, row: Row, mask: PropertyMask, slot: Slot?)> = []
    /// Whether those that were touched are parts of a change that is not complete.
    private var isHeld = false
    private let probe = ObservationRegistrar()
    /// Here, for looking up what is static takes as long as all the rest of a read.
    private let probePath = \ObservedRow.[ReadProbe()]

    init(tables: Int) {
        entries = Array(repeating: [:], count: tables)
    }

    /// Whether reads on this thread are being tracked.
    ///
    /// The framework does not say; but it takes the hash of a key path exactly if they are. Another
    /// thread's tracking may make this true for no reason, which does no harm.
    var isTracking: Bool {
        let before = ReadProbe.hashes.load(ordering: .relaxed)
        probe.access(ObservedRow(), keyPath: probePath)
        return ReadProbe.hashes.load(ordering: .relaxed) != before
    }

    /// Remembers that a property of a row is being read; without a slot whether the row exists.
    func insert(
        _ mask: PropertyMask, _ slot: Slot?, _ row: Row, in table: TableNumber, isGone: Bool
    ) {
        var entry = entries[table][row] ?? Entry()
        let keyPaths: [KeyPath<ObservedRow, Bool>]
        if let slot, slot.isShared {
            entry.shared.insert(slot)
            keyPaths = [ObservedRow.keyPath(slot, isTurned: entry.turnedShared.contains(slot))]
        } else {
            entry.mask.formUnion(mask)
            keyPaths = ObservedRow.keyPaths(mask, turned: entry.turned)
        }
        entries[table][row] = entry
        if isGone { gone.insert(RowAddress(table: table, row: row)) }
        for keyPath in keyPaths {
            entry.registrar.access(ObservedRow(), keyPath: keyPath)
        }
    }

    /// Remembers that a row changed, if anybody observes it, until `tell` is called: in the middle
    /// of a change nobody may look at the graph.
    func touch(_ mask: PropertyMask, _ slot: Slot?, _ row: Row, in table: TableNumber) {
        // Asked for its index, for the entry would be copied.
        if entries[table].index(forKey: row) != nil { touched.append((table, row, mask, slot)) }
    }

    /// Remembers, instead of all that `change` touches, what came of it in the end.
    func touch(by change: () -> ChangeSet) -> ChangeSet {
        let former = touched
        let changes = change()
        touched = former
        forEachRow(in: changes) { mask, row, table, isChanged in
            touch(mask.subtracting(.shared), nil, row, in: table)
            guard mask.contains(.shared) else { return }
            for slot in entries[table][row]?.shared ?? [] where isChanged(slot) {
                touch(.shared, slot, row, in: table)
            }
        }
        return changes
    }

    /// Tells of the rows that were touched.
    func tell() { tell(takeNotices()) }

    /// Takes what is to be told of the rows that were touched; who reads them from now on is not told of it.
    func takeNotices() -> [Notice] {
        guard !touched.isEmpty, !isHeld else { return [] }
        let changes = touched
        touched = []
        var notices: [Notice] = []
        for (table, row, mask, slot) in changes {
            take(mask, row, in: table, to: &notices) { $0 == slot }
        }
        return notices
    }

    /// Makes a change in several steps, each of which would tell, and tells when all are made.
    func tellOnce(_ change: () -> Void) {
        let wasHeld = isHeld
        isHeld = true
        change()
        isHeld = wasHeld
        tell()
    }

    /// Tells of a change and, as it says it all, no more of the rows that were touched.
    func tell(_ changes: ChangeSet) {
        touched = []
        var notices: [Notice] = []
        forEachRow(in: changes) { take($0, $1, in: $2, to: &notices, $3) }
        tell(notices)
    }

    /// Calls a closure with what changed of each row, in tables in which rows are observed; `isChanged` says it of those
    /// slots that share a member of the mask.
    private func forEachRow(
        in changes: ChangeSet,
        _ body: (
            _ mask: PropertyMask, _ row: Row, _ table: TableNumber, _ isChanged: (Slot) -> Bool
        ) -> Void
    ) {
        for table in changes.tables.tableNumbers where !entries[table].isEmpty {
            let rows = changes.tables[table]
            for row in rows.inserted { body(.inserted, row, table) { _ in true } }
            for row in rows.deleted { body(.deleted, row, table) { _ in true } }
            for update in rows.updated {
                body(update.changes, update.row, table) {
                    changes.hasChanged(update, $0, in: table)
                }
            }
        }
        for address in gone { look(at: address, from: changes.before, to: changes.after, body) }
    }

    /// Calls a closure with what changed of a row that is gone: the changes do not have what a rule kept of its links, or
    /// what is derived over them.
    private func look(
        at address: RowAddress, from before: Graph, to after: Graph,
        _ body: (PropertyMask, Row, TableNumber, (Slot) -> Bool) -> Void
    ) {
        let (row, table) = (address.row, address.table)
        guard !before.contains(row, in: table), !after.contains(row, in: table),
            let read = entries[table][row]?.mask
        else { return }
        let changed = after.changes(from: before, row, among: read, in: table)
        body(changed.union(.shared), row, table) {
            after.differs(from: before, row, $0, in: table)
        }
    }

    /// Takes what was read of a row and has changed, to be told; `isChanged` says it of those slots that share a member
    /// of the mask.
    private func take(
        _ mask: PropertyMask, _ row: Row, in table: TableNumber, to notices: inout [Notice],
        _ isChanged: (Slot) -> Bool
    ) {
        guard var entry = entries[table][row] else { return }
        let isWhole = mask.contains(.deleted) || mask.contains(.inserted)
        let told = isWhole ? entry.mask : entry.mask.intersection(mask)
        let shared =
            isWhole ? entry.shared : mask.contains(.shared) ? entry.shared.filter(isChanged) : []
        guard !told.isEmpty || !shared.isEmpty else { return }
        for keyPath in ObservedRow.keyPaths(told, turned: entry.turned) {
            notices.append(Notice(registrar: entry.registrar, keyPath: keyPath))
        }
        for slot in shared {
            let isTurned = entry.turnedShared.contains(slot)
            let keyPath = ObservedRow.keyPath(slot, isTurned: isTurned)
            notices.append(Notice(registrar: entry.registrar, keyPath: keyPath))
        }
        entry.mask.subtract(told)
        entry.shared.subtract(shared)
        entry.turned.formSymmetricDifference(told)
        entry.turnedShared.formSymmetricDifference(shared)
        entries[table][row] = entry.isEmpty ? nil : entry
        if entry.isEmpty, !gone.isEmpty { gone.remove(RowAddress(table: table, row: row)) }
    }

    /// Calls whoever observes; what he reads or changes meanwhile is a matter of its own.
    func tell(_ notices: [Notice]) {
        for notice in notices {
            notice.registrar.withMutation(of: ObservedRow(), keyPath: notice.keyPath) {}
        }
    }
}

/// What registrars take to be observed: its key paths stand for a row's properties.
private struct ObservedRow: Observable {
    subscript(bit bit: Int) -> Bool { false }
    subscript(probe: ReadProbe) -> Bool { false }

    /// Two for each member of a mask.
    private static let bits: [any KeyPath<ObservedRow, Bool> & Sendable] = (0..<128).map {
        \ObservedRow.[bit: $0]
    }

    /// The key paths of the members of a mask, the second ones of those that are turned.
    static func keyPaths(
        _ mask: PropertyMask, turned: PropertyMask
    ) -> [KeyPath<ObservedRow, Bool>] {
        var keyPaths: [KeyPath<ObservedRow, Bool>] = []
        var rest = mask.rawValue
        while rest != 0 {
            let bit = rest.trailingZeroBitCount
            let isTurned = turned.rawValue & (1 << UInt64(bit)) != 0
            keyPaths.append(bits[2 * bit + (isTurned ? 1 : 0)])
            rest &= rest - 1
        }
        return keyPaths
    }

    /// The key path of a slot that shares a member of a mask.
    static func keyPath(_ slot: Slot, isTurned: Bool) -> KeyPath<ObservedRow, Bool> {
        \ObservedRow.[bit: bits.count + 2 * slot.index + (isTurned ? 1 : 0)]
    }
}

/// An index that counts how often its hash is taken.
private struct ReadProbe: Hashable, Sendable {
    static let hashes = Atomic(0)
    private var salt = 0

    func hash(into hasher: inout Hasher) {
        Self.hashes.wrappingAdd(1, ordering: .relaxed)
        hasher.combine(salt)
    }
}
