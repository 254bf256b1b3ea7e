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
        for (id, object) in objects where object.isAlive {
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
        for entity in schema.entities {
            let living = living(entity.name)
            for attribute in entity.attributes where attribute.isUnique || attribute.isRequired {
                var holders: [Datum: [ObjectID]] = [:]
                for id in living {
                    let value = objects[id]?.attributes[attribute.name] ?? .null
                    if value == .null, attribute.isRequired {
                        missing.insert(Property(object: id, name: attribute.name))
                    }
                    if value != .null, attribute.isUnique { holders[value, default: []].append(id) }
                }
                for group in holders.values where group.count > 1 {
                    duplicates.formUnion(group.map { Property(object: $0, name: attribute.name) })
                }
            }
        }
        return (missing, duplicates, denied)
    }

    /// What this graph and `head` changed differently since `base`.
    func conflicts(with head: NaiveGraph, since base: NaiveGraph) -> Set<Property> {
        let changes = changes(since: base)
        var conflicts: Set<Property> = []
        for (id, names) in changes.updated {
            guard let ours = objects[id], let old = base.objects[id] else { continue }
            guard head.isAlive(id), let theirs = head.objects[id] else {
                conflicts.insert(Property(object: id, name: nil))
                continue
            }
            let both = names.intersection(Self.differences(old, theirs))
                .intersection(Self.differences(ours, theirs))
            for name in both where relationship(name, of: id)?.isToMany != true {
                conflicts.insert(Property(object: id, name: name))
            }
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

    /// This graph's changes since `base`, made again on `head`.
    func rebased(onto head: NaiveGraph, since base: NaiveGraph) -> NaiveGraph {
        let changes = changes(since: base)
        var merged = head
        for id in changes.inserted { merged.insert(id) }
        for id in changes.inserted {
            merged.copy(id, Set(properties(of: id.entity).map(\.name)), self, base)
        }
        for (id, names) in changes.updated { merged.copy(id, names, self, base) }
        for id in changes.deleted { merged.delete(id) }
        return merged
    }

    private mutating func copy(
        _ id: ObjectID, _ names: Set<String>, _ source: NaiveGraph, _ base: NaiveGraph
    ) {
        for name in names {
            guard let relationship = relationship(name, of: id) else {
                set(name, of: id, to: source.objects[id]?.attributes[name] ?? .null)
                continue
            }
            let mirror = relationship.inverse.flatMap { inverse in
                schema.entity(named: relationship.destination)?.relationships
                    .first { $0.name == inverse }
            }
            let after = source.related(id, name)
            if !relationship.isToMany {
                lead(name, of: id, to: after.first(where: isAlive))
            } else if mirror?.isToMany == true {
                let before = base.related(id, name)
                for member in before where !after.contains(member) { unlink(id, name, member) }
                for member in after where !before.contains(member) && isAlive(member) {
                    add(member, to: id, name)
                }
            }
        }
    }
}
