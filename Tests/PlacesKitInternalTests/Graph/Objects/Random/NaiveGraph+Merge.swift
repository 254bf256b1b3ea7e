import PlacesKit

@testable import PlacesGraph

extension NaiveGraph {
    /// The names of the properties that differ between two states of an object.
    static func differences(_ old: Object, _ new: Object) -> Set<String> {
        var names = Set(
            old.attributes.keys.filter { old.attributes[$0] != new.attributes[$0] })
        for name in Set(old.toOne.keys).union(new.toOne.keys)
        where old.toOne[name] != new.toOne[name] {
            names.insert(name)
        }
        names.formUnion(old.toMany.keys.filter { old.toMany[$0] != new.toMany[$0] })
        return names
    }

    /// What this graph changed since `base`; inserted objects have no names.
    func changes(since base: NaiveGraph) -> Changes {
        var updated: [ObjectID: Set<String>] = [:]
        for (id, object) in objects where object.isAlive && base.isAlive(id) {
            guard let old = base.objects[id] else { continue }
            let names = Self.differences(old, object)
            if !names.isEmpty { updated[id] = names }
        }
        // Table by table, as a graph does: what is deleted first decides which rules forbid the rest.
        let deleted = schema.entities.filter { $0.superentity == nil }.flatMap { entity in
            base.living(entity.name).filter { !isAlive($0) }
        }
        return (
            objects.keys.filter { isAlive($0) && !base.isAlive($0) },
            deleted, updated
        )
    }

    /// Whether anything differs from `base`.
    func hasChanges(since base: NaiveGraph) -> Bool {
        let changes = changes(since: base)
        return !changes.inserted.isEmpty || !changes.deleted.isEmpty || !changes.updated.isEmpty
    }

    typealias Failures = (
        missing: Set<Property>, duplicates: Set<Property>, denied: Set<Property>
    )

    /// Whether two living objects have one value of a unique attribute.
    var hasDuplicates: Bool {
        !failures(since: NaiveGraph(schema: schema)).duplicates.isEmpty
    }

    /// The rules of the model that the changes since `base` break.
    func failures(since base: NaiveGraph) -> Failures {
        var missing: Set<Property> = []
        var duplicates: Set<Property> = []
        let updated = changes(since: base).updated
        func isChanged(_ id: ObjectID) -> Bool { !base.isAlive(id) || updated[id] != nil }
        for entity in schema.entities {
            let living = living(entity.name)
            for attribute in entity.attributes where attribute.isUnique || attribute.isRequired {
                var holders: [Datum: [ObjectID]] = [:]
                for id in living {
                    let value = objects[id]?.attributes[attribute.name] ?? .null
                    if value == .null, attribute.isRequired, isChanged(id) {
                        missing.insert(Property(object: id, name: attribute.name))
                    }
                    if value != .null, attribute.isUnique { holders[value, default: []].append(id) }
                }
                for group in holders.values
                where group.count > 1
                    && group.contains(where: {
                        !base.isAlive($0) || updated[$0]?.contains(attribute.name) ?? false
                    })
                {
                    duplicates.formUnion(group.map { Property(object: $0, name: attribute.name) })
                }
            }
        }
        return (missing, duplicates, denied(since: base))
    }

    /// The attributes and to-one relationships of objects that differ from an earlier graph: all of those
    /// that came or went.
    func writes(since base: NaiveGraph) -> Writes {
        let changes = changes(since: base)
        var writes = changes.updated
        for id in changes.inserted + changes.deleted {
            writes[id] = Set(properties(of: id.entity).map(\.name))
        }
        return writes.reduce(into: [:]) { writes, object in
            let names = values(object.value, of: object.key)
            if !names.isEmpty { writes[object.key] = names }
        }
    }

    /// Those of some properties that are no to-many relationships.
    private func values(_ names: Set<String>, of id: ObjectID) -> Set<String> {
        names.filter { relationship($0, of: id)?.isToMany != true }
    }

    /// What this graph changed since `base`, and what others gave the same value, as known conflicts tell.
    private func changes(
        since base: NaiveGraph, andUnseenOf conflicts: Set<Property>
    ) -> Changes {
        var changes = changes(since: base)
        for conflict in conflicts where conflict.member == nil {
            let id = conflict.object
            guard let name = conflict.name, name != Property.besides, isAlive(id), base.isAlive(id)
            else { continue }
            changes.updated[id, default: []].insert(name)
        }
        return changes
    }

