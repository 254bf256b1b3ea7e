/// The handles of the rows: found, made, kept, and used for other rows.
extension ObjectTable {
    /// The object of a row, which the context keeps for who asks again: the live handle, or a new one.
    func keptObject(_ row: Row) -> ManagedObject { handle(row) ?? makeKeptObject(row) }

    /// The same for a row that somebody remembers as that of a generation; `nil` for none, for one that only another
    /// context has, and for one that is another object's by now.
    func keptObject(remembered row: Row, of generation: Int32) -> ManagedObject? {
        guard transaction.access[number].hasRoom(for: row),
            transaction.generation(row, in: number) == generation
        else { return nil }
        return keptObject(row)
    }

    @inline(never)
    private func makeKeptObject(_ row: Row) -> ManagedObject {
        if isShared, let table = table(of: row), table !== self { return table.makeKeptObject(row) }
        guard kept.pointee.isOpen else { return makeObject(row) }
        if let handle = kept.reuse(for: row, of: self) {
            awake(handle)
            if handle.holdsRow { kept.remove(handle) }
            return handle
        }
        let object = makeObject(row)
        if !object.holdsRow { kept.keep(object) }
        return object
    }

    /// The object of a row: the live handle, or a new one.
    func object(_ row: Row) -> ManagedObject { handle(row) ?? makeObject(row) }

    /// A new handle of a row that has none.
    @inline(never)
    private func makeObject(_ row: Row) -> ManagedObject {
        // The row of an insertion that was rolled back has no class: any will do that fits here.
        if isShared, let table = table(of: row), table !== self { return table.makeObject(row) }
        let object = type.init(seed(row))
        awake(object)
        return object
    }

    /// Tells an object that it got a handle, or keeps the row of one that is gone.
    @inline(__always)
    private func awake(_ object: ManagedObject) {
        if object._access.pointee.contains(object.row) {
            hooks.awakeFromFetch(object)
        } else {
            hold(object)
        }
    }

    /// Lets `handle` be that of a row: the live one, the one that it was where nobody else kept it,
    /// or a new one.
    func move(_ handle: inout ManagedObject?, to row: Row) {
        if !reuse(&handle, for: row) { handle = object(row) }
    }

    /// The same for a walk over many rows, whose own handle is spared for later while a row has a live one.
    func move(_ handle: inout ManagedObject?, to row: Row, sparing spare: inout ManagedObject?) {
        if !reuse(&handle, for: row) { replace(&handle, by: row, sparing: &spare) }
    }

    @inline(never)
    private func replace(
        _ handle: inout ManagedObject?, by row: Row, sparing spare: inout ManagedObject?
    ) {
        if let live = self.handle(row) {
            if isKnownUniquelyReferenced(&handle) { spare = handle }
            handle = live
        } else if reuse(&spare, for: row) {
            handle = spare
            spare = nil
        } else {
            handle = makeObject(row)
        }
    }

    /// Lets `handle` be that of a row, which it becomes if nobody else kept it and the row has none.
    @inline(__always)
    private func reuse(_ handle: inout ManagedObject?, for row: Row) -> Bool {
        guard rebind(&handle, to: row) else { return false }
        Unmanaged.passUnretained(handle.unsafelyUnwrapped)._withUnsafeGuaranteedRef { awake($0) }
        return true
    }

    /// The same for a row that was just inserted.
    func insert(_ handle: inout ManagedObject?, _ row: Row) -> ManagedObject {
        if !rebind(&handle, to: row) { handle = type.init(seed(row)) }
        let object = handle.unsafelyUnwrapped
        hooks.awakeFromInsert(object)
        return object
    }

    /// The live handle of a row.
    func handle(_ row: Row) -> ManagedObject? {
        guard let address = directory.pointee.address(of: row)?.pointee else { return nil }
        return Unmanaged<ManagedObject>.fromOpaque(address).takeUnretainedValue()
    }

    /// All live handles of the objects of a hierarchy, given by its root.
    var liveHandles: [ManagedObject] { isRoot ? directory.pointee.liveHandles : [] }

