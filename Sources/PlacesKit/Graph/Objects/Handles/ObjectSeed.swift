/// What a new handle needs: its context and its row.
///
/// Only PlacesKit can make one, so every object comes from `init(context:)` or a fetch.
@_documentation(visibility: internal)
public struct ObjectSeed {
    /// Kept alive by the context.
    let table: Unmanaged<ObjectTable>?
    let access: UnsafeMutablePointer<TableAccess>
    let row: Row
    /// The state of this thread, and that of an object whose making this one interrupts.
    private let state: UnsafeMutablePointer<ConstructionState>
    private let interrupted: ConstructionState

    /// Begins the making of an object: the next property initialisers on this thread are its own.
    init(
        table: ObjectTable?, access: UnsafeMutablePointer<TableAccess>, row: Row,
        state: ConstructionState
    ) {
        self.table = table.map(Unmanaged.passUnretained)
        self.access = access
        self.row = row
        self.state = ConstructionState.current
        interrupted = self.state.pointee
        self.state.pointee = state
    }

    /// Ends the making of the object: the next property initialisers are those of the object that it interrupted.
    func end() { state.pointee = interrupted }
}