    /// What this graph and commits that led from `base` to `head` both wrote.
    func conflicts(
        with head: NaiveGraph, since base: NaiveGraph, without effects: SideEffects,
        written: Writes, knowing known: Conflicts
    ) -> Set<Property> {
        var changes = changes(since: base, andUnseenOf: Set(known.keys))
        for (id, names) in effects.changed { changes.updated[id]?.subtract(names) }
        changes.deleted.removeAll(where: effects.deleted.contains)
        var conflicts: Set<Property> = []
        for (id, writes) in effects.buried {
            guard !isAlive(id) else {
                if base.isAlive(id) { changes.updated[id, default: []].formUnion(writes.keys) }
                continue
            }
            guard head.isAlive(id), let foreign = written[id] else { continue }
            let both = values(Set(writes.keys), of: id).intersection(foreign)
            conflicts.formUnion(
                (both.isEmpty ? [Property.besides] : both).map { Property(object: id, name: $0) })
        }
        for (id, names) in changes.updated {
            let own = values(names, of: id)
            guard !own.isEmpty else { continue }
            guard head.isAlive(id) else {
                conflicts.insert(Property(object: id, name: nil))
                continue
            }
            guard let foreign = written[id] else { continue }
            for name in own.intersection(foreign) {
                conflicts.insert(Property(object: id, name: name))
            }
            if own.isDisjoint(with: foreign) {
                conflicts.insert(Property(object: id, name: Property.besides))
            }
        }
        for id in changes.updated.keys where head.isAlive(id) {
            for relationship in relationships(of: id) where relationship.isOrdered {
                let name = relationship.name
                for member in moved(in: name, of: id, since: base)
                    .intersection(head.moved(in: name, of: id, since: base))
                {
                    conflicts.insert(Property(object: id, name: name, member: member))
                }
            }
        }
        for id in changes.deleted where head.isAlive(id) {
            if written[id] != nil || head.leads(to: id, whereNoneOf: base) {
                conflicts.insert(Property(object: id, name: nil))
            }
        }
        for id in changes.inserted where head.isAlive(id) {
            conflicts.insert(Property(object: id, name: nil))
        }
        for id in changes.inserted + changes.updated.keys {
            for relationship in relationships(of: id) {
                let isUnseen = known[Property(object: id, name: relationship.name)] != nil
                // What came back leads where it did before others deleted it, and that is no write.
                let former =
                    effects.returned.contains(id)
                    ? known[Property(object: id, name: nil)]?.base ?? base : base
                let old =
                    former.isAlive(id) && !isUnseen ? former.related(id, relationship.name) : []
                for target in related(id, relationship.name)
                where !old.contains(target) && base.isAlive(target) && isAlive(target)
                    && !head.isAlive(target)
                    && (!relationship.isToMany || isManyToMany(relationship.name, of: id))
                {
                    conflicts.insert(Property(object: target, name: nil))
                }
            }
        }
        return conflicts
    }

    /// The members of an ordered relationship that are there in an earlier graph too, and moved.
    func moved(
        in name: String, of id: ObjectID, since base: NaiveGraph
    ) -> Set<ObjectID> {
        let former = base.related(id, name)
        let known = related(id, name).filter(former.contains)
        let positions = known.map { former.firstIndex(of: $0) ?? 0 }
        // Of the least sets of members that may have moved, the same that a graph takes.
        let settled = heaviestIncreasingSubsequence(of: positions)
        return Set(known).subtracting(settled.map { known[$0] })
    }

    /// Whether a relationship leads to an object whose other end has a list of those, and did not in an
    /// earlier graph.
    func leads(to id: ObjectID, whereNoneOf base: NaiveGraph) -> Bool {
        objects.contains { holder, object in
            object.isAlive
                && relationships(of: holder).contains { relationship in
                    let name = relationship.name
                    guard related(holder, name).contains(id),
                        !(base.isAlive(holder) && base.related(holder, name).contains(id))
                    else { return false }
                    if relationship.isToMany { return isManyToMany(name, of: holder) }
                    return mirror(of: name, of: holder)?.isToMany ?? true
                }
        }
    }

