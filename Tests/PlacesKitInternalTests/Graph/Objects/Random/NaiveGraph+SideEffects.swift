import PlacesKit

extension NaiveGraph {
    /// What a merge changed besides the own changes, and what no later merge takes for one of them.
    struct SideEffects {
        var deleted: Set<ObjectID> = []
        var changed: [ObjectID: Set<String>] = [:]
        /// Links of many-to-many relationships, from both ends, that are gone.
        var parted: Set<Property> = []
        /// Objects that others had deleted, and that came back.
        var returned: Set<ObjectID> = []

        /// Where to-one relationships led that own changes have led elsewhere since.
        var overwritten: [Property: [ObjectID]] = [:]

        var isEmpty: Bool { deleted.isEmpty && changed.isEmpty && parted.isEmpty }

        /// Conflicts, but for those about an own write that something followed instead of.
        func leaving(_ conflicts: Conflicts) -> Conflicts {
            conflicts.filter { property, _ in
                property.member != nil
                    || changed[property.object]?.contains(property.name ?? "") != true
            }
        }

        /// Lets what differs between two graphs be an own change, but for what is as it had followed, which is
        /// returned.
        mutating func remove(_ after: NaiveGraph, since before: NaiveGraph) -> [Property] {
            guard !isEmpty || !overwritten.isEmpty else { return [] }
            var returned: [Property] = []
            let changes = after.changes(since: before)
            deleted.subtract(changes.inserted)
            deleted.subtract(changes.deleted)
            for (id, names) in changes.updated {
                for name in names {
                    let property = Property(object: id, name: name)
                    if overwritten[property] == after.related(id, name) {
                        overwritten[property] = nil
                        changed[id, default: []].insert(name)
                        returned.append(property)
                    } else if changed[id]?.remove(name) != nil {
                        overwritten[property] = before.related(id, name)
                    }
                }
                if changed[id]?.isEmpty == true { changed[id] = nil }
            }
            parted = parted.filter { link in
                let (name, member) = (link.name ?? "", link.member ?? link.object)
                return !after.related(link.object, name).contains(member)
                    || before.related(link.object, name).contains(member)
            }
            return returned
        }
    }

    /// What an undo took back although others wrote the same.
    struct TakenBack {
        var objects: Set<ObjectID> = []
        var properties: Set<Property> = []
    }

    typealias Changes = (
        inserted: [ObjectID], deleted: [ObjectID], updated: [ObjectID: Set<String>]
    )

    /// Changes without what only followed from them, and what was taken back.
    func own(
        _ changes: Changes, without effects: SideEffects, but taken: TakenBack
    ) -> Changes {
        var own = changes
        own.deleted.removeAll(where: effects.deleted.contains)
        own.inserted.removeAll(where: taken.objects.contains)
        for (id, names) in effects.changed {
            own.updated[id]?.subtract(names)
            if own.updated[id]?.isEmpty == true { own.updated[id] = nil }
        }
        return own
    }

    /// What is more in a graph that own changes, those of this graph, were made again on than in them.
    ///
    /// - Parameters:
    ///   - own: The changes; new objects and those that came back have all names.
    ///   - whole: The objects of which all is theirs.
    ///   - base: What this graph's changes are since.
    ///   - merged: What came of them.
    ///   - head: What they were made on.
    ///   - spared: Deleted objects that are not among them.
    ///   - effects: What had followed from them before.
    /// - Returns: What follows from them.
    func sideEffects(
        of own: Changes, _ whole: Set<ObjectID>, since base: NaiveGraph, in merged: NaiveGraph,
        on head: NaiveGraph, sparing spared: Set<ObjectID>, _ effects: SideEffects
    ) -> SideEffects {
        var found = SideEffects()
        for (id, old) in head.objects where old.isAlive {
            guard let new = merged.objects[id], new.isAlive else {
                if !own.deleted.contains(id) { found.deleted.insert(id) }
                continue
            }
            guard !whole.contains(id) else { continue }
            let names = own.updated[id] ?? []
            let changed = Self.differences(old, new).filter { name in
                guard relationship(name, of: id)?.isToMany != true else { return false }
                return !names.contains(name) || new.toOne[name] != objects[id]?.toOne[name]
            }
            if !changed.isEmpty { found.changed[id] = Set(changed) }
        }
        for (id, old) in head.objects where old.isAlive {
            for (name, members) in old.toMany where isManyToMany(name, of: id) {
                for member in members where !merged.related(id, name).contains(member) {
                    let link = Property(object: id, name: name, member: member)
                    let isOwn =
                        base.related(id, name).contains(member)
                        && !related(id, name).contains(member)
                        && !spared.contains(id) && !spared.contains(member)
                        && !effects.parted.contains(link)
                    if !isOwn { found.parted.insert(link) }
                }
            }
        }
        found.overwritten = effects.overwritten.filter { property, _ in
            merged.isAlive(property.object)
                && found.changed[property.object]?.contains(property.name ?? "") != true
        }
        found.returned = whole.filter {
            merged.isAlive($0) && !head.isAlive($0)
                && (base.isAlive($0) || effects.returned.contains($0))
        }
        return found
    }
}
