public import PlacesGraph

/// A plain list of lists that replays results changes, as a table view would.
///
/// It trusts nothing: it performs each step by itself, and throws at each mistake. Replay every
/// change of a results controller, and it shows that each change continues the one before and is
/// complete and correct.
///
/// ```swift
/// var recorder = ResultsRecorder(results.snapshot)
/// try recorder.replay(change)
/// #expect(recorder.changes.count == 1)
/// ```
public struct ResultsRecorder<Identifier: Hashable & Sendable> {
    /// A section of the plain list.
    public struct Section: Equatable {
        /// The key that identifies the section.
        public var key: SectionKey

        /// The section's name.
        public var name: String

        /// The section's items in their order.
        public var items: [Identifier]
    }

    /// The list after the changes so far.
    public private(set) var sections: [Section]

    /// The changes replayed so far.
    public private(set) var changes: [ResultsChange<Identifier>] = []

    /// Creates a recorder whose list begins with a snapshot.
    public init(_ snapshot: ResultsSnapshot<Identifier>) {
        sections = Self.sections(of: snapshot)
    }

    /// Replays a change onto the list.
    ///
    /// - Parameter change: The next change of the results.
    /// - Throws: ``ResultsMismatch`` if the change does not begin with the list, contradicts
    ///   itself, or leads to another list than it says.
    public mutating func replay(_ change: ResultsChange<Identifier>) throws(ResultsMismatch) {
        try expect(change.before, "before the change")
        try Self.checkOneEventForEachItem(change.difference)

        let difference = change.difference
        let departures =
            difference.itemDeletes.map { ($0.identifier, $0.position) }
            + difference.itemMoves.map { ($0.identifier, $0.oldPosition) }
        for (identifier, position) in departures.sorted(by: { $0.1 > $1.1 }) {
            try remove(identifier, at: position)
        }
        try replaySections(of: difference)
        let arrivals =
            difference.itemInserts.map { ($0.identifier, $0.position) }
            + difference.itemMoves.map { ($0.identifier, $0.newPosition) }
        for (identifier, position) in arrivals.sorted(by: { $0.1 < $1.1 }) {
            try insert(identifier, at: position)
        }

        try expect(change.after, "after the change")
        for section in difference.sectionRenames + difference.sectionMoves {
            try check(section.key, section.name, at: section.newIndex)
        }
        for update in difference.itemUpdates {
            try Self.check(update, from: change.before, to: change.after)
        }
        changes.append(change)
    }

    private mutating func remove(
        _ identifier: Identifier, at position: ItemPosition
    ) throws(ResultsMismatch) {
        guard sections.indices.contains(position.section),
            sections[position.section].items.indices.contains(position.item),
            sections[position.section].items[position.item] == identifier
        else { throw .notThere(item: "\(identifier)", position) }
        sections[position.section].items.remove(at: position.item)
    }

    private mutating func insert(
        _ identifier: Identifier, at position: ItemPosition
    ) throws(ResultsMismatch) {
        guard sections.indices.contains(position.section),
            (0...sections[position.section].items.count).contains(position.item)
        else { throw .noPlace(item: "\(identifier)", position) }
        sections[position.section].items.insert(identifier, at: position.item)
    }

    /// Removes the sections that are deleted or move, and inserts those that are new or moved.
    private mutating func replaySections(
        of difference: ResultsDifference<Identifier>
    ) throws(ResultsMismatch) {
        for rename in difference.sectionRenames {
            try check(rename.oldKey, rename.oldName, at: rename.oldIndex)
            guard rename.key != rename.oldKey || rename.name != rename.oldName else {
                throw .sectionNotRenamed(name: rename.name)
            }
            sections[rename.oldIndex].key = rename.key
            sections[rename.oldIndex].name = rename.name
        }
        var renames: [Int: ResultsDifference<Identifier>.SectionTransition] = [:]
        for rename in difference.sectionRenames { renames[rename.oldIndex] = rename }

        var moving: [Int: Section] = [:]
        let departures: [(index: Int, key: SectionKey, name: String, target: Int?)] =
            difference.sectionDeletes.map { ($0.index, $0.key, $0.name, nil) }
            + difference.sectionMoves.map { move in
                let rename = renames[move.oldIndex]
                return (
                    move.oldIndex, rename?.key ?? move.oldKey, rename?.name ?? move.oldName,
                    move.newIndex
                )
            }
        for (index, key, name, target) in departures.sorted(by: { $0.index > $1.index }) {
            try check(key, name, at: index)
            let section = sections.remove(at: index)
            if let target {
                moving[target] = section
            } else if !section.items.isEmpty {
                throw .sectionNotEmpty(name: name, items: "\(section.items)")
            }
        }
        let arrivals =
            difference.sectionInserts.map {
                ($0.index, Section(key: $0.key, name: $0.name, items: []))
            }
            + moving.map { ($0.key, $0.value) }
        for (index, section) in arrivals.sorted(by: { $0.0 < $1.0 }) {
            guard (0...sections.count).contains(index) else {
                throw .noPlaceForSection(name: section.name, index)
            }
            sections.insert(section, at: index)
        }
    }

    private func check(
        _ key: SectionKey, _ name: String, at index: Int
    ) throws(ResultsMismatch) {
        guard sections.indices.contains(index), sections[index].key == key,
            sections[index].name == name
        else {
            throw .sectionNotThere(name: name, index)
        }
    }

    private static func sections(of snapshot: ResultsSnapshot<Identifier>) -> [Section] {
        snapshot.sections.enumerated().map { index, section in
            Section(
                key: section.key, name: section.name,
                items: Array(snapshot.identifiers(inSection: index)))
        }
    }

    private static func describe(_ sections: [Section]) -> String {
        sections.map { "\($0.name): \($0.items)" }.joined(separator: ", ")
    }

    private func expect(
        _ snapshot: ResultsSnapshot<Identifier>, _ moment: String
    ) throws(ResultsMismatch) {
        let expected = Self.sections(of: snapshot)
        guard sections == expected else {
            throw .differentList(
                moment, expected: Self.describe(expected), found: Self.describe(sections))
        }
    }

    private static func checkOneEventForEachItem(
        _ difference: ResultsDifference<Identifier>
    ) throws(ResultsMismatch) {
        let identifiers =
            (difference.itemDeletes + difference.itemInserts).map(\.identifier)
            + (difference.itemMoves + difference.itemUpdates).map(\.identifier)
        var seen: Set<Identifier> = []
        for identifier in identifiers where !seen.insert(identifier).inserted {
            throw .reportedTwice(item: "\(identifier)")
        }
    }

    private static func check(
        _ update: ResultsDifference<Identifier>.ItemTransition,
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>
    ) throws(ResultsMismatch) {
        guard before.identifier(at: update.oldPosition) == update.identifier else {
            throw .notThere(item: "\(update.identifier)", update.oldPosition)
        }
        guard after.identifier(at: update.newPosition) == update.identifier else {
            throw .notThere(item: "\(update.identifier)", update.newPosition)
        }
    }
}
