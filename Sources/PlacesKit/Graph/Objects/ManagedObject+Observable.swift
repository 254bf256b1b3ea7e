extension ManagedObjectContext {
    /// Whether `withObservationTracking` can observe the objects.
    ///
    /// It can in a context that was made on an actor. In other contexts hardly anybody observes,
    /// and every read would take some 15 nanoseconds longer; set this if you do observe there.
    public var isObservable: Bool {
        get { transaction.isTracked }
        set { transaction.isTracked = newValue }
    }
}

extension ManagedObject {
    /// Tells the Observation framework that a property is read, if it wants to know.
    @inlinable @inline(__always)
    final func noteRead(_ slot: Slot) {
        if _access.pointee.isTracked {
            PlacesGraph.noteRead(_access, row, slot.rawValue)
        }
    }

    /// Tells the Observation framework that `isDeleted` is read, if it wants to know.
    final func noteExistenceRead() {
        guard _access.pointee.isTracked,
            let transaction = _access.pointee.transaction?.takeUnretainedValue()
        else {
            return
        }
        transaction.noteExistenceRead(row, in: TableNumber(_access - transaction.access))
    }
}