    /// This graph's changes since `base`, made again on `head`, where a policy settles the conflicts; and what else
    /// follows from them there.
    func rebased(
        onto head: NaiveGraph, since base: NaiveGraph, without effects: SideEffects,
        but taken: TakenBack = TakenBack(), settling conflicts: Set<Property>,
        by policy: MergePolicy
    ) -> (graph: NaiveGraph, effects: SideEffects) {
        var changes = own(
            changes(since: base, andUnseenOf: conflicts), without: effects, but: taken)
        var settled = Settled(conflicts, by: policy, own: self, base: base)
        settled.keep(taken, own: self, base: base)
        settled.keep(effects.buried.mapValues { Set($0.keys) })
        let staying = settled.dropped.intersection(changes.deleted)
        let spared = staying.union(effects.deleted)
        changes.deleted.removeAll(where: settled.dropped.contains)
        changes.inserted.removeAll(where: settled.dropped.contains)
        var merged = head
        merged.heldBack = heldBack.filter { head.isAlive($0) && !isAlive($0) }
        for id in changes.inserted where !merged.isAlive(id) { merged.revive(id) }
        let whole = settled.whole.filter { isAlive($0) && base.isAlive($0) }
        let revived = whole.union(changes.inserted.filter(effects.returned.contains))
            .filter { !head.isAlive($0) }
        for id in revived where !merged.isAlive(id) { merged.revive(id) }
        for id in effects.buriedNew where !merged.isAlive(id) { merged.revive(id) }
        for id in changes.inserted + Array(whole) {
            changes.updated[id] = Set(properties(of: id.entity).map(\.name))
        }
        for id in revived { merged.returnMembers(to: id, from: self) }
        // One property after the other, as a graph does: of two partners the one written last wins.
        let new = Set(changes.inserted)
        let updates = changes.updated.filter { merged.isAlive($0.key) }.sorted { a, b in
            (new.contains(a.key) ? 0 : 1, a.key.row) < (new.contains(b.key) ? 0 : 1, b.key.row)
        }
        for (entity, property) in propertiesInOrder {
            let name = property.name
            // What shows came later than what does not.
            let buried = effects.buried.keys.filter {
                isObject($0, of: entity) && merged.isAlive($0)
            }
            for id in buried.sorted(by: { $0.row < $1.row }) {
                guard let graph = effects.buriedGraph(name, of: id, under: self) else { continue }
                merged.copyValues(id, [name], of: graph, since: graph, settled, sparing: spared)
            }
            for (id, names) in updates where names.contains(name) && isObject(id, of: entity) {
                guard effects.buriedGraph(name, of: id, under: self) == nil else { continue }
                merged.copyValues(id, [name], of: self, since: base, settled, sparing: spared)
            }
        }
        for (id, names) in changes.updated {
            merged.copyEdges(
                id, names, of: self, since: revived.contains(id) ? nil : base, sparing: spared,
                effects)
        }
        for link in effects.buriedParted {
            merged.unlink(link.object, link.name ?? "", link.member ?? link.object)
        }
        for link in effects.buriedJoined {
            guard let member = link.member, merged.isAlive(member), merged.isAlive(link.object)
            else { continue }
            merged.add(member, to: link.object, link.name ?? "")
        }
        for id in changes.deleted + goneAlso(in: base)
        where merged.isAlive(id) || merged.denies(id) {
            merged.copyValues(
                id, lastLinks(of: id, since: base), of: self, since: base, settled, sparing: spared)
        }
        for id in changes.deleted { merged.delete(id, sparing: staying) }
        merged.heldBack = merged.heldBack.filter { !merged.isAlive($0) }
        let all = Set(changes.inserted).union(whole)
        return (
            merged,
            sideEffects(
                of: changes, all, since: base, in: merged, on: head, sparing: spared, effects,
                keeping: settled.kept, returning: Set(revived))
        )
    }

    /// Whether what a conflict is about differs from an earlier graph.
    func isTouched(_ conflict: Property, since before: NaiveGraph) -> Bool {
        let id = conflict.object
        guard conflict.member == nil else { return false }
        guard isAlive(id) == before.isAlive(id) else { return true }
        guard let old = before.objects[id], let new = objects[id] else { return false }
        let differences = values(Self.differences(old, new), of: id)
        guard let name = conflict.name, name != Property.besides else {
            return !differences.isEmpty
        }
        return differences.contains(name)
    }

    /// Whether what a conflict is about is among the changes since an earlier graph, or a link that a rule kept to
    /// what they deleted.
    func isWrite(_ conflict: Property, since before: NaiveGraph) -> Bool {
        let id = conflict.object
        guard conflict.member == nil, let old = before.objects[id], let new = objects[id],
            old.isAlive
        else { return false }
        guard new.isAlive else { return true }
        let kept = new.toOne.filter { !isAlive($1) && before.isAlive($1) }.keys
        let written = values(Self.differences(old, new).union(kept), of: id)
        guard let name = conflict.name, name != Property.besides else { return !written.isEmpty }
        return written.contains(name)
    }

