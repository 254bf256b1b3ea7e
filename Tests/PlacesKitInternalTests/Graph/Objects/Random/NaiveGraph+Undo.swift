import PlacesKit

extension NaiveGraph {
    /// Makes all objects what they are in another graph, also those that were gone there, with the links that a
    /// rule had kept; those that it never had are gone.
    mutating func returnAll(to other: NaiveGraph) {
        let gone = living().filter { other.objects[$0] == nil }
        replaceAll(with: other)
        for id in gone { bury(id) }
    }

    /// What was saved when changes were made, what is now by the work of others, and the objects of which both wrote
    /// the same.
    typealias Overtaking = (former: NaiveGraph, saved: NaiveGraph, contested: Set<ObjectID>)

    /// This graph without the changes that led from `before` to `after`, where nothing else came on
    /// top of them, and others did not do the same.
    func undoing(
        _ after: NaiveGraph, since before: NaiveGraph, over others: Overtaking?
    ) -> NaiveGraph {
        var graph = self
        let returning = before.living().filter { id in
            let isGone =
                others.map {
                    $0.former.isAlive(id) && !$0.saved.isAlive(id) && !$0.contested.contains(id)
                } ?? false
            return !after.isAlive(id) && !isAlive(id) && !isGone
        }
        for id in returning { graph.revive(id) }
        for id in returning { graph.setBack(id, after, before, from: self, isReturning: true) }
        for id in before.living() where after.isAlive(id) && isAlive(id) {
            graph.setBack(id, after, before, from: self, isReturning: false)
        }
        for id in before.living() where !after.isAlive(id) {
            graph.returnKeptMembers(to: id, after, before, from: self)
        }
        for id in before.living() + after.living() {
            graph.setEdgesBack(id, after, before, over: others)
        }
        let leaving = after.living().filter { !before.isAlive($0) }
        for id in leaving + before.goneAlso(in: after) {
            graph.leadToLastLinks(id, after, before, from: self)
        }
        for id in leaving { graph.delete(id) }
        return graph
    }

    private func living() -> [ObjectID] {
        schema.entities.flatMap { living($0.name) }
    }

    private mutating func setBack(
        _ id: ObjectID, _ after: NaiveGraph, _ before: NaiveGraph, from current: NaiveGraph,
        isReturning: Bool
    ) {
        guard let old = before.objects[id], let new = after.objects[id] else { return }
        for property in properties(of: id.entity) {
            let name = property.name
            if property.attribute != nil {
                let isAltered = current.objects[id]?.attributes[name] != new.attributes[name]
                if !isReturning, isAltered || old.attributes[name] == new.attributes[name] {
                    continue
                }
                set(name, of: id, to: old.attributes[name] ?? .null)
            } else if property.relationship?.isToMany == false {
                let isAltered = !current.leads(name, of: id, asIn: after, before)
                if !isReturning, isAltered || old.toOne[name] == new.toOne[name] { continue }
                let target = old.toOne[name].flatMap {
                    canLead(name, of: id, to: $0) ? $0 : nil
                }
                if let target, let mirror = mirror(of: name, of: id), !mirror.isToMany,
                    let rival = current.objects[target]?.toOne[mirror.name], rival != id,
                    rival != after.objects[target]?.toOne[mirror.name]
                {
                    continue
                }
                lead(name, of: id, to: target)
            }
        }
    }

    /// Whether a to-one relationship leads where changes let it lead, or did until that went: a link that a rule had
    /// kept goes with the member, and comes back with what it led to.
    private func leads(
        _ name: String, of id: ObjectID, asIn after: NaiveGraph, _ before: NaiveGraph
    ) -> Bool {
        let (own, target) = (objects[id]?.toOne[name], after.objects[id]?.toOne[name])
        return own == target
            || own == nil
                && target.map { before.isAlive($0) && !after.isAlive($0) && !isAlive($0) } ?? false
    }

    /// Lets an object that goes lead where it led before it came, so that it takes nothing along to which only the
    /// changes have led it; and one that is gone where it did when it was deleted.
    private mutating func leadToLastLinks(
        _ id: ObjectID, _ after: NaiveGraph, _ before: NaiveGraph, from current: NaiveGraph
    ) {
        for name in before.lastLinks(of: id, since: after)
        where (current.isAlive(id) || !after.isAlive(id) && current.denies(id))
            && current.leads(name, of: id, asIn: after, before)
        {
            let target = before.objects[id]?.toOne[name]
            if objects[id] == nil { bury(id) }
            lead(name, of: id, to: target.flatMap { canLead(name, of: id, to: $0) ? $0 : nil })
        }
    }

    /// Leads members back that a rule had kept when their owner went, unless they have another by now.
    private mutating func returnKeptMembers(
        to id: ObjectID, _ after: NaiveGraph, _ before: NaiveGraph, from current: NaiveGraph
    ) {
        for relationship in relationships(of: id)
        where relationship.deleteRule == .deny && relationship.isToMany {
            let (name, inverse) = (relationship.name, relationship.inverse ?? "")
            let kept = after.related(id, name)
            for member in before.related(id, name)
            where kept.contains(member) && current.isAlive(member)
                && current.objects[member]?.toOne[inverse] == nil
            {
                add(member, to: id, name)
            }
        }
    }

    private mutating func setEdgesBack(
        _ id: ObjectID, _ after: NaiveGraph, _ before: NaiveGraph, over others: Overtaking?
    ) {
        for relationship in relationships(of: id)
        where isManyToMany(relationship.name, of: id) {
            let name = relationship.name
            let (old, new) = (before.related(id, name), after.related(id, name))
            func isTheirs(_ member: ObjectID) -> Bool {
                guard let others, others.saved.isAlive(id), others.saved.isAlive(member) else {
                    return false
                }
                let former = others.former
                return others.saved.related(id, name).contains(member)
                    != (former.isAlive(id) && former.isAlive(member)
                        && former.related(id, name).contains(member))
            }
            for member in new where !old.contains(member) && !isTheirs(member) {
                unlink(id, name, member)
            }
            for member in old
            where !new.contains(member) && isAlive(id) && isAlive(member) && !isTheirs(member) {
                add(member, to: id, name)
            }
        }
    }
}
