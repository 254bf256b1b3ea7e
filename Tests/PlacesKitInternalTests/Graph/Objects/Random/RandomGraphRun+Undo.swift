import PlacesKit

extension RandomGraphRun {
    /// A batch of changes, as the graphs before and after it.
    struct Batch {
        var before: NaiveGraph
        var after: NaiveGraph
        /// What was saved then, and how often its context had saved.
        var saved: NaiveGraph
        var saves: Int
        /// Whether it is what a save made of new objects that became others.
        var isOfFolds = false
        /// What others had saved meanwhile when its context saved next.
        var others: NaiveGraph.Overtaking?
    }

    /// Batches that are taken back together.
    struct Group {
        var name = ""
        var batches: [Batch]

        /// Whether a batch wrote what a conflict is about.
        func wrote(_ conflict: NaiveGraph.Property) -> Bool {
            batches.contains { $0.after.isWrite(conflict, since: $0.before) }
        }
    }

    /// Notes what a context has changed since it last did; it processes its changes just so.
    mutating func process(_ side: Int) {
        let (before, after) = (sides[side].processed, sides[side].naive)
        if side == 0 { shown.append(after.writes(since: before)) }
        sides[side].processed = after
        guard after.hasChanges(since: before) else { return }
        removeEffects(after, since: before, side)
        sides[side].redoable = []
        register(batch(before, after, side), side)
    }

    /// Lets what differs between two graphs be own changes, but for what is as it had followed from others.
    private mutating func removeEffects(
        _ after: NaiveGraph, since before: NaiveGraph, _ side: Int
    ) {
        for property in sides[side].effects.remove(after, since: before) {
            sides[side].unsettled[property] = nil
        }
    }

    private func batch(_ before: NaiveGraph, _ after: NaiveGraph, _ side: Int) -> Batch {
        Batch(before: before, after: after, saved: sides[side].base, saves: sides[side].saves)
    }

    /// Processes the changes of a context.
    mutating func process(pendingOf side: Int) -> String {
        sides[side].context.processPendingChanges()
        process(side)
        return "process \(side)"
    }

    /// Ends a group, takes one back, or begins one of several batches.
    mutating func endGroup(_ side: Int) throws -> String {
        switch generator.below(8) {
        case ..<2: try undo(side)
        case ..<4: try redo(side)
        case 4: beginGroup(side)
        default: process(pendingOf: side)
        }
    }

    /// Notes what hooks have changed: it belongs to the latest group.
    mutating func join(_ side: Int) {
        let (before, after) = (sides[side].processed, sides[side].naive)
        if side == 0 { shown.append(after.writes(since: before)) }
        sides[side].processed = after
        removeEffects(after, since: before, side)
        guard after.hasChanges(since: before) else { return }
        joinLatest(batch(before, after, side), side)
    }

    /// Notes that a save let new objects become others: it belongs to the latest group, but for those whose insert
    /// can't be taken back, which stay what they became.
    mutating func joinFolds(of unfolded: NaiveGraph, by policy: MergePolicy, _ side: Int) {
        let (after, base) = (sides[side].naive, sides[side].base)
        let folded = unfolded.objects.keys.filter {
            unfolded.isAlive($0) && !after.isAlive($0) && !base.isAlive($0)
        }
        let groups = sides[side].undoable + [sides[side].open?.group].compactMap(\.self)
        let forgotten = folded.filter { id in
            !groups.lazy.flatMap(\.batches).contains {
                $0.after.isAlive(id) && !$0.before.isAlive(id)
            }
        }
        guard forgotten.count < folded.count else { return }
        var before = unfolded
        before.foldDuplicates(newSince: base, by: policy, among: Set(forgotten))
        var batch = batch(before, after, side)
        batch.isOfFolds = true
        joinLatest(batch, side)
    }

    /// Processes the changes of a context, and names the latest group.
    mutating func name(_ side: Int) -> String {
        process(side)
        let name = "action \(generator.below(100))"
        sides[side].context.setUndoActionName(name)
        if sides[side].open != nil {
            sides[side].open?.group.name = name
        } else if !sides[side].undoable.isEmpty {
            sides[side].undoable[sides[side].undoable.count - 1].name = name
        }
        return "name \(name) in \(side)"
    }

    /// Notes what others saved before a context saves itself.
    mutating func settleBatches(over saved: NaiveGraph, _ side: Int) {
        let saves = sides[side].saves
        func settle(_ groups: inout [Group]) {
            for group in groups.indices {
                for index in groups[group].batches.indices {
                    let batch = groups[group].batches[index]
                    guard batch.saves == saves, !saved.isSame(as: batch.saved) else { continue }
                    groups[group].batches[index].others = (batch.saved, saved, [])
                }
            }
        }
        settle(&sides[side].undoable)
        settle(&sides[side].redoable)
        var open = [sides[side].open?.group].compactMap(\.self)
        settle(&open)
        if let group = open.first { sides[side].open?.group = group }
    }

