import PlacesKit

/// What a graph should be, kept in dictionaries and as plainly as can be.
struct NaiveGraph {
    struct Object: Equatable {
        var isAlive = true
        var attributes: [String: Datum] = [:]
        var toOne: [String: ObjectID] = [:]
        var toMany: [String: [ObjectID]] = [:]
    }

    let schema: Schema
    /// The properties that objects of each entity have, but for derived ones, and the relationships
    /// among them.
    private let properties: [String: [PropertyDescription]]
    private let relationships: [String: [RelationshipDescription]]
    /// The entities that each entity inherits from.
    private let superentities: [String: Set<String>]
    private(set) var objects: [ObjectID: Object] = [:]
    /// Objects that were deleted although a rule forbade it.
    var heldBack: Set<ObjectID> = []
    /// Those that a child's parent had deleted so.
    var heldBackByParent: Set<ObjectID> = []

    init(schema: Schema) {
        self.schema = schema
        let names = schema.entities.map(\.name)
        let lineages = schema.entities.map(schema.lineage)
        properties = Dictionary(
            uniqueKeysWithValues: zip(
                names,
                lineages.map { lineage in
                    lineage.flatMap(\.properties).filter { $0.derivation == nil }
                }))
        relationships = properties.mapValues { $0.compactMap(\.relationship) }
        superentities = Dictionary(
            uniqueKeysWithValues: zip(names, lineages.map { Set($0.dropFirst().map(\.name)) }))
    }

    // MARK: - Reading

    func isAlive(_ id: ObjectID) -> Bool { objects[id]?.isAlive ?? false }

    /// The properties that an object of an entity has, inherited ones too.
    func properties(of entity: String) -> [PropertyDescription] {
        properties[entity] ?? []
    }

    func relationships(of id: ObjectID) -> [RelationshipDescription] {
        relationships[id.entity] ?? []
    }

    /// Whether an object is of an entity, or of one that inherits from it.
    func isObject(_ id: ObjectID, of entity: String) -> Bool {
        id.entity == entity || superentities[id.entity]?.contains(entity) == true
    }

    /// The living objects of an entity and its heirs, in the order of their rows.
    func living(_ entity: String) -> [ObjectID] {
        objects.lazy.filter { $0.value.isAlive && isObject($0.key, of: entity) }.map(\.key)
            .sorted { $0.row < $1.row }
    }

    func relationship(_ name: String, of id: ObjectID) -> RelationshipDescription? {
        relationships(of: id).first { $0.name == name }
    }

    /// What a relationship leads to.
    func related(_ id: ObjectID, _ name: String) -> [ObjectID] {
        objects[id]?.toMany[name] ?? objects[id]?.toOne[name].map { [$0] } ?? []
    }

    /// Objects deleted since `base` that a relationship with the rule `deny` holds back, with its name.
    func denied(since base: NaiveGraph) -> Set<Property> {
        var denied: Set<Property> = []
        for (id, object) in objects
        where !object.isAlive && base.objects[id]?.isAlive ?? true {
            for relationship in relationships(of: id)
            where relationship.deleteRule == .deny
                && related(id, relationship.name).contains(where: isAlive)
            {
                denied.insert(Property(object: id, name: relationship.name))
            }
        }
        return denied
    }

    /// Whether a to-one relationship can lead to an object as it did: one that lives, or one whose delete just such
    /// links forbid.
    func canLead(_ name: String, of id: ObjectID, to target: ObjectID) -> Bool {
        isAlive(target)
            || denies(target)
                && relationship(name, of: id)?.inverse.flatMap { relationship($0, of: target) }?
                    .deleteRule == .deny
    }

    /// Whether an object was deleted although a rule forbade it, here or in a parent.
    func denies(_ id: ObjectID) -> Bool { heldBack.contains(id) || heldBackByParent.contains(id) }

    struct Property: Hashable {
        var object: ObjectID
        var name: String?
        /// A member of the ordered relationship of that name, where it is about the member's position.
        var member: ObjectID?

        /// Stands for the name where both sides wrote other properties of an object.
        static let besides = "*"
    }

    /// What each conflict is based on, and what others wrote of the object.
    typealias Conflicts = [Property: (base: NaiveGraph, written: Set<String>)]

    /// The attributes and to-one relationships that a commit wrote, by object.
    typealias Writes = [ObjectID: Set<String>]

    // MARK: - Writing

    mutating func insert(_ id: ObjectID) {
        var object = Object()
        for attribute in properties(of: id.entity).compactMap(\.attribute) {
            object.attributes[attribute.name] = attribute.naiveDefault
        }
        for relationship in relationships(of: id) where relationship.isToMany {
            object.toMany[relationship.name] = []
        }
        objects[id] = object
    }

    mutating func set(_ name: String, of id: ObjectID, to value: Datum) {
        objects[id]?.attributes[name] = value
    }

