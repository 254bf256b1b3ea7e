extension ResultsDifference {
    /// What happened to a section.
    public enum SectionEvent: Hashable, Sendable {
        /// It went.
        case delete(SectionEdit)
        /// It came.
        case insert(SectionEdit)
        /// It changed its position among the others.
        case move(SectionTransition)
        /// It has another name.
        case rename(SectionTransition)
    }

    /// What happened to an item.
    public enum ItemEvent: Hashable, Sendable {
        /// It went.
        case delete(ItemEdit)
        /// It came.
        case insert(ItemEdit)
        /// It changed its order or its section.
        case move(ItemTransition)
        /// It changed without moving.
        case update(ItemTransition)
    }

    /// All events of sections: deletes, inserts, moves, and other names.
    public var sectionEvents: [SectionEvent] {
        sectionDeletes.map { .delete($0) } + sectionInserts.map { .insert($0) }
            + sectionMoves.map { .move($0) } + sectionRenames.map { .rename($0) }
    }

    /// All events of items: deletes, inserts, moves and updates.
    public var itemEvents: [ItemEvent] {
        itemDeletes.map { .delete($0) } + itemInserts.map { .insert($0) }
            + itemMoves.map { .move($0) } + itemUpdates.map { .update($0) }
    }
}