    mutating func undo(_ side: Int) throws -> String {
        process(side)
        sides[side].context.undo()
        endGroups(side)
        guard let group = sides[side].undoable.popLast() else { return "undo nothing in \(side)" }
        let isExact = group.batches.last.map { sides[side].naive.isSame(as: $0.after) } ?? true
        if let inverse = try takeBack(group, side, endingConflicts: true) {
            sides[side].redoable.append(inverse)
        }
        return "undo in \(side)\(isExact ? "" : ", over other changes")"
    }

    mutating func redo(_ side: Int) throws -> String {
        process(side)
        sides[side].context.redo()
        guard let group = sides[side].redoable.popLast() else { return "redo nothing in \(side)" }
        let isExact = group.batches.last.map { sides[side].naive.isSame(as: $0.after) } ?? true
        if let inverse = try takeBack(group, side, endingConflicts: false) {
            sides[side].undoable.append(inverse)
        }
        return "redo in \(side)\(isExact ? "" : ", over other changes")"
    }

    /// Takes a group back in the naive graph; returns what that was, as a group, if it was anything.
    private mutating func takeBack(
        _ group: Group, _ side: Int, endingConflicts: Bool
    ) throws -> Group? {
        let former = sides[side].naive
        var (isExact, isReordered) = (true, false)
        let contested = Set(
            sides[side].unsettled.keys.lazy.filter { $0.member == nil }.map(\.object))
        for batch in group.batches.reversed() {
            let (current, saved) = (sides[side].naive, sides[side].base)
            let isOvertaken = batch.saves == sides[side].saves && !saved.isSame(as: batch.saved)
            let others: NaiveGraph.Overtaking? =
                isOvertaken
                ? (former: batch.saved, saved: saved, contested: contested) : batch.others
            // Where nothing came in between all is as it was, to the order of members.
            if others == nil, current.isSame(as: batch.after),
                current.canLead(whereTheyLeadIn: batch.before)
            {
                sides[side].naive.returnAll(to: batch.before)
            } else {
                sides[side].naive = current.undoing(
                    batch.after, since: batch.before, over: others)
                isExact = false
            }
            let ended = sides[side].effects.unbury(
                batch.after, since: batch.before, in: sides[side].naive, over: saved,
                sides[side].unsettled)
            for property in ended { sides[side].unsettled[property] = nil }
            if batch.before.isReordered(in: batch.after) { isReordered = true }
            // A merge that came before it has left the order open.
            if batch.isOfFolds { isExact = false }
        }
        removeEffects(sides[side].naive, since: former, side)
        let isMerged = showSaved(takenBackSince: former, side, endingConflicts ? group : nil)
        isExact = isExact && !isMerged
        // What was taken out and put back in is not where it was, unless the relationship is ordered.
        if !isExact || isReordered { try adoptOrder(side, ofOrdered: !isExact) }
        if side == 0 { shown.append(sides[side].naive.writes(since: former)) }
        sides[side].processed = sides[side].naive
        guard sides[side].naive.hasChanges(since: former) else { return nil }
        return Group(name: group.name, batches: [batch(former, sides[side].naive, side)])
    }
}

extension RandomGraphRun {
    /// Ends the conflicts of writes that an undo took back, and shows there what others saved; returns whether anything
    /// was merged again.
    private mutating func showSaved(
        takenBackSince before: NaiveGraph, _ side: Int, _ group: Group?
    ) -> Bool {
        let (graph, saved) = (sides[side].naive, sides[side].base)
        endConflicts(ofMembersMovedBy: group, side)
        let conflicts = group == nil ? [:] : sides[side].unsettled
        var taken = NaiveGraph.TakenBack()
        var (isEnded, lost): (Bool, Set<ObjectID>) = (false, [])
        for (conflict, met) in conflicts where conflict.member == nil {
            let (id, base) = (conflict.object, met.base)
            let isLost = !saved.isAlive(id)
            guard graph.isAlive(id), base.isAlive(id),
                graph.isTouched(conflict, since: before)
                    || group?.wrote(conflict) == true
                    || isLost && conflict.name == nil && before.leads(to: id, whereNoneOf: graph)
            else { continue }
            let isBesides = conflict.name == NaiveGraph.Property.besides
            var written =
                isBesides
                ? graph.written(id, unlike: base, and: saved)
                : graph.written(id, since: base, over: saved)
            if isBesides, isLost { written.subtract(met.written) }
            // What was in conflict by itself is based on what it was then.
            for (other, met) in conflicts where other.object == id && other.member == nil {
                guard let name = other.name, name != NaiveGraph.Property.besides else { continue }
                let isWritten = graph.written(id, since: met.base, over: saved).contains(name)
                if isWritten { written.insert(name) } else { written.remove(name) }
            }
            if let name = conflict.name, !isBesides { written.formIntersection([name]) }
            if isLost && graph.leads(to: id, whereNoneOf: base) { continue }
            guard written.isEmpty || !isLost && conflict.name == nil else { continue }
            sides[side].unsettled[conflict] = nil
            isEnded = true
            if isLost {
                lost.insert(id)
            } else if conflict.name == nil {
                addConflicts(of: written, conflict, met, side)
                let names = graph.properties(of: id.entity)
                    .filter { $0.relationship?.isToMany != true }.map(\.name)
                for name in names where !written.contains(name) {
                    taken.properties.insert(NaiveGraph.Property(object: id, name: name))
                }
            } else if conflict.name != NaiveGraph.Property.besides {
                taken.properties.insert(conflict)
            }
        }
        guard isEnded || !sides[side].effects.isEmpty else { return false }
        let pending = sides[side].unsettled.keys.lazy.filter { $0.member == nil }.map(\.object)
        taken.objects = lost.subtracting(pending)
        (sides[side].naive, sides[side].effects) = graph.rebased(
            onto: saved, since: saved, without: sides[side].effects, but: taken,
            settling: Set(sides[side].unsettled.keys), by: .error)
        sides[side].unsettled = sides[side].effects.leaving(sides[side].unsettled)
        return true
    }

