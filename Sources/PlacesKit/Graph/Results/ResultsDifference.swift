/// The events of sections and items between two snapshots of the same results.
///
/// The convention is the one of table views and of Core Data's results controller:
///
/// - Deletes and the starts of moves have **old** coordinates: the positions before the whole
///   change.
/// - Inserts and the ends of moves have **new** coordinates: the positions after the whole change.
/// - Items that only shift because a neighbour was inserted or deleted are not mentioned.
///
/// Each item occurs at most once in a difference. It is deleted, inserted, moved, or updated in
/// place. A moved item may have changed too. An updated item has an old and a new position, which
/// differ if its neighbours shifted it. An item that changes its section is moved.
///
/// A section is deleted with its last item and inserted with its first one. Those items are
/// reported too: *every* item of a deleted section is a delete or the start of a move, *every* item
/// of an inserted section an insert or the end of a move. A section that changes its position among
/// the others is moved together with its items. A section that keeps its items but gets another key
/// or name is renamed, and may also be moved.
///
/// To replay a difference on a plain list of lists, take these steps in order. Within a step, go
/// from the back for removals and from the front for insertions:
///
/// 1. Remove the items of ``itemDeletes`` and ``itemMoves`` at their old positions.
/// 2. Remove the sections of ``sectionDeletes``, which are empty now, and those of
///    ``sectionMoves``, with their remaining items, at their old indices.
/// 3. Insert the sections of ``sectionInserts``, which are empty, and those of ``sectionMoves`` at
///    their new indices; rename those of ``sectionRenames``.
/// 4. Insert the items of ``itemInserts`` and ``itemMoves`` at their new positions.
/// 5. Reload the items of ``itemUpdates`` at their new positions.
///
/// ``ResultsSnapshot/applying(_:)`` does so.
public struct ResultsDifference<Identifier: Hashable & Sendable>: Hashable, Sendable {
    /// A section that is deleted or inserted.
    public struct SectionEdit: Hashable, Sendable {
        /// The key of the section.
        public let key: SectionKey

        /// The section's name.
        public let name: String

        /// The old index of a deleted section, the new one of an inserted section.
        public let index: Int

        init(_ label: SectionLabel, index: Int) {
            (key, name) = (label.key, label.name)
            self.index = index
        }
    }

    /// A section that stays, at another position or under another name.
    public struct SectionTransition: Hashable, Sendable {
        /// The section's key before the whole change.
        public let oldKey: SectionKey

        /// The section's key after the whole change.
        public let key: SectionKey

        /// The section's name before the whole change.
        public let oldName: String

        /// The section's name after the whole change.
        public let name: String

        /// The section's index before the whole change.
        public let oldIndex: Int

        /// The section's index after the whole change.
        public let newIndex: Int

        init(from old: SectionLabel, at oldIndex: Int, to new: SectionLabel, at newIndex: Int) {
            (oldKey, oldName) = (old.key, old.name)
            (key, name) = (new.key, new.name)
            (self.oldIndex, self.newIndex) = (oldIndex, newIndex)
        }
    }

    /// An item that is deleted or inserted.
    public struct ItemEdit: Hashable, Sendable {
        /// The item.
        public let identifier: Identifier

        /// The old position of a deleted item, the new one of an inserted item.
        public let position: ItemPosition
    }

    /// An item that stays among the results, moved or updated.
    public struct ItemTransition: Hashable, Sendable {
        /// The item.
        public let identifier: Identifier

        /// The item's position before the whole change.
        public let oldPosition: ItemPosition

        /// The item's position after the whole change.
        public let newPosition: ItemPosition

        /// The names of the changed properties, such as `title` or `takenAt.name`.
        ///
        /// They are properties of the object, and of related objects that the results read. The set
        /// is empty if PlacesKit does not know what a computed property read.
        public let properties: Set<String>
    }

    /// The deleted sections, by ascending old index.
    public let sectionDeletes: [SectionEdit]

    /// The inserted sections, by ascending new index.
    public let sectionInserts: [SectionEdit]

    /// The sections that changed their positions among the others, by ascending old index.
    public let sectionMoves: [SectionTransition]

    /// The sections that have other keys or names but keep their items, by ascending old index.
    public let sectionRenames: [SectionTransition]

    /// The deleted items, by ascending old position.
    public let itemDeletes: [ItemEdit]

    /// The inserted items, by ascending new position.
    public let itemInserts: [ItemEdit]

    /// The items that changed their order or their section, by ascending old position.
    public let itemMoves: [ItemTransition]

    /// The items that changed without moving, by ascending old position.
    public let itemUpdates: [ItemTransition]

    /// Whether there are no events.
    public var isEmpty: Bool { itemEventCount == 0 && !changesSections }

    /// Whether sections came, went, moved or were renamed.
    package var changesSections: Bool {
        !sectionDeletes.isEmpty || !sectionInserts.isEmpty || !sectionMoves.isEmpty
            || !sectionRenames.isEmpty
    }

    /// The number of items that are deleted, inserted, moved or updated.
    public var itemEventCount: Int {
        itemDeletes.count + itemInserts.count + itemMoves.count + itemUpdates.count
    }

    /// What is taken from its old position: the deleted items, and the moved ones.
    var departures: [ItemEdit] {
        itemDeletes
            + itemMoves.map { ItemEdit(identifier: $0.identifier, position: $0.oldPosition) }
    }

    /// What is put at its new position: the inserted items, and the moved ones.
    var arrivals: [ItemEdit] {
        itemInserts
            + itemMoves.map { ItemEdit(identifier: $0.identifier, position: $0.newPosition) }
    }

    /// All items that it names.
    var identifiers: [Identifier] {
        (itemDeletes + itemInserts).map(\.identifier)
            + (itemMoves + itemUpdates).map(\.identifier)
    }
}
