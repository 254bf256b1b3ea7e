import PlacesKit

extension RandomGraphRun {
    /// A group that was begun by hand, and how often, and what is known of its changes.
    struct OpenGroup {
        var group = Group(batches: [])
        var depth = 0
        /// Whether a merge lies between its changes.
        var isInterrupted = false

        /// Whether it is a step of an undo: it is none if all its changes were changed back.
        var hasEffect: Bool {
            guard let first = group.batches.first, let last = group.batches.last else {
                return false
            }
            return isInterrupted || last.after.hasChanges(since: first.before)
        }
    }

    /// Adds a batch to the open group, or lets it be a group of its own.
    mutating func register(_ batch: Batch, _ side: Int) {
        guard sides[side].open == nil else {
            sides[side].open?.group.batches.append(batch)
            return
        }
        push(Group(batches: [batch]), side)
    }

    /// Adds a batch to the latest group, if there is any.
    mutating func joinLatest(_ batch: Batch, _ side: Int) {
        if sides[side].open?.group.batches.isEmpty == false {
            sides[side].open?.group.batches.append(batch)
        } else if !sides[side].undoable.isEmpty {
            sides[side].undoable[sides[side].undoable.count - 1].batches.append(batch)
        }
    }

    private mutating func push(_ group: Group, _ side: Int) {
        sides[side].undoable.append(group)
        if sides[side].undoable.count > sides[side].context.undoLimit {
            sides[side].undoable.removeFirst()
        }
    }

    /// Notes that a merge, or what a save made of new objects, changed what is shown.
    mutating func interrupt(_ side: Int) {
        if sides[side].open?.group.batches.isEmpty == false {
            sides[side].open?.isInterrupted = true
        }
    }

    /// Ends all groups that are open.
    mutating func endGroups(_ side: Int) {
        guard let open = sides[side].open else { return }
        sides[side].open = nil
        if open.hasEffect {
            push(open.group, side)
        } else if !open.group.batches.isEmpty {
            emptyGroups += 1
        }
    }

    /// Forgets all groups; those that are open go on, empty.
    mutating func forgetGroups(_ side: Int) {
        sides[side].undoable = []
        sides[side].redoable = []
        guard let former = sides[side].open else { return }
        let empty = Group(name: former.group.name, batches: [])
        sides[side].open = OpenGroup(group: empty, depth: former.depth)
    }

    // MARK: - Steps

    /// Begins a group, sometimes inside another.
    mutating func beginGroup(_ side: Int) -> String {
        let name = generator.below(2) == 0 ? "" : "group \(generator.below(100))"
        sides[side].context.beginUndoGroup(named: name)
        process(side)
        if sides[side].open == nil { sides[side].open = OpenGroup() }
        sides[side].open?.depth += 1
        if sides[side].open?.group.name == "" { sides[side].open?.group.name = name }
        return "begin group \(name) in \(side)"
    }

    /// Ends the group that was begun last, does something with an open one, or nothing special: no group stays open
    /// for long.
    mutating func stepInGroup(_ side: Int) throws -> String? {
        switch generator.below(10) {
        case 0:
            sides[side].context.endUndoGroup()
            process(side)
            sides[side].open?.depth -= 1
            if sides[side].open?.depth == 0 { endGroups(side) }
            return "end group in \(side)"
        case 1: return process(pendingOf: side)
        case 2: return generator.below(4) == 0 ? beginGroup(side) : try save(side)
        case 3...5: return try changeBack(side)
        default: return nil
        }
    }

    /// Changes something back by hand that the open group has changed.
    private mutating func changeBack(_ side: Int) throws -> String {
        let naive = sides[side].naive
        let former = sides[side].open?.group.batches.first?.before ?? sides[side].processed
        let changes = naive.changes(since: former)
        if let id = changes.inserted.min(by: { ($0.entity, $0.number) < ($1.entity, $1.number) }) {
            sides[side].context.delete(try object(id, side))
            try followDelete(of: id, side)
            return "delete \(id) again in \(side)"
        }
        let first = changes.updated.min {
            ($0.key.entity, $0.key.number) < ($1.key.entity, $1.key.number)
        }
        guard let (id, names) = first, let old = former.objects[id],
            let name = names.sorted().randomElement(using: &generator)
        else { return "nothing" }
        let owner = try object(id, side)
        if let lead = access[id.entity]?.lead[name] {
            let target = old.toOne[name].flatMap { naive.isAlive($0) ? $0 : nil }
            lead(owner, try target.map { try object($0, side) })
            sides[side].naive.lead(name, of: id, to: target)
            return "\(id).\(name) = \(target.map(\.description) ?? "nil") again in \(side)"
        }
        guard access[id.entity]?.write[name] != nil else { return "nothing" }
        // A random value, now and then the former one.
        var text = ""
        for _ in 0..<8 {
            text = try write(name, id, side)
            if sides[side].naive.objects[id]?.attributes[name] == old.attributes[name] { break }
        }
        return text
    }
}