    /// Ends the conflicts of members that an undo brought where others have saved them.
    private mutating func endConflicts(ofMembersMovedBy group: Group?, _ side: Int) {
        let (saved, saves) = (sides[side].base, sides[side].saves)
        for conflict in sides[side].unsettled.keys {
            guard let name = conflict.name, let member = conflict.member else { continue }
            let isSaved = group?.batches.contains { batch in
                batch.saves == saves && !saved.isSame(as: batch.saved)
                    && batch.before.isMoved(
                        member, in: name, of: conflict.object, since: batch.after,
                        where: batch.saved)
            }
            if isSaved == true { sides[side].unsettled[conflict] = nil }
        }
    }

    /// Adds the conflicts of what was written of an object whose delete was taken back.
    private mutating func addConflicts(
        of written: Set<String>, _ conflict: NaiveGraph.Property,
        _ met: (base: NaiveGraph, written: Set<String>), _ side: Int
    ) {
        var names = written.intersection(met.written)
        if names.isEmpty, !written.isEmpty, !met.written.isEmpty {
            names = [NaiveGraph.Property.besides]
        }
        for name in names {
            let key = NaiveGraph.Property(object: conflict.object, name: name)
            sides[side].unsettled[key] = sides[side].unsettled[key] ?? met
        }
    }
}

extension NaiveGraph {
    /// Whether the living objects are the same, with the same values.
    func isSame(as other: NaiveGraph) -> Bool {
        objects.filter(\.value.isAlive) == other.objects.filter(\.value.isAlive)
    }

    /// Whether members of both graphs come in another order in the other.
    func isReordered(in other: NaiveGraph) -> Bool {
        objects.contains { id, object in
            object.toMany.contains { name, members in
                let others = other.related(id, name)
                return others.filter(members.contains) != members.filter(others.contains)
            }
        }
    }

    /// Whether a member of an ordered relationship came or moved since an earlier graph to where it is saved: next to
    /// one of the same members.
    func isMoved(
        _ member: ObjectID, in name: String, of id: ObjectID, since before: NaiveGraph,
        where saved: NaiveGraph
    ) -> Bool {
        let isNew =
            !before.isAlive(id) || !before.isAlive(member)
            || !before.related(id, name).contains(member)
        guard isAlive(id), isNew || moved(in: name, of: id, since: before).contains(member),
            let own = neighbours(of: member, in: name, of: id),
            let others = saved.neighbours(of: member, in: name, of: id)
        else { return false }
        return own.previous == others.previous && own.next == others.next
    }

    private func neighbours(
        of member: ObjectID, in name: String, of id: ObjectID
    ) -> (previous: ObjectID?, next: ObjectID?)? {
        let members = related(id, name)
        guard isAlive(id), let index = members.firstIndex(of: member) else { return nil }
        return (
            index > 0 ? members[index - 1] : nil,
            index + 1 < members.count ? members[index + 1] : nil
        )
    }

    /// Whether the links of another graph to objects that are gone can be made here: a rule that
    /// forbade the delete had kept them.
    func canLead(whereTheyLeadIn other: NaiveGraph) -> Bool {
        other.objects.allSatisfy { id, object in
            !object.isAlive
                || object.toOne.allSatisfy { name, target in
                    other.isAlive(target) || canLead(name, of: id, to: target)
                }
        }
    }
}
