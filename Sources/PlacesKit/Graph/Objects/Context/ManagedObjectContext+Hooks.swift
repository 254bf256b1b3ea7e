/// Which calls of the objects' own life-cycle hooks are under way in a context.
struct HookCalls {
    /// How many `awakeFromInsert` have begun and not ended.
    var insertionDepth = 0
    /// How many `awakeFromFetch` have begun and not ended.
    var fetchDepth = 0
    /// Objects whose `awakeFromFetch` waits until the first one that has begun ends, and those that
    /// waited: kept, so that none is made, and wakes, again and again.
    var sleepers: [ManagedObject] = []
    /// What the objects are being asked, if anything, which no save and no telling may interrupt.
    var asking: Question?
    /// What is to be deleted when `prepareForDeletion` has returned; `nil` while it is not being called.
    var deletions: [Deletion]?

    /// An object that is to be deleted.
    struct Deletion {
        let table: ObjectTable
        let row: Row
        /// How often the row was used before the object: what hooks do may end it, and give its row to another.
        private let generation: Int32

        init(of row: Row, from table: ObjectTable) {
            (self.table, self.row) = (table, row)
            generation = table.transaction.generation(row, in: table.number)
        }

        /// Whether the object is still there, and the row its own.
        var isDue: Bool {
            table.transaction.contains(row, in: table.number)
                && generation == table.transaction.generation(row, in: table.number)
        }
    }

    /// What objects are asked by a save, or for one.
    enum Question {
        /// `willSave`, or `didSave`.
        case save
        /// `validate`: what it changes is not part of the changes that it is about.
        case validate
    }

    /// How often hooks may lead to further calls of hooks before that counts as endless.
    static let limit = 100

    /// How often others may commit while a save checks its changes, until that counts as the work of a hook: long before,
    /// the save goes first.
    static let longestContest = 1_000
}

// MARK: - Awaking

/// At a fixed address, for every handle that is made or moved comes by here.
extension UnsafeMutablePointer<HookCalls> {
    /// Tells a new object that it was inserted.
    func awakeFromInsert(_ object: ManagedObject) {
        guard pointee.insertionDepth < HookCalls.limit else {
            object.context?.note(.endlessHook("awakeFromInsert", object.objectID))
            return
        }
        // A row that came inside the closure of a derived attribute is gone already.
        guard object._access.pointee.contains(object.row) else {
            object.table?.hold(object)
            return
        }
        pointee.insertionDepth &+= 1
        object.awakeFromInsert()
        pointee.insertionDepth &-= 1
    }

    /// Tells an object that it got a handle.
    ///
    /// Objects that wake each other one after the other do so in a loop, not each inside the other.
    @inline(__always)
    func awakeFromFetch(_ object: ManagedObject) {
        guard pointee.fetchDepth < HookCalls.limit else {
            pointee.sleepers.append(object)
            return
        }
        pointee.fetchDepth &+= 1
        object.awakeFromFetch()
        pointee.fetchDepth &-= 1
        if pointee.fetchDepth == 0, !pointee.sleepers.isEmpty { awakeSleepers() }
    }

    @inline(never)
    private func awakeSleepers() {
        pointee.fetchDepth += 1
        var position = 0
        while position < pointee.sleepers.count {
            let object = pointee.sleepers[position]
            object.awakeFromFetch()
            position += 1
        }
        pointee.fetchDepth -= 1
        pointee.sleepers = []
    }
}

// MARK: - Saving

extension ManagedObjectContext {
    /// Whether what the context shows can't be taken or replaced now: `validate` is asked about it, or a derived value
    /// is made of it halfway through a write.
    var isHeld: Bool { hooks.pointee.asking == .validate || isComputing }

    /// What somebody is told who tries to take or replace it nevertheless.
    var refusal: ContextError { isComputing ? .changeInsideDerivation : .saveInsideHook }

    /// Whether a derived value is made here, or in a context that this one descends from: its save may be what writes there.
    private var isComputing: Bool {
        var context: ManagedObjectContext? = self
        while let present = context {
            if present.transaction.isComputing { return true }
            context = present.parent
        }
        return false
    }

    /// Lets objects prepare for the save, and those that they change or insert by it.
    ///
    /// Each object is asked once. Listeners hear of all that as of one change.
    func prepareToSave() throws(ContextError) {
        defer { tellBatches() }
        var asked: ChangeSet?
        for _ in 0..<HookCalls.limit {
            guard let changes = unsaved.changes.all, !changes.isEmpty else { return }
            let objects = SavedRows(in: changes, except: asked)
            guard !objects.isEmpty else { return }
            let version = transaction.version
            call(objects) { $0.willSave() }
            gatherChanges()
            guard transaction.version != version else { return }
            asked = changes
        }
        guard let changes = unsaved.changes.all,
            let (table, row) = SavedRows(in: changes, except: asked).first
        else { return }
        throw .endlessHook("willSave", changes.after.objectID(row, in: table))
    }

    /// Stops a save whose changes were overtaken so often while they were checked that most likely a `validate`
    /// commits.
    func checkContest(_ rounds: Int, over changes: ChangeSet) throws(ContextError) {
        guard rounds >= HookCalls.longestContest,
            let (table, row) = SavedRows(in: changes, except: nil).first
        else { return }
        throw .endlessHook("validate", changes.after.objectID(row, in: table))
    }

    /// Tells objects that they were saved.
    func tellSaved(_ changes: ChangeSet) {
        call(SavedRows(in: changes, except: nil)) { $0.didSave() }
    }

    private func call(_ objects: SavedRows, _ hook: (ManagedObject) -> Void) {
        hooks.pointee.asking = .save
        defer { hooks.pointee.asking = nil }
        for number in objects.rows.tableNumbers where !objects.rows[number].isEmpty {
            let table = state.tables[number]
            var handle: ManagedObject?
            for row in objects.rows[number] where transaction.contains(row, in: number) {
                table.move(&handle, to: row)
                // Unmanaged, for a retain and a release would cost more than an empty hook.
                Unmanaged.passUnretained(handle.unsafelyUnwrapped)._withUnsafeGuaranteedRef(hook)
            }
        }
    }
}

/// The rows of the objects that a save inserts or updates, by table.
private struct SavedRows {
    private(set) var rows: [ContiguousArray<Row>]

    /// Those of a change that are not part of an earlier state of it.
    init(in changes: ChangeSet, except earlier: ChangeSet?) {
        rows = changes.tables.tableNumbers.map { table in
            let new = changes.tables[table]
            guard let old = earlier?.tables[table] else {
                return new.inserted + new.updated.map(\.row)
            }
            let known = Set(old.inserted).union(old.updated.lazy.map(\.row))
            return new.inserted.filter { !known.contains($0) }
                + new.updated.lazy.map(\.row).filter { !known.contains($0) }
        }
    }

    var isEmpty: Bool { rows.allSatisfy(\.isEmpty) }

    var first: (table: TableNumber, row: Row)? {
        rows.tableNumbers.lazy.compactMap { table in rows[table].first.map { (table, $0) } }.first
    }
}
