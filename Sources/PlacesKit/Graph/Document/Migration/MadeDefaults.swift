/// The defaults that a migration made for objects, where each is another.
///
/// No file has them. Whoever reads a document again goes on with them, so that objects do not seem to change.
struct MadeDefaults: Sendable {
    private struct Place: Hashable {
        /// The number of the object's entity.
        var entity: Int
        var slot: Slot
        /// The object's number.
        var object: Int64
    }

    private var values: [Place: Datum] = [:]

    /// The default of an attribute of an object; `nil` where none was made.
    subscript(entity: Int, slot: Slot, of object: Int64) -> Datum? {
        get { values[Place(entity: entity, slot: slot, object: object)] }
        set { values[Place(entity: entity, slot: slot, object: object)] = newValue }
    }
}
