import PlacesKit

@testable import PlacesGraph
@testable import PlacesKitTests

extension RandomGraphRun {
    /// Mends what would refuse a save.
    mutating func repair(_ side: Int) throws {
        for _ in 0..<8 {
            let failures = sides[side].naive.failures(since: sides[side].base)
            guard failures != ([], [], []) else { return }
            let properties = failures.missing.union(failures.duplicates)
                .sorted { ($0.object.number, $0.name ?? "") < ($1.object.number, $1.name ?? "") }
            for property in properties {
                _ = try write(property.name ?? "", property.object, side)
            }
            let denied = failures.denied.sorted {
                ($0.object.entity, $0.object.number, $0.name ?? "")
                    < ($1.object.entity, $1.object.number, $1.name ?? "")
            }
            for property in denied {
                let name = property.name ?? ""
                let inverse = sides[side].naive.relationship(name, of: property.object)?.inverse
                for other in sides[side].naive.related(property.object, name) {
                    try part(other, inverse, from: property.object, name, side)
                }
            }
        }
    }

    /// Parts an object from one that is gone and leads to it; without an inverse only its delete does so.
    private mutating func part(
        _ other: ObjectID, _ inverse: String?, from id: ObjectID, _ name: String, _ side: Int
    ) throws {
        guard sides[side].naive.isAlive(other) else { return }
        let object = try object(other, side)
        guard let inverse else {
            sides[side].context.delete(object)
            return try followDelete(of: other, side)
        }
        if let set = access[other.entity]?.toMany[inverse] {
            guard let member = set.members(object).first(where: { $0.objectID == id }) else {
                throw fail("\(id) is no member of \(other).\(inverse)")
            }
            _ = set.remove(object, member)
        } else {
            access[other.entity]?.lead[inverse]?(object, nil)
        }
        sides[side].naive.unlink(id, name, other)
    }

    mutating func repairAndSave(_ side: Int) throws -> String {
        try repair(side)
        return "repair and \(try save(side))"
    }

    /// Merges what others saved, and saves at once: nothing is left to be merged by then.
    mutating func refreshAndSave(_ side: Int) throws -> String {
        try refresh(side)
        return "refresh and \(try save(side))"
    }

    mutating func save(_ side: Int) throws -> String {
        process(side)
        let base = sides[side].base
        let context = sides[side].context
        context.mergePolicy =
            generator.below(2) == 0 ? .error : generator.pick(MergePolicy.allCases)
        let isChild = side == Self.child
        let isRebased =
            isChild || context.fork.committed.number != context.store.commitNumber
            || !sides[side].unsettled.isEmpty
        // A parent is asked what it shows if there is anything to be saved.
        var isBehind = false
        if sides[side].naive.hasChanges(since: base) || !sides[side].unsettled.isEmpty {
            _ = head(of: side)
            isBehind = context.head.number != context.fork.committed.number
        }
        // What a save that was refused has asked answers for no other.
        world.hooks?.log.validated = [:]
        let error = ContextError.thrown(by: context.save)
        try followWillSave(side)
        defer { followDidSave(side) }
        let own = sides[side].naive
        var expected = Outcome.nothing
        var found: NaiveGraph.Conflicts = [:]
        var (isMerged, former) = (false, base)
        var unfolded = own
        if own.hasChanges(since: base) || !sides[side].unsettled.isEmpty {
            let head = head(of: side)
            former = head
            found = conflicts(of: side, with: head)
            let ended = deletedByBoth(found, side, head)
            if context.mergePolicy == .error, found.count > ended.count {
                expected = .conflict
                found = found.filter { ended[$0.key] == nil }
            } else {
                var merged = own
                if isRebased {
                    merged =
                        own.rebased(
                            onto: head, since: base, without: sides[side].effects,
                            settling: Set(found.keys), by: context.mergePolicy
                        ).graph
                }
                isMerged = isRebased || merged.hasDuplicates && context.mergePolicy != .error
                unfolded = merged
                merged.foldDuplicates(newSince: head, by: context.mergePolicy)
                expected = isValid(merged, head) ? .saved : .invalid
                let mayFold = unfolded.hasDuplicates && context.mergePolicy != .error
                if isBehind || !found.isEmpty || merged.hasChanges(since: unfolded)
                    || mayFold && expected == .invalid
                {
                    interrupt(side)
                }
                var effects = NaiveGraph.SideEffects()
                if expected == .invalid, isMerged {
                    let refused = merged
                    (merged, effects) = own.rebased(
                        onto: head, since: base, without: sides[side].effects,
                        settling: Set(found.keys), by: .error)
                    self.refused = refused.failures(since: head)
                } else {
                    self.refused = merged.failures(since: head)
                }
                show(merged, over: head, side)
                if expected == .invalid {
                    sides[side].unsettled = effects.leaving(found)
                    sides[side].effects = effects
                }
            }
        } else if !own.denied(since: base).isEmpty {
            expected = .invalid
            refused = own.failures(since: base)
        }
        switch error {
        case nil:
            if expected == .nothing { return "save nothing in \(side)" }
            if expected != .saved { throw fail("saved, and should be \(expected)") }
            saves += 1
            try followValidate(side, since: former)
            if isMerged {
                try adoptOrder(side, merged: (own, base, former, Set(found.keys)))
                joinFolds(of: unfolded, by: context.mergePolicy, side)
            }
            settleBatches(over: former, side)
            sides[side].saves += 1
            if isChild {
                try push()
            } else {
                commits.append(sides[side].naive.writes(since: head))
                // Its own writes it has shown already.
                sides[side].seen = commits.count
                sides[side].naive.sweep()
                head = sides[side].naive
            }
            show(sides[side].naive, over: sides[side].naive, side)
            return "save \(side) by \(context.mergePolicy), with \(found.count) conflicts"
        case .invalid(let failures):
            if expected != .invalid { throw fail("invalid: \(failures), expected \(expected)") }
            refusals += 1
            try compare(failures, refused)
            if isMerged {
                try adoptOrder(side, merged: (own, base, former, Set(found.keys)))
            }
            sides[side].processed = sides[side].naive
            return "save \(side) by \(context.mergePolicy), refused: \(failures.count) failures"
        case .conflict(let conflicts):
            if expected != .conflict {
                throw fail("conflict: \(conflicts), expected \(expected)")
            }
            self.conflicts += 1
            try compare(conflicts, Set(found.keys))
            return "save \(side), refused: \(conflicts.count) conflicts"
        case let error?: throw error
        }
    }

