import PlacesKit

extension NaiveGraph {
    /// Lets new objects whose unique values objects of `head` hold become those.
    mutating func foldDuplicates(newSince head: NaiveGraph, by policy: MergePolicy) {
        guard policy != .error else { return }
        for (entity, property) in propertiesInOrder where property.attribute?.isUnique == true {
            let living = living(entity)
            let saved = living.filter(head.isAlive)
            for id in living where !head.isAlive(id) && isAlive(id) {
                guard let value = objects[id]?.attributes[property.name], value != .null else {
                    continue
                }
                let holder = saved.first {
                    $0.entity == id.entity && isAlive($0)
                        && objects[$0]?.attributes[property.name] == value
                }
                if let holder { fold(id, into: holder, by: policy) }
            }
        }
    }

    private mutating func fold(_ id: ObjectID, into other: ObjectID, by policy: MergePolicy) {
        let isTaken = policy == .overwrite
        let isGivenTaken = isTaken || policy == .mergeByPropertyObjectTrump
        for property in properties(of: id.entity) {
            let name = property.name
            if let attribute = property.attribute {
                let value = objects[id]?.attributes[name] ?? .null
                let isGiven = value != attribute.naiveDefault
                if isTaken || isGivenTaken && isGiven { set(name, of: other, to: value) }
            } else if property.relationship?.isToMany == false {
                let target = objects[id]?.toOne[name]
                lead(name, of: id, to: nil)
                if isTaken || isGivenTaken && target != nil { lead(name, of: other, to: target) }
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
