/// One change of a query's results: the results before, the results after, and the difference.
///
/// It is a value: ``before`` still has the old positions while a list applies the difference, and
/// `before.applying(difference)` is ``after``.
public struct ResultsChange<Identifier: Hashable & Sendable>: Hashable, Sendable {
    /// The results before the change.
    public let before: ResultsSnapshot<Identifier>

    /// The results after the change.
    public let after: ResultsSnapshot<Identifier>

    /// The difference between the results before and after the change.
    public let difference: ResultsDifference<Identifier>

    /// The items that changed, and the names of their changed properties; not those that merely came
    /// or went because of others.
    let touched: [Identifier: Set<String>]

    /// Creates the change between two snapshots.
    ///
    /// - Parameters:
    ///   - before: The results before the change.
    ///   - after: The results after the change.
    ///   - touched: The items that were inserted, deleted or updated, or may have moved.
    public init(
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>,
        touched: Set<Identifier>
    ) {
        self.init(
            from: before, to: after,
            touched: Dictionary(uniqueKeysWithValues: touched.map { ($0, []) }))
    }

    /// Creates the change between two snapshots, given the changed items and their properties.
    init(
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>,
        touched: [Identifier: Set<String>]
    ) {
        self.init(
            from: before, to: after,
            difference: after.storage.listed.difference(
                from: before.storage.listed, touched: touched), touched: touched)
    }

    /// Creates a change whose difference is known.
    init(
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>,
        difference: ResultsDifference<Identifier>, touched: [Identifier: Set<String>] = [:]
    ) {
        self.before = before
        self.after = after
        self.difference = difference
        self.touched = touched
    }

    /// Whether the change has no events, not even an update.
    public var isEmpty: Bool { difference.isEmpty }

    /// The items to reload in a diffable list, besides applying the identifiers of ``after``.
    ///
    /// They are the items whose content changed, whether they moved or not.
    public var reloadedIdentifiers: [Identifier] {
        (difference.itemMoves + difference.itemUpdates).map(\.identifier)
            .filter { touched[$0] != nil }
    }

    /// Joins this change with a later one that begins where this one ends.
    ///
    /// Items that were inserted and deleted again are left out, and each item has at most one
    /// event. An item that was away in between and is there again is an update if it may have
    /// changed.
    ///
    /// - Complexity: O(k log n) for k events of both, if both are changes of a controller whose
    ///   request was compiled; otherwise O(n).
    public func followed(by later: Self) -> Self {
        var both = ResultsBacklog(self)
        both.append(ResultsBacklog(later))
        return both.change
    }

    /// The change between two snapshots, given what changed on the way, what merely came, went or moved, and which of all
    /// those were away for a while.
    init(
        joining touched: [Identifier: Set<String>], others: Set<Identifier>,
        away: Set<Identifier>, from before: ResultsSnapshot<Identifier>,
        to after: ResultsSnapshot<Identifier>
    ) {
        var touched = touched
        touched.merge(Self.changes(of: away, from: before, to: after)) { $0.union($1) }
        if let difference = Self.difference(
            from: before, to: after, touched: touched, others: others)
        {
            self.init(from: before, to: after, difference: difference, touched: touched)
        } else {
            self.init(from: before, to: after, touched: touched)
        }
    }

    /// What changed of items that were away and are back, found by comparing: nobody looked at them meanwhile.
    private static func changes(
        of away: Set<Identifier>, from before: ResultsSnapshot<Identifier>,
        to after: ResultsSnapshot<Identifier>
    ) -> [Identifier: Set<String>] {
        guard !away.isEmpty else { return [:] }
        let (wasThere, isThere) = (before.containment, after.containment)
        let (old, new) = (before.storage as? RankedResults, after.storage as? RankedResults)
        var changes: [Identifier: Set<String>] = [:]
        for identifier in away where wasThere(identifier) && isThere(identifier) {
            guard let old, let new, let id = identifier as? ObjectID,
                let row = new.graph.row(of: id, in: new.query.table)
            else {
                // What a group was is not known any more.
                changes[identifier] = []
                continue
            }
            let names = new.changedProperties(of: row, since: old)
            if !names.isEmpty || old.query.readsOthers || new.query.readsOthers {
                changes[identifier] = names
            }
        }
        return changes
    }

    /// The difference between two states of the same ordered trees; `nil` where they are others.
    private static func difference(
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>,
        touched: [Identifier: Set<String>], others: Set<Identifier>
    ) -> ResultsDifference<Identifier>? {
        guard let old = before.storage as? RankedResults, let new = after.storage as? RankedResults,
            old.lineage == new.lineage, !new.query.isOpaque
        else { return nil }
        var fates: [SectionKey: SectionFate] = [:]
        func note(_ position: ItemPosition?, in results: RankedResults, isNew: Bool) {
            guard let index = position?.section else { return }
            let label = results.section(at: index).label
            if isNew {
                fates[label.key, default: SectionFate()].newIndex = index
            } else {
                fates[label.key, default: SectionFate()].oldIndex = index
            }
            fates[label.key]?.oldLabel = label
            fates[label.key]?.newLabel = label
        }
        var items: [TouchedItem<Identifier>] = []
        for identifier in others.union(touched.keys) {
            var item = TouchedItem(
                identifier: identifier, oldPosition: before.position(of: identifier),
                newPosition: after.position(of: identifier))
            guard item.oldPosition != nil || item.newPosition != nil else { continue }
            item.isChanged = touched[identifier] != nil
            item.properties = touched[identifier] ?? []
            if let id = identifier as? ObjectID,
                let row = new.graph.row(of: id, in: new.query.table)
            {
                item.keepsSectionOwner = new.query.keepsSectionOwner(
                    row, from: old.graph, to: new.graph)
            }
            note(item.oldPosition, in: old, isNew: false)
            note(item.newPosition, in: new, isNew: true)
            items.append(item)
        }
        // The items may tell of a section before or after the change only; it may be there both times.
        for (key, fate) in fates {
            if fate.oldIndex == nil { fates[key]?.oldIndex = old.index(ofSection: key) }
            if fate.newIndex == nil { fates[key]?.newIndex = new.index(ofSection: key) }
        }
        return ResultsDifference(items, Array(fates.values))
    }
}