    /// What a new handle of a row is made of.
    func seed(_ row: Row) -> ObjectSeed {
        ObjectSeed(
            table: self, access: transaction.access + number.index, row: row,
            state: ConstructionState(slots: slots))
    }

    /// Lets `object` be the handle of its row, unless the row has no class by which to know it.
    func register(_ object: ManagedObject) {
        if handleCount.pointee == 0 { _ = Unmanaged.passUnretained(state).retain() }
        handleCount.pointee &+= 1
        guard !isShared || table(of: object.row) === self else { return }
        directory.pointee.register(object)
    }

    /// Forgets a handle that goes away, and with it perhaps the context: nothing may follow.
    func unregister(_ object: ManagedObject) {
        directory.pointee.unregister(object)
        if object.holdsRow { releaseRow(of: object) }
        handleCount.pointee &-= 1
        if handleCount.pointee == 0 { Unmanaged.passUnretained(state).release() }
    }

    /// Keeps the row of a handle whose object is gone from being used again, until the handle goes.
    func hold(_ object: ManagedObject) {
        guard !object.holdsRow else { return }
        object.holdsRow = true
        state.heldRows[number, default: []].insert(object.row)
        state.store.rows.hold(RowAddress(table: number, row: object.row))
    }

    /// The same for the row of an object that is gone, if it has a handle.
    ///
    /// One that the context keeps ends by `endLostObjects()`, and not in the midst of what makes it go.
    func holdRow(of row: Row) {
        guard let handle = handle(row) else { return }
        if handle.keptPosition >= 0 { state.lostRows.append(RowAddress(table: number, row: row)) }
        hold(handle)
    }

    /// Lets the context keep the handle of a row no longer; it ends if nobody else holds it.
    func releaseKept(_ row: Row) {
        if let handle = handle(row) { handle.table?.kept.remove(handle) }
    }

    /// Ends the hold of a row, with its handle.
    private func releaseRow(of object: ManagedObject) {
        state.heldRows[number]?.remove(object.row)
        if state.heldRows[number]?.isEmpty == true { state.heldRows[number] = nil }
        state.store.rows.release(RowAddress(table: number, row: object.row))
    }

    /// Makes the handle of one row that of another; refused where the other row has a handle or
    /// is of another class, or where somebody besides `handle` refers to this one, even weakly.
    func rebind(_ handle: inout ManagedObject?, to row: Row) -> Bool {
        guard isPlain, isKnownUniquelyReferenced(&handle),
            let address = directory.pointee.address(of: row), address.pointee == nil
        else { return false }
        // Unmanaged, for a retain and a release would cost more than all the rest.
        return Unmanaged.passUnretained(handle.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
            guard !$0.holdsRow, _getWeakRetainCount($0) <= 1, _getUnownedRetainCount($0) <= 1,
                isShared ? canRebind($0, to: row) : $0.isHandle(of: self)
            else { return false }
            directory.pointee.address(of: $0.row)?.pointee = nil
            $0.row = row
            address.pointee = UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque())
            return true
        }
    }

    /// Whether a handle is registered, is of the class of another row, and has nothing of its own.
    private func canRebind(_ object: ManagedObject, to row: Row) -> Bool {
        guard let table = table(of: row) else { return false }
        return table.isPlain && object.table === table && handle(object.row) === object
    }

    /// Handles that lie where the handle of another row belongs, in words.
    var brokenInvariants: [String] {
        guard isRoot else { return kept.pointee.brokenInvariants }
        let end = Row(chunk: directory.pointee.capacity, offset: 0)
        return (Row(0)..<end).compactMap { row in
            guard let handle = handle(row),
                handle.row != row
                    || handle.table !== (isShared ? table(of: row) ?? handle.table : self)
            else { return nil }
            return "the handle of \(handle.objectID) lies at \(entity.name)/\(row)"
        } + kept.pointee.brokenInvariants
    }
}

extension ManagedObject {
    /// Whether this is the handle of a row of a table.
    @inline(__always)
    fileprivate final func isHandle(of table: ObjectTable) -> Bool {
        unmanagedTable?.toOpaque() == Unmanaged.passUnretained(table).toOpaque()
    }
}