    /// The attributes and to-one relationships in which an object differs from one of an earlier graph, other than by
    /// the loss of what it led to.
    func written(_ id: ObjectID, since base: NaiveGraph, over saved: NaiveGraph) -> Set<String> {
        guard let own = objects[id], let old = base.objects[id] else { return [] }
        return values(Self.differences(old, own), of: id).filter { name in
            guard own.toOne[name] == nil, let former = old.toOne[name] else { return true }
            return saved.isAlive(former)
        }
    }

    /// The attributes and to-one relationships in which an object is neither as in an earlier graph nor as it is saved.
    func written(_ id: ObjectID, unlike base: NaiveGraph, and saved: NaiveGraph) -> Set<String> {
        guard let own = objects[id], let old = base.objects[id] else { return [] }
        let written = values(Self.differences(old, own), of: id)
        guard let saved = saved.objects[id], saved.isAlive else { return written }
        return written.intersection(Self.differences(saved, own))
    }

    /// The properties by table and slot, with the entities that declare them.
    var propertiesInOrder: [(entity: String, property: PropertyDescription)] {
        let families = schema.families
        return schema.entities.indices.filter { schema.entities[$0].superentity == nil }
            .flatMap { families[$0] }.flatMap { number in
                let entity = schema.entities[number]
                return entity.properties.map { (entity.name, $0) }
            }
    }

    /// The to-one relationships that an object which is gone had led elsewhere since an earlier graph, or nowhere, where
    /// the rule of its delete asks for them and no value of another object tells of it.
    func lastLinks(of id: ObjectID, since base: NaiveGraph) -> Set<String> {
        let wasGone = !base.isAlive(id)
        let names = relationships(of: id).lazy.filter { relationship in
            !relationship.isToMany && [.cascade, .deny].contains(relationship.deleteRule)
                && self.mirror(of: relationship.name, of: id)?.isToMany ?? true
        }.map(\.name)
        return Set(
            names.filter { name in
                let former = base.objects[id]?.toOne[name]
                let last = objects[id]?.toOne[name]
                // What the delete has taken along is gone, and the link with it.
                return former != last
                    && (wasGone || last != nil || former.map(isAlive) ?? false)
            })
    }

    /// The objects that are gone here and in another graph, or are not known there.
    func goneAlso(in other: NaiveGraph) -> [ObjectID] {
        Set(objects.keys).union(other.objects.keys)
            .filter { !isAlive($0) && !other.isAlive($0) }.sorted { $0.number < $1.number }
    }

    private mutating func copyValues(
        _ id: ObjectID, _ names: Set<String>, of source: NaiveGraph, since base: NaiveGraph,
        _ settled: Settled, sparing spared: Set<ObjectID>
    ) {
        for name in names where !settled.kept.contains(Property(object: id, name: name)) {
            guard let relationship = relationship(name, of: id) else {
                set(name, of: id, to: source.objects[id]?.attributes[name] ?? .null)
                continue
            }
            guard !relationship.isToMany else { continue }
            let target = source.objects[id]?.toOne[name]
            if target == nil, let former = base.objects[id]?.toOne[name], spared.contains(former) {
                continue
            }
            lead(
                name, of: id,
                to: target.flatMap {
                    isAlive($0) || !source.isAlive($0) && canLead(name, of: id, to: $0) ? $0 : nil
                })
        }
    }

    private mutating func copyEdges(
        _ id: ObjectID, _ names: Set<String>, of source: NaiveGraph, since base: NaiveGraph?,
        sparing spared: Set<ObjectID>, _ effects: SideEffects
    ) {
        for name in names where isManyToMany(name, of: id) {
            let before = base?.related(id, name) ?? []
            let after = source.related(id, name)
            for member in before
            where !after.contains(member) && !spared.contains(member) && !spared.contains(id)
                && !effects.parted.contains(Property(object: id, name: name, member: member))
            {
                unlink(id, name, member)
            }
            for member in after
            where !before.contains(member) && isAlive(member) && isAlive(id) {
                add(member, to: id, name)
            }
        }
    }