    /// Leads a to-one relationship elsewhere, and mends the inverse.
    mutating func lead(_ name: String, of id: ObjectID, to target: ObjectID?) {
        guard objects[id]?.toOne[name] != target, let own = relationship(name, of: id) else {
            return
        }
        if let old = objects[id]?.toOne[name] { unlink(id, name, old) }
        guard let target else { return }
        if let inverse = own.inverse, let rival = objects[target]?.toOne[inverse] {
            unlink(rival, name, target)
        }
        link(id, name, target)
    }

    mutating func add(_ member: ObjectID, to id: ObjectID, _ name: String) {
        guard !related(id, name).contains(member), let own = relationship(name, of: id),
            let inverse = own.inverse, let other = relationship(inverse, of: member)
        else { return }
        if other.isToMany {
            link(id, name, member)
        } else {
            lead(inverse, of: member, to: id)
        }
    }

    /// Puts a member of an ordered relationship at a position among the others.
    mutating func put(_ member: ObjectID, at position: Int, of id: ObjectID, _ name: String) {
        objects[id]?.toMany[name]?.removeAll { $0 == member }
        objects[id]?.toMany[name]?.insert(member, at: position)
    }

    /// Takes a link away on both sides.
    mutating func unlink(_ id: ObjectID, _ name: String, _ other: ObjectID) {
        forget(id, name, other)
        if let inverse = relationship(name, of: id)?.inverse { forget(other, inverse, id) }
    }

    private mutating func forget(_ id: ObjectID, _ name: String, _ other: ObjectID) {
        objects[id]?.toMany[name]?.removeAll { $0 == other }
        if objects[id]?.toOne[name] == other { objects[id]?.toOne[name] = nil }
    }

    private mutating func link(_ id: ObjectID, _ name: String, _ other: ObjectID) {
        remember(id, name, other)
        if let inverse = relationship(name, of: id)?.inverse { remember(other, inverse, id) }
    }

    private mutating func remember(_ id: ObjectID, _ name: String, _ other: ObjectID) {
        if objects[id]?.toMany[name]?.append(other) == nil { objects[id]?.toOne[name] = other }
    }

    /// Deletes an object, and what its rules say besides, but for some objects.
    mutating func delete(_ id: ObjectID, sparing spared: Set<ObjectID> = []) {
        guard isAlive(id) else { return }
        objects[id]?.isAlive = false
        for relationship in relationships(of: id) {
            for other in related(id, relationship.name) {
                if relationship.deleteRule == .deny, isAlive(other) {
                    heldBack.insert(id)
                    continue
                }
                unlink(id, relationship.name, other)
                guard relationship.deleteRule == .cascade, !spared.contains(other) else { continue }
                delete(other, sparing: spared)
            }
        }
        // Those that refer to it without an inverse.
        for entity in schema.entities {
            for relationship in entity.relationships
            where relationship.inverse == nil && isObject(id, of: relationship.destination) {
                for holder in objects.keys where isObject(holder, of: entity.name) {
                    forget(holder, relationship.name, id)
                }
            }
        }
    }

    /// Makes all objects those of another graph.
    mutating func replaceAll(with other: NaiveGraph) {
        objects = other.objects
        heldBack.formUnion(denied(since: NaiveGraph(schema: schema)).map(\.object))
    }

    /// Lets an object live again, with the links that a rule had kept.
    mutating func revive(_ id: ObjectID) {
        if objects[id] == nil { insert(id) }
        objects[id]?.isAlive = true
    }

    /// Keeps an object as one that is gone, without links.
    mutating func bury(_ id: ObjectID) {
        insert(id)
        objects[id]?.isAlive = false
    }

    /// Takes the order of members from the graph itself, where a merge has left it open.
    mutating func adopt(_ order: [ObjectID], of name: String, _ id: ObjectID) {
        objects[id]?.toMany[name] = order
    }

    /// Forgets what is deleted, but for what a rule holds back: a child saves that too, and may take the delete
    /// back.
    mutating func sweep() {
        let kept = Set(denied(since: NaiveGraph(schema: schema)).map(\.object))
        objects = objects.filter { $1.isAlive || kept.contains($0) }
        heldBack = heldBack.filter(isAlive)
    }
}

extension AttributeDescription {
    /// What new objects have.
    var naiveDefault: Datum { (defaultValue ?? .null).toTheBit }
}

extension Datum {
    /// The value, or the bits of a number: zeros of both signs are two values, and what is not a number is
    /// equal to itself.
    var toTheBit: Datum {
        if case .double(let value) = self { .unsigned(value.bitPattern) } else { self }
    }
}

extension ObjectID {
    /// What of the number tells the row, in a store that began empty; the rest is which use of it.
    var row: Int64 { number & Self.lastRow }

    /// Whether the row was another object's before.
    var isInUsedRow: Bool { number > Self.lastRow }

    private static var lastRow: Int64 { 1 << 31 - 1 }
}
