extension ResultsDifference {
    /// An event of a section.
    public enum SectionEvent: Hashable, Sendable {
        /// The section was deleted.
        case delete(SectionEdit)
        /// The section was inserted.
        case insert(SectionEdit)
        /// The section changed its position among the others.
        case move(SectionTransition)
        /// The section has another name.
        case rename(SectionTransition)
    }

    /// An event of an item.
    public enum ItemEvent: Hashable, Sendable {
        /// The item was deleted.
        case delete(ItemEdit)
        /// The item was inserted.
        case insert(ItemEdit)
        /// The item changed its order or its section.
        case move(ItemTransition)
        /// The item changed without moving.
        case update(ItemTransition)
    }

    /// All events of sections: deletes, inserts, moves and renames.
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
