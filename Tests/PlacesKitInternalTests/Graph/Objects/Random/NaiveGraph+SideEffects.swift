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

        /// Own writes of the deleted objects, and links of others that lead nowhere since, with graphs that show them.
        var buried: [ObjectID: [String: NaiveGraph]] = [:]
        /// New objects that followed others in being deleted.
        var buriedNew: Set<ObjectID> = []
        /// Own links of many-to-many relationships with them, and those that were taken away, from both ends.
        var buriedJoined: Set<Property> = []
        var buriedParted: Set<Property> = []
        /// Where to-one relationships led that own changes have led elsewhere since.
        var overwritten: [Property: [ObjectID]] = [:]

        var isEmpty: Bool {
            deleted.isEmpty && changed.isEmpty && parted.isEmpty && buried.isEmpty
                && buriedNew.isEmpty
        }

        /// The graph that shows an own write which `shown` does not show, unless another came on top of it.
        func buriedGraph(
            _ name: String, of id: ObjectID, under shown: NaiveGraph
        ) -> NaiveGraph? {
            shown.isAlive(id) && changed[id]?.contains(name) != true ? nil : buried[id]?[name]
        }

        /// Takes back the buried writes that an undo does, and returns what can be in conflict no more.
        mutating func unbury(
            _ after: NaiveGraph, since before: NaiveGraph, in current: NaiveGraph,
            over saved: NaiveGraph, _ conflicts: Conflicts
        ) -> [Property] {
            guard !buried.isEmpty || !buriedJoined.isEmpty || !buriedParted.isEmpty else {
                return []
            }
            let changes = after.changes(since: before)
            var removed: [Property] = []
            for (id, names) in changes.updated {
                for name in names {
                    guard let written = buried[id]?[name], let new = after.objects[id],
                        written.objects[id]?.differs(in: name, from: new) == false
                    else { continue }
                    let property = Property(object: id, name: name)
                    let base = conflicts[property]?.base ?? saved
                    let earlier = [written, saved].lazy.compactMap {
                        $0.setting(name, of: id, asIn: before)
                    }.first
                    if let earlier, let old = earlier.objects[id],
                        !base.isAlive(id) || old.differs(in: name, from: base.objects[id])
                    {
                        buried[id]?[name] = earlier
                        continue
                    }
                    buried[id]?[name] = nil
                    // What shows again by the undo may be in conflict as any write.
                    if !current.isAlive(id) || current.related(id, name).isEmpty {
                        removed.append(property)
                    }
                }
                guard buried[id]?.isEmpty == true else { continue }
                buried[id] = nil
                if !isWritten(id, in: current, since: saved) {
                    removed.append(Property(object: id, name: Property.besides))
                }
            }
            forget(changes.inserted.filter(buriedNew.contains))
            func isChanged(_ link: Property) -> Bool {
                let (name, member) = (link.name ?? "", link.member ?? link.object)
                return after.related(link.object, name).contains(member)
                    != before.related(link.object, name).contains(member)
            }
            buriedJoined = buriedJoined.filter { !isChanged($0) }
            buriedParted = buriedParted.filter { !isChanged($0) }
            return removed
        }

        /// Whether a living object has own writes besides what followed.
        private func isWritten(
            _ id: ObjectID, in current: NaiveGraph, since saved: NaiveGraph
        ) -> Bool {
            guard current.isAlive(id), saved.isAlive(id), let new = current.objects[id],
                let old = saved.objects[id]
            else { return false }
            return NaiveGraph.differences(old, new).contains { name in
                current.relationship(name, of: id)?.isToMany != true
                    && changed[id]?.contains(name) != true
            }
        }

        /// Forgets all that is buried of some objects.
        private mutating func forget(_ ids: [ObjectID]) {
            func isAbout(_ link: Property) -> Bool {
                ids.contains(link.object) || link.member.map(ids.contains) ?? false
            }
            for id in ids { buried[id] = nil }
            buriedNew.subtract(ids)
            buriedJoined = buriedJoined.filter { !isAbout($0) }
            buriedParted = buriedParted.filter { !isAbout($0) }
        }

        /// Conflicts, but for those about an own write that something followed instead of, and that is not kept.
        func leaving(_ conflicts: Conflicts) -> Conflicts {
            conflicts.filter { property, _ in
                property.member != nil
                    || changed[property.object]?.contains(property.name ?? "") != true
                    || buried[property.object]?[property.name ?? ""] != nil
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
            forget(changes.inserted)
            for (id, names) in changes.updated {
                for name in names {
                    let property = Property(object: id, name: name)
                    if overwritten[property] == after.related(id, name) {
                        overwritten[property] = nil
                        changed[id, default: []].insert(name)
                        if buried[id]?[name] == nil { returned.append(property) }
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
    ///   - kept: Properties that are not among them.
    ///   - revived: Objects all of whose links are among them.
    /// - Returns: What follows from them.
    func sideEffects(
        of own: Changes, _ whole: Set<ObjectID>, since base: NaiveGraph, in merged: NaiveGraph,
        on head: NaiveGraph, sparing spared: Set<ObjectID>, _ effects: SideEffects,
        keeping kept: Set<Property>, returning revived: Set<ObjectID>
    ) -> SideEffects {
        var found = SideEffects()
        for (id, old) in head.objects where old.isAlive {
            guard let new = merged.objects[id], new.isAlive else {
                if !own.deleted.contains(id) { found.deleted.insert(id) }
                continue
            }
            guard !whole.contains(id) else { continue }
            let changed = Self.differences(old, new).filter { name in
                guard relationship(name, of: id)?.isToMany != true else { return false }
                let written =
                    effects.buriedGraph(name, of: id, under: self)
                    ?? (own.updated[id]?.contains(name) == true ? self : nil)
                return written.map { new.toOne[name] != $0.objects[id]?.toOne[name] } ?? true
            }
            if !changed.isEmpty { found.changed[id] = Set(changed) }
        }
        for (id, old) in head.objects where old.isAlive {
            for (name, members) in old.toMany where isManyToMany(name, of: id) {
                for member in members where !merged.related(id, name).contains(member) {
                    let link = Property(object: id, name: name, member: member)
                    let isOwn =
                        effects.buriedParted.contains(link)
                        || base.related(id, name).contains(member)
                            && !related(id, name).contains(member)
                            && !spared.contains(id) && !spared.contains(member)
                            && !effects.parted.contains(link)
                    if !isOwn { found.parted.insert(link) }
                }
            }
        }
        let new = own.inserted.filter { !effects.returned.contains($0) && !head.isAlive($0) }
        found.buriedNew = effects.buriedNew.union(new).filter { !merged.isAlive($0) }
        bury(
            own, since: base, in: &found, of: (head, merged), effects, keeping: kept,
            returning: revived)
        found.overwritten = effects.overwritten.filter { property, _ in
            let name = property.name ?? ""
            return merged.isAlive(property.object)
                && base.isAlive(property.object) == head.isAlive(property.object)
                && head.related(property.object, name) == base.related(property.object, name)
                && found.changed[property.object]?.contains(name) != true
        }
        found.returned = whole.filter {
            merged.isAlive($0) && !head.isAlive($0)
                && (base.isAlive($0) || effects.returned.contains($0))
        }
        return found
    }

    /// Notes the own writes of the objects that followed others in being deleted, and own links that followed them.
    private func bury(
        _ own: Changes, since base: NaiveGraph, in found: inout SideEffects,
        of made: (before: NaiveGraph, after: NaiveGraph), _ effects: SideEffects,
        keeping kept: Set<Property>, returning revived: Set<ObjectID>
    ) {
        let gone = found.deleted.union(found.buriedNew)
        guard !gone.isEmpty else { return }
        for (id, writes) in effects.buried where gone.contains(id) {
            let open = writes.filter { effects.buriedGraph($0.key, of: id, under: self) != nil }
            if !open.isEmpty { found.buried[id] = open }
        }
        func isBuried(_ link: Property) -> Bool {
            gone.contains(link.object) || link.member.map(gone.contains) ?? false
        }
        found.buriedJoined = effects.buriedJoined.filter(isBuried)
        found.buriedParted = effects.buriedParted.filter(isBuried)
        for id in Set(own.updated.keys).union(effects.buried.keys) where made.after.isAlive(id) {
            buryLinks(of: id, own, in: &found, of: made, effects, keeping: kept)
        }
        for (id, names) in own.updated {
            let written = names.filter {
                relationship($0, of: id)?.isToMany != true
                    && !kept.contains(Property(object: id, name: $0))
            }
            if gone.contains(id) {
                for name in written { found.buried[id, default: [:]][name] = self }
            }
            for name in names where isManyToMany(name, of: id) {
                let inverse = mirror(of: name, of: id)?.name
                func links(to member: ObjectID) -> Set<Property> {
                    let links: Set = [
                        Property(object: id, name: name, member: member),
                        Property(object: member, name: inverse, member: id),
                    ]
                    return links.filter(isBuried)
                }
                let before = base.related(id, name)
                let after = related(id, name)
                let known = revived.contains(id) ? [] : before
                for member in after where !known.contains(member) {
                    found.buriedJoined.formUnion(links(to: member))
                }
                for member in before
                where !after.contains(member) && isAlive(id) && isAlive(member)
                    && !effects.parted.contains(Property(object: id, name: name, member: member))
                {
                    found.buriedParted.formUnion(links(to: member))
                }
            }
        }
    }

    /// Notes the own links of a living object that are not there because what they lead to, or led to before, is gone.
    private func buryLinks(
        of id: ObjectID, _ own: Changes, in found: inout SideEffects,
        of made: (before: NaiveGraph, after: NaiveGraph), _ effects: SideEffects,
        keeping kept: Set<Property>
    ) {
        let gone = found.deleted.union(found.buriedNew)
        for relationship in relationships(of: id) {
            let name = relationship.name
            guard !relationship.isToMany, mirror(of: name, of: id)?.isToMany ?? true,
                !kept.contains(Property(object: id, name: name))
            else { continue }
            func isLost(in graph: NaiveGraph) -> Bool {
                if let target = graph.objects[id]?.toOne[name] {
                    return gone.contains(target) && made.after.objects[id]?.toOne[name] != target
                }
                return made.before.isAlive(id)
                    && made.before.objects[id]?.toOne[name].map(gone.contains) ?? false
            }
            let known = effects.buried[id]?[name]
            let shown = effects.buriedGraph(name, of: id, under: self)
            if shown == nil, own.updated[id]?.contains(name) == true,
                isLost(in: self)
            {
                found.buried[id, default: [:]][name] = self
                found.changed[id, default: []].insert(name)
            } else if let known, isLost(in: known) {
                found.buried[id, default: [:]][name] = known
                // What was written on top of it is there instead.
                if shown != nil { found.changed[id, default: []].insert(name) }
            }
        }
    }

    /// This graph with the value that a property has in another; `nil` where it has not the objects.
    private func setting(
        _ name: String, of id: ObjectID, asIn other: NaiveGraph
    ) -> NaiveGraph? {
        guard isAlive(id) else { return nil }
        var graph = self
        guard let relationship = relationship(name, of: id) else {
            graph.set(name, of: id, to: other.objects[id]?.attributes[name] ?? .null)
            return graph
        }
        // Members of others' lists are links of those.
        guard !relationship.isToMany else { return nil }
        let target = other.objects[id]?.toOne[name]
        guard target.map(isAlive) ?? true else { return nil }
        graph.lead(name, of: id, to: target)
        return graph
    }
}