    private enum Outcome { case nothing, saved, invalid, conflict }

    mutating func refresh(_ side: Int) throws {
        process(side)
        let (own, base) = (sides[side].naive, sides[side].base)
        let head = head(of: side)
        let conflicts = conflicts(of: side, with: head)
        let context = sides[side].context
        let isBehind = context.head.number != context.fork.committed.number
        try refreshTelling(context)
        guard own.hasChanges(since: base) || !conflicts.isEmpty else {
            if isBehind { interrupt(side) }
            return show(head, over: head, side)
        }
        guard isBehind else { return }
        interrupt(side)
        let (merged, effects) = own.rebased(
            onto: head, since: base, without: sides[side].effects, settling: Set(conflicts.keys),
            by: .error)
        show(merged, over: head, side)
        (sides[side].unsettled, sides[side].effects) = (effects.leaving(conflicts), effects)
        try adoptOrder(side, merged: (own, base, head, Set(conflicts.keys)))
        sides[side].processed = sides[side].naive
    }

    /// Refreshes a context, which must tell of all that is different then, and of nothing else.
    private func refreshTelling(_ context: ManagedObjectContext) throws {
        context.processPendingChanges()
        let before = context.transaction.base
        var told: [ChangeSet] = []
        let token = context.addListener { told.append($0) }
        context.refreshAllObjects()
        context.removeListener(token)
        let different = ChangeSet(from: before, to: context.transaction.base).tables
        let empty = different.map { _ in TableChanges() }
        for (found, table) in zip(told.first?.tables ?? empty, different) {
            guard told.count <= 1, found.inserted == table.inserted,
                found.deleted == table.deleted, found.updated == table.updated
            else { throw fail("a refresh told of \(found), different is \(table)") }
        }
    }

    /// Lets a context show a graph, whose changes are those since `base`, without known conflicts.
    mutating func show(_ graph: NaiveGraph, over base: NaiveGraph, _ side: Int) {
        noteShown(graph, side)
        sides[side].naive = graph
        sides[side].base = base
        sides[side].processed = graph
        sides[side].unsettled = [:]
        sides[side].effects = NaiveGraph.SideEffects()
        sides[side].seen = side == Self.child ? shown.count : commits.count
    }

    /// Notes what the first context shows its child from now on: what others wrote, and what differs.
    mutating func noteShown(_ graph: NaiveGraph, _ side: Int) {
        guard side == 0 else { return }
        shown += commits[sides[0].seen...] + [graph.writes(since: sides[0].processed)]
        sides[0].seen = commits.count
    }