    private mutating func returnMembers(to id: ObjectID, from source: NaiveGraph) {
        for relationship in relationships(of: id)
        where relationship.isToMany && !isManyToMany(relationship.name, of: id) {
            for member in source.related(id, relationship.name) where isAlive(member) {
                guard let inverse = relationship.inverse, related(member, inverse).isEmpty else {
                    continue
                }
                lead(inverse, of: member, to: id)
            }
        }
    }

    func mirror(of name: String, of id: ObjectID) -> RelationshipDescription? {
        guard let relationship = relationship(name, of: id), let inverse = relationship.inverse
        else { return nil }
        return schema.entity(named: relationship.destination)?.relationships
            .first { $0.name == inverse }
    }

    func isManyToMany(_ name: String, of id: ObjectID) -> Bool {
        relationship(name, of: id)?.isToMany == true && mirror(of: name, of: id)?.isToMany == true
    }
}

/// What a merge policy makes of conflicts.
private struct Settled {
    /// Properties that stay as they were saved.
    var kept: Set<NaiveGraph.Property> = []
    /// Objects all of whose values are written.
    var whole: Set<ObjectID> = []
    /// Objects whose changes are dropped.
    var dropped: Set<ObjectID> = []

    init(
        _ conflicts: Set<NaiveGraph.Property>, by policy: MergePolicy, own: NaiveGraph,
        base: NaiveGraph
    ) {
        for conflict in conflicts where conflict.member == nil {
            // What is new, or came back after others had deleted it, has no property that they wrote.
            if let name = conflict.name, name != NaiveGraph.Property.besides,
                !base.isAlive(conflict.object)
            {
                continue
            }
            switch (policy, conflict.name) {
            case (.mergeByPropertyStoreTrump, NaiveGraph.Property.besides?): break
            case (.rollback, _), (.mergeByPropertyStoreTrump, nil): dropped.insert(conflict.object)
            case (.mergeByPropertyStoreTrump, let name?):
                keep(name, of: conflict.object, own, base)
            case (.overwrite, _), (.mergeByPropertyObjectTrump, nil), (.error, nil):
                whole.insert(conflict.object)
            case (.mergeByPropertyObjectTrump, _), (.error, _): break
            }
        }
        for id in dropped where own.isAlive(id) && base.isAlive(id) {
            for property in own.properties(of: id.entity)
            where property.relationship?.isToMany != true
                && (own.objects[id]?.differs(in: property.name, from: base.objects[id]) == true
                    || conflicts.contains(
                        NaiveGraph.Property(object: id, name: property.name)))
            {
                keep(property.name, of: id, own, base)
            }
        }
        for id in dropped where own.isAlive(id) && !base.isAlive(id) {
            for relationship in own.relationships(of: id)
            where !relationship.isToMany && own.objects[id]?.toOne[relationship.name] != nil {
                guard let mirror = own.mirror(of: relationship.name, of: id), !mirror.isToMany
                else { continue }
                keep(relationship.name, of: id, own, base)
            }
        }
    }

    /// Leaves as they are saved also the properties that an undo took back.
    mutating func keep(_ taken: NaiveGraph.TakenBack, own: NaiveGraph, base: NaiveGraph) {
        for property in taken.properties {
            keep(property.name ?? "", of: property.object, own, base)
        }
    }

    /// Leaves as they are saved also the buried properties of objects whose changes are dropped.
    mutating func keep(_ buried: [ObjectID: Set<String>]) {
        for (id, names) in buried where dropped.contains(id) {
            kept.formUnion(names.map { NaiveGraph.Property(object: id, name: $0) })
        }
    }

    private mutating func keep(
        _ name: String, of id: ObjectID, _ own: NaiveGraph, _ base: NaiveGraph
    ) {
        guard kept.insert(NaiveGraph.Property(object: id, name: name)).inserted,
            let mirror = own.mirror(of: name, of: id), !mirror.isToMany,
            own.relationship(name, of: id)?.isToMany == false
        else { return }
        if let partner = own.objects[id]?.toOne[name] { keep(mirror.name, of: partner, own, base) }
        if let former = base.objects[id]?.toOne[name], own.related(former, mirror.name).isEmpty {
            keep(mirror.name, of: former, own, base)
        }
    }
}

extension NaiveGraph.Object {
    /// Whether an attribute or a to-one relationship differs.
    func differs(in name: String, from other: NaiveGraph.Object?) -> Bool {
        attributes[name] != other?.attributes[name] || toOne[name] != other?.toOne[name]
    }
}
