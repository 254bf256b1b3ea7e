/// What a new handle needs: its context and its row.
///
/// Only PlacesKit can make one, so every object comes from `init(context:)` or from a fetch.
@_documentation(visibility: internal)
public struct ObjectSeed {
    /// Kept alive by the context.
    let table: Unmanaged<ObjectTable>?
    let access: UnsafeMutablePointer<TableAccess>
    let row: Row
    /// The state of an object whose making this one interrupts.
    let interrupted: ConstructionState

    /// Begins the making of an object: the next property initialisers on this thread are its own.
    init(
        table: ObjectTable?, access: UnsafeMutablePointer<TableAccess>, row: Row,
        state: ConstructionState
    ) {
        self.table = table.map(Unmanaged.passUnretained)
        self.access = access
        self.row = row
        let current = ConstructionState.current
        interrupted = current.pointee
        current.pointee = state
    }
}
