import PlacesKit

extension NaiveGraph {
    /// Lets new objects, all or some, whose unique values objects of `head` hold become those.
    mutating func foldDuplicates(
        newSince head: NaiveGraph, by policy: MergePolicy, among some: Set<ObjectID>? = nil
    ) {
        guard policy != .error else { return }
        var released: [(object: ObjectID, owner: RelationshipDescription)] = []
        while foldsAny(newSince: head, by: policy, among: some, releasing: &released) {}
        for (object, owner) in released where isAlive(object) && !isLedTo(object, by: owner) {
            delete(object)
        }
    }

    /// Whether a to-one relationship of any object leads to one.
    private func isLedTo(_ id: ObjectID, by relationship: RelationshipDescription) -> Bool {
        relationship.inverse.map { !related(id, $0).isEmpty }
            ?? objects.values.contains { $0.toOne[relationship.name] == id }
    }

    /// Goes through all unique attributes once; returns whether any object became another.
    private mutating func foldsAny(
        newSince head: NaiveGraph, by policy: MergePolicy, among some: Set<ObjectID>?,
        releasing released: inout [(object: ObjectID, owner: RelationshipDescription)]
    ) -> Bool {
        var isFolded = false
        for (entity, property) in propertiesInOrder where property.attribute?.isUnique == true {
            let living = living(entity)
            // Of several that hold a value the oldest one counts, whose row may have come later.
            let saved = living.filter(head.isAlive).sorted { $0.number < $1.number }
            for id in living
            where !head.isAlive(id) && isAlive(id) && some?.contains(id) ?? true {
                guard let value = objects[id]?.attributes[property.name], value != .null else {
                    continue
                }
                let holder = saved.first {
                    $0.entity == id.entity && isAlive($0)
                        && objects[$0]?.attributes[property.name] == value
                }
                guard let holder else { continue }
                fold(id, into: holder, newSince: head, by: policy, releasing: &released)
                isFolded = true
            }
        }
        return isFolded
    }

    private mutating func fold(
        _ id: ObjectID, into other: ObjectID, newSince head: NaiveGraph, by policy: MergePolicy,
        releasing released: inout [(object: ObjectID, owner: RelationshipDescription)]
    ) {
        let isTaken = policy == .overwrite
        let isGivenTaken = isTaken || policy == .mergeByPropertyObjectTrump
        for property in properties(of: id.entity) {
            let name = property.name
            if let attribute = property.attribute {
                let value = objects[id]?.attributes[name] ?? .null
                let isGiven = value != attribute.naiveDefault
                if isTaken || isGivenTaken && isGiven { set(name, of: other, to: value) }
            } else if let relationship = property.relationship, !relationship.isToMany {
                let (target, former) = (objects[id]?.toOne[name], objects[other]?.toOne[name])
                let isOwn =
                    former == nil && head.isAlive(other)
                    && head.objects[other]?.toOne[name] == target
                // The partner of a one-to-one relationship refers to it, unless it is a part of it.
                let isReferring =
                    former == nil && target != other && relationship.deleteRule != .cascade
                    && mirror(of: name, of: id)?.isToMany == false
                let takes =
                    isTaken || target != nil && (isGivenTaken || isOwn || isReferring)
                lead(name, of: id, to: nil)
                if takes { lead(name, of: other, to: target) }
                let (rest, held) = takes ? (former, target) : (target, former)
                if relationship.deleteRule == .cascade, let rest, rest != held, rest != other {
                    released.append((rest, relationship))
                }
            } else if isManyToMany(name, of: id) {
                let members = related(id, name)
                for member in members { add(member, to: other, name) }
                for member in members { unlink(id, name, member) }
            } else if let inverse = property.relationship?.inverse {
                for member in related(id, name) { lead(inverse, of: member, to: other) }
            }
        }
        for entity in schema.entities {
            for relationship in entity.relationships
            where relationship.inverse == nil && isObject(id, of: relationship.destination) {
                for holder in objects.keys where related(holder, relationship.name) == [id] {
                    lead(relationship.name, of: holder, to: other)
                }
            }
        }
        delete(id)
    }
}
