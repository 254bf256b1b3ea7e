/// An item that a change may have affected, with where it was and where it is.
///
/// It came if it has no old position, and went if it has no new one.
struct TouchedItem<Identifier: Hashable & Sendable> {
    let identifier: Identifier
    var oldPosition: ItemPosition?
    var newPosition: ItemPosition?
    /// The properties that changed, by their names.
    var properties: Set<String> = []
    /// Whether it is to be told even where it stays.
    var isChanged = true
    /// Whether another label of its section is not its own doing.
    var keepsSectionOwner = false
}

/// A section that had or has touched items, with its index and label before and after.
///
/// It came if it has no old index, and went if it has no new one.
struct SectionFate {
    var oldIndex: Int?
    var newIndex: Int?
    var oldLabel = SectionLabel.none
    var newLabel = SectionLabel.none
}
