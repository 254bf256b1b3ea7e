/// What happened to sections and items between two snapshots of the same results.
///
/// The convention is the one of table views and of Core Data's results controller:
///
/// - What goes is in **old** coordinates: deletes, and where moves come from, say where things were
///   before anything happened.
/// - What comes is in **new** coordinates: inserts, and where moves lead to, say where things are
///   when everything has happened.
/// - What merely shifts, because a neighbour came or went, is not mentioned.
///
/// Each item occurs at most once in a difference. It is deleted, inserted, moved (which implies that
/// it may look different), or updated in place (and then has an old and a new position, which
/// differ if its neighbours shifted it). An item that changes its section is moved.
///
/// A section is deleted when its last item goes, inserted when its first one comes, and those items
/// are reported too: *every* item of a deleted section is a delete or the start of a move, *every*
/// item of an inserted one an insert or the end of a move. A section that changes its position among
/// the others is moved, and takes along what it holds. A section that has another key or name, and
/// what it held, is renamed, and may be moved besides.
///
/// So a plain list of lists replays a difference, and any order within a step will do if the
/// removals run from the back and the insertions from the front:
///
/// 1. Remove the items of ``itemDeletes`` and ``itemMoves`` at their old positions.
/// 2. Take out the sections of ``sectionDeletes``, empty by now, and of ``sectionMoves``, with what
///    they still hold, at their old indices.
/// 3. Insert the sections of ``sectionInserts``, still empty, and of ``sectionMoves`` at their new
///    indices; rename those of ``sectionRenames``.
/// 4. Insert the items of ``itemInserts`` and ``itemMoves`` at their new positions.
/// 5. Reload the items of ``itemUpdates`` at their new positions.
///
/// ``ResultsSnapshot/applying(_:)`` does so.
public struct ResultsDifference<Identifier: Hashable & Sendable>: Hashable, Sendable {
    /// A section that goes or comes.
    public struct SectionEdit: Hashable, Sendable {
        /// What the section is told by.
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
        /// What the section was told by before the whole change.
        public let oldKey: SectionKey

        /// What the section is told by after the whole change.
        public let key: SectionKey

        /// The section's name before the whole change.
        public let oldName: String

        /// The section's name after the whole change.
        public let name: String

        /// Where the section was before the whole change.
        public let oldIndex: Int

        /// Where the section is after the whole change.
        public let newIndex: Int

        init(from old: SectionLabel, at oldIndex: Int, to new: SectionLabel, at newIndex: Int) {
            (oldKey, oldName) = (old.key, old.name)
            (key, name) = (new.key, new.name)
            (self.oldIndex, self.newIndex) = (oldIndex, newIndex)
        }
    }

    /// An item that goes or comes.
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

        /// Where the item was before the whole change.
        public let oldPosition: ItemPosition

        /// Where the item is after the whole change.
        public let newPosition: ItemPosition

        /// The names of the properties that changed: of the object itself, and of related ones that
        /// the results look at, as in `takenAt.name`.
        ///
        /// None where it is not known what a computed property read.
        public let properties: Set<String>
    }

    /// The sections that went, by ascending old index.
    public let sectionDeletes: [SectionEdit]

    /// The sections that came, by ascending new index.
    public let sectionInserts: [SectionEdit]

    /// The sections that changed their positions among the others, by ascending old index.
    public let sectionMoves: [SectionTransition]

    /// The sections that have other keys or names, and what they held, by ascending old index.
    public let sectionRenames: [SectionTransition]

    /// The items that went, by ascending old position.
    public let itemDeletes: [ItemEdit]

    /// The items that came, by ascending new position.
    public let itemInserts: [ItemEdit]

    /// The items that changed their order or their section, by ascending old position.
    public let itemMoves: [ItemTransition]

    /// The items that changed without moving, by ascending old position.
    public let itemUpdates: [ItemTransition]

    /// Whether nothing happened.
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
}

extension ResultsDifference {
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
