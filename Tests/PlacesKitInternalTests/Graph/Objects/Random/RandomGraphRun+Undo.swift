import PlacesKit

extension RandomGraphRun {
    /// A batch of changes, as the graphs before and after it.
    typealias Batch = (before: NaiveGraph, after: NaiveGraph)

    /// Batches that are taken back together.
    struct Group {
        var name = ""
        var batches: [Batch]
    }

    /// Notes what a context has changed since it last did; it processes its changes just so.
    mutating func process(_ side: Int) {
        let (before, after) = (sides[side].processed, sides[side].naive)
        if side == 0 { shown.append(after.writes(since: before)) }
        sides[side].processed = after
        guard after.hasChanges(since: before) else { return }
        sides[side].redoable = []
        sides[side].undoable.append(Group(batches: [(before, after)]))
        if sides[side].undoable.count > sides[side].context.undoLimit {
            sides[side].undoable.removeFirst()
        }
    }

    /// Processes the changes of a context.
    mutating func process(pendingOf side: Int) -> String {
        sides[side].context.processPendingChanges()
        process(side)
        return "process \(side)"
    }

    /// Ends a group, or takes one back.
    mutating func endGroup(_ side: Int) throws -> String {
        switch generator.below(4) {
        case 0: try undo(side)
        case 1: try redo(side)
        default: process(pendingOf: side)
        }
    }

    /// Notes what hooks have changed: it belongs to the latest group.
    mutating func join(_ side: Int) {
        let (before, after) = (sides[side].processed, sides[side].naive)
        if side == 0 { shown.append(after.writes(since: before)) }
        sides[side].processed = after
        guard after.hasChanges(since: before), !sides[side].undoable.isEmpty else { return }
        sides[side].undoable[sides[side].undoable.count - 1].batches.append((before, after))
    }

    /// Processes the changes of a context, and names the latest group.
    mutating func name(_ side: Int) -> String {
        process(side)
        let name = "action \(generator.below(100))"
        sides[side].context.setUndoActionName(name)
        if !sides[side].undoable.isEmpty {
            sides[side].undoable[sides[side].undoable.count - 1].name = name
        }
        return "name \(name) in \(side)"
    }

    mutating func undo(_ side: Int) throws -> String {
        process(side)
        sides[side].context.undo()
        guard let group = sides[side].undoable.popLast() else { return "undo nothing in \(side)" }
        let isExact = group.batches.last.map { sides[side].naive.isSame(as: $0.after) } ?? true
        sides[side].redoable.append(try takeBack(group, side))
        return "undo in \(side)\(isExact ? "" : ", over other changes")"
    }

    mutating func redo(_ side: Int) throws -> String {
        process(side)
        sides[side].context.redo()
        guard let group = sides[side].redoable.popLast() else { return "redo nothing in \(side)" }
        let isExact = group.batches.last.map { sides[side].naive.isSame(as: $0.after) } ?? true
        sides[side].undoable.append(try takeBack(group, side))
        return "redo in \(side)\(isExact ? "" : ", over other changes")"
    }

    /// Takes a group back in the naive graph; returns what that was, as a group.
    private mutating func takeBack(_ group: Group, _ side: Int) throws -> Group {
        let former = sides[side].naive
        var (isExact, isReordered) = (true, false)
        for batch in group.batches.reversed() {
            let current = sides[side].naive
            // Where nothing came in between all is as it was, to the order of members.
            if current.isSame(as: batch.after), current.canLead(whereTheyLeadIn: batch.before) {
                sides[side].naive.returnAll(to: batch.before)
            } else {
                sides[side].naive = current.undoing(batch.after, since: batch.before)
                isExact = false
            }
            if batch.before.isReordered(in: batch.after) { isReordered = true }
        }
        let conflicts = sides[side].unsettled.count
        endConflictsTakenBack(since: former, side)
        isExact = isExact && sides[side].unsettled.count == conflicts
        // What was taken out and put back in is not where it was, unless the relationship is ordered.
        if !isExact || isReordered { try adoptOrder(side, ofOrdered: !isExact) }
        if side == 0 { shown.append(sides[side].naive.writes(since: former)) }
        sides[side].processed = sides[side].naive
        return Group(name: group.name, batches: [(former, sides[side].naive)])
    }
}

extension RandomGraphRun {
    /// Ends the conflicts of writes that an undo took back, and shows there what others saved.
    private mutating func endConflictsTakenBack(since before: NaiveGraph, _ side: Int) {
        let (graph, saved) = (sides[side].naive, sides[side].base)
        var deleted: [ObjectID] = []
        var names: [ObjectID: Set<String>] = [:]
        for (conflict, base) in sides[side].unsettled {
            let id = conflict.object
            guard graph.isTouched(conflict, since: before),
                graph.isAsIn(base, orIn: saved, conflict)
            else {
                continue
            }
            sides[side].unsettled[conflict] = nil
            if !saved.isAlive(id) {
                deleted.append(id)
            } else if let name = conflict.name, name != NaiveGraph.Property.besides {
                names[id, default: []].insert(name)
            } else {
                names[id, default: []].formUnion(
                    graph.properties(of: id.entity).filter { $0.relationship?.isToMany != true }
                        .map(\.name))
            }
        }
        guard !names.isEmpty || !deleted.isEmpty else { return }
        sides[side].naive.show(names, deleted, of: saved)
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