    /// The conflicts of a side's changes with what others saved.
    func conflicts(of side: Int, with head: NaiveGraph) -> NaiveGraph.Conflicts {
        let own = sides[side]
        let log = side == Self.child ? shown : commits
        let written = log[own.seen...].reduce(into: [:]) { written, commit in
            written.merge(commit) { $0.union($1) }
        }
        let met = own.naive.conflicts(
            with: head, since: own.base, without: own.effects, written: written,
            knowing: own.unsettled)
        return met.reduce(into: own.unsettled) { conflicts, conflict in
            conflicts[conflict, default: (own.base, [])].written
                .formUnion(written[conflict.object] ?? [])
        }
    }

    /// The objects of conflicts that both have deleted.
    private func deletedByBoth(
        _ conflicts: NaiveGraph.Conflicts, _ side: Int, _ head: NaiveGraph
    ) -> NaiveGraph.Conflicts {
        conflicts.filter { conflict, _ in
            !sides[side].naive.isAlive(conflict.object) && !head.isAlive(conflict.object)
                && sides[side].effects.buried[conflict.object] == nil
        }
    }

    private func isValid(_ graph: NaiveGraph, _ base: NaiveGraph) -> Bool {
        let failures = graph.failures(since: base)
        return failures.missing.isEmpty && failures.duplicates.isEmpty && failures.denied.isEmpty
    }

    private func compare(
        _ failures: [ValidationFailure], _ expected: NaiveGraph.Failures
    ) throws {
        func properties(
            _ isIncluded: (ValidationFailure.Reason) -> Bool
        ) -> Set<NaiveGraph.Property> {
            Set(
                failures.filter { isIncluded($0.reason) }
                    .map { NaiveGraph.Property(object: $0.object, name: $0.property) })
        }
        let duplicates = properties { if case .duplicateValue = $0 { true } else { false } }
        guard properties({ $0 == .missingValue }) == expected.missing,
            properties({ $0 == .deleteDenied }) == expected.denied,
            duplicates.isSubset(of: expected.duplicates),
            duplicates.isEmpty == expected.duplicates.isEmpty
        else { throw fail("failures \(failures), expected \(expected)") }
    }

    private func compare(
        _ found: [SaveConflict], _ expected: Set<NaiveGraph.Property>
    ) throws {
        let properties = Set(
            found.map { conflict in
                if case .otherProperties = conflict.reason {
                    return NaiveGraph.Property(
                        object: conflict.object, name: NaiveGraph.Property.besides)
                }
                var property = NaiveGraph.Property(
                    object: conflict.object, name: conflict.property)
                if case .moved(let member) = conflict.reason { property.member = member }
                return property
            })
        guard properties == expected, found.count == expected.count else {
            throw fail(
                "conflicts too many \(properties.subtracting(expected)), "
                    + "missing \(expected.subtracting(properties)) of \(found)")
        }
    }

    /// Own changes since what they were made on, what they were made again on, and the conflicts of both.
    typealias Merged = (
        own: NaiveGraph, base: NaiveGraph, head: NaiveGraph, conflicts: Set<NaiveGraph.Property>
    )

    /// Members keep no particular order through a merge: takes the graph's, if the members are right, and ordered lists
    /// of which the merged changes say nothing are in the order in which they were saved.
    mutating func adoptOrder(
        _ side: Int, ofOrdered: Bool = true, merged: Merged? = nil
    ) throws {
        for (id, object) in sides[side].naive.objects where object.isAlive {
            for (name, members) in object.toMany {
                guard let set = access[id.entity]?.toMany[name], ofOrdered || set.insertAt == nil
                else { continue }
                let actual = set.members(try self.object(id, side)).map(\.objectID)
                guard Set(actual) == Set(members), actual.count == members.count else {
                    throw fail("merged \(id).\(name) is \(actual) in \(side), expected \(members)")
                }
                if set.insertAt != nil, let merged,
                    let saved = merged.head.savedOrder(of: name, id, in: merged),
                    Set(saved) == Set(actual), saved != actual
                {
                    throw fail("merged \(id).\(name) is \(actual) in \(side), saved as \(saved)")
                }
                sides[side].naive.adopt(actual, of: name, id)
            }
        }
    }
}

extension NaiveGraph {
    /// The members of a list in this graph, on which changes were made again; `nil` where those are about the list.
    fileprivate func savedOrder(
        of name: String, _ id: ObjectID, in merged: RandomGraphRun.Merged
    ) -> [ObjectID]? {
        let (own, base) = (merged.own, merged.base)
        guard own.isAlive(id), base.isAlive(id), isAlive(id),
            own.related(id, name) == base.related(id, name),
            !merged.conflicts.contains(where: {
                $0.object == id && $0.name == name && $0.member != nil
            })
        else { return nil }
        return related(id, name)
    }
}
