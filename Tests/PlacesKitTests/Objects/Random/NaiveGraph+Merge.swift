@testable import PlacesKit

extension NaiveGraph {
    /// The names of the properties that differ between two states of an object.
    private static func differences(_ old: Object, _ new: Object) -> Set<String> {
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
    private func changes(
        since base: NaiveGraph
    ) -> (inserted: [ObjectID], deleted: [ObjectID], updated: [ObjectID: Set<String>]) {
        var updated: [ObjectID: Set<String>] = [:]
        for (id, object) in objects where object.isAlive && base.isAlive(id) {
            guard let old = base.objects[id] else { continue }
            let names = Self.differences(old, object)
            if !names.isEmpty { updated[id] = names }
        }
        return (
            objects.keys.filter { isAlive($0) && !base.isAlive($0) },
            base.objects.keys.filter { base.isAlive($0) && !isAlive($0) }, updated
        )
    }

    /// Whether anything differs from `base`.
    func hasChanges(since base: NaiveGraph) -> Bool {
        let changes = changes(since: base)
        return !changes.inserted.isEmpty || !changes.deleted.isEmpty || !changes.updated.isEmpty
    }

    /// The rules of the model that the changes since `base` break.
    func failures(since base: NaiveGraph) -> (
        missing: Set<Property>, duplicates: Set<Property>, denied: Set<Property>
    ) {
        var missing: Set<Property> = []
        var duplicates: Set<Property> = []
        let updated = changes(since: base).updated
        for entity in schema.entities {
            let living = living(entity.name)
            for attribute in entity.attributes where attribute.isUnique || attribute.isRequired {
                var holders: [Datum: [ObjectID]] = [:]
                for id in living {
                    let value = objects[id]?.attributes[attribute.name] ?? .null
                    if value == .null, attribute.isRequired,
                        !base.isAlive(id) || updated[id] != nil
                    {
                        missing.insert(Property(object: id, name: attribute.name))
                    }
                    if value != .null, attribute.isUnique { holders[value, default: []].append(id) }
                }
                for group in holders.values where group.count > 1 {
                    duplicates.formUnion(group.map { Property(object: $0, name: attribute.name) })
                }
            }
        }
        return (missing, duplicates, denied(since: base))
    }

    /// What this graph and `head` changed differently since `base`.
    func conflicts(with head: NaiveGraph, since base: NaiveGraph) -> Set<Property> {
        let changes = changes(since: base)
        var conflicts: Set<Property> = []
        for (id, names) in changes.updated {
            guard let ours = objects[id], let old = base.objects[id] else { continue }
            let values = names.filter { relationship($0, of: id)?.isToMany != true }
            guard head.isAlive(id), let theirs = head.objects[id] else {
                if !values.isEmpty { conflicts.insert(Property(object: id, name: nil)) }
                continue
            }
            let both = values.intersection(Self.differences(old, theirs))
                .intersection(Self.differences(ours, theirs))
            for name in both { conflicts.insert(Property(object: id, name: name)) }
        }
        for id in changes.deleted {
            guard head.isAlive(id), let theirs = head.objects[id], let old = base.objects[id]
            else { continue }
            let names = Self.differences(old, theirs)
            if names.contains(where: { relationship($0, of: id)?.isToMany != true }) {
                conflicts.insert(Property(object: id, name: nil))
            }
        }
        return conflicts
    }

    /// Whether a conflict that was met before is one still.
    func stands(_ conflict: Property, with head: NaiveGraph) -> Bool {
        let (ours, theirs) = (objects[conflict.object], head.objects[conflict.object])
        let isHere = isAlive(conflict.object)
        let isThere = head.isAlive(conflict.object)
        guard let name = conflict.name else { return isHere != isThere }
        return isHere && isThere
            && (ours?.attributes[name] != theirs?.attributes[name]
                || ours?.toOne[name] != theirs?.toOne[name])
    }

    /// This graph's changes since `base`, made again on `head`, where a policy settles the conflicts.
    func rebased(
        onto head: NaiveGraph, since base: NaiveGraph, settling conflicts: Set<Property>,
        by policy: MergePolicy
    ) -> NaiveGraph {
        var changes = changes(since: base)
        let settled = Settled(conflicts, by: policy, own: self, base: base)
        let spared = settled.dropped.intersection(changes.deleted)
        changes.deleted.removeAll(where: settled.dropped.contains)
        changes.inserted.removeAll(where: settled.dropped.contains)
        var merged = head
        merged.heldBack = []
        for id in changes.inserted where !merged.isAlive(id) { merged.revive(id) }
        let whole = changes.updated.keys.filter(settled.whole.contains)
        let revived = whole.filter { !head.isAlive($0) }
        for id in revived { merged.revive(id) }
        for id in changes.inserted + whole {
            changes.updated[id] = Set(
                schema.entity(named: id.entity)?.properties.map(\.name) ?? [])
        }
        for (id, names) in changes.updated where merged.isAlive(id) {
            merged.copyValues(id, names, of: self, since: base, settled, sparing: spared)
        }
        for id in revived { merged.returnMembers(to: id, from: self) }
        for (id, names) in changes.updated {
            merged.copyEdges(
                id, names, of: self, since: revived.contains(id) ? nil : base, sparing: spared)
        }
        for id in changes.deleted { merged.delete(id) }
        return merged
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
            lead(name, of: id, to: target.flatMap { isAlive($0) ? $0 : nil })
        }
    }

    private mutating func copyEdges(
        _ id: ObjectID, _ names: Set<String>, of source: NaiveGraph, since base: NaiveGraph?,
        sparing spared: Set<ObjectID>
    ) {
        for name in names where isManyToMany(name, of: id) {
            let before = base?.related(id, name) ?? []
            let after = source.related(id, name)
            for member in before
            where !after.contains(member) && !spared.contains(member) && !spared.contains(id) {
                unlink(id, name, member)
            }
            for member in after
            where !before.contains(member) && isAlive(member) && isAlive(id) {
                add(member, to: id, name)
            }
        }
    }

    private mutating func returnMembers(to id: ObjectID, from source: NaiveGraph) {
        for relationship in schema.entity(named: id.entity)?.relationships ?? []
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
        for conflict in conflicts {
            switch (policy, conflict.name) {
            case (.rollback, _), (.mergeByPropertyStoreTrump, nil): dropped.insert(conflict.object)
            case (.mergeByPropertyStoreTrump, let name?):
                keep(name, of: conflict.object, own, base)
            case (.overwrite, _), (.mergeByPropertyObjectTrump, nil), (.error, nil):
                whole.insert(conflict.object)
            case (.mergeByPropertyObjectTrump, _), (.error, _): break
            }
        }
        for id in dropped where own.isAlive(id) && base.isAlive(id) {
            for property in own.schema.entity(named: id.entity)?.properties ?? []
            where property.relationship?.isToMany != true
                && own.objects[id]?.differs(in: property.name, from: base.objects[id]) == true
            {
                keep(property.name, of: id, own, base)
            }
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
    fileprivate func differs(in name: String, from other: NaiveGraph.Object?) -> Bool {
        attributes[name] != other?.attributes[name] || toOne[name] != other?.toOne[name]
    }
}
