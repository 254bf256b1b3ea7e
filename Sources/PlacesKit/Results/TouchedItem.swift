/// An item that a change may have affected, with where it was and where it is.
///
/// It came if it has no old position, and went if it has no new one.
struct TouchedItem<Identifier: Hashable & Sendable> {
    let identifier: Identifier
    var oldPosition: ItemPosition?
    var newPosition: ItemPosition?
}
