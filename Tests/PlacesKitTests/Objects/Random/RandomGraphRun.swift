import PlacesKitTesting

@testable import PlacesKit

/// Two contexts of one store, each beside a naive graph, and random steps on both.
struct RandomGraphRun {
    struct Difference: Error, CustomStringConvertible {
        var description: String
    }

    /// A context and what it should show.
    struct Side {
        let context: ManagedObjectContext
        var naive: NaiveGraph
        /// What the store held when the context last looked.
        var base: NaiveGraph
        /// Some handles that somebody keeps.
        var kept: [ObjectID: ManagedObject] = [:]
    }

    let access = RandomModel.access()
    let entities = RandomModel.types.map { $0.entityName }
    var generator: SplitMix64
    /// What the store should hold.
    private(set) var head: NaiveGraph
    private(set) var sides: [Side]
    private(set) var saves = 0
    private(set) var refusals = 0
    private(set) var conflicts = 0

    init(seed: UInt64) throws {
        generator = SplitMix64(seed: seed)
        let store = try GraphStore(model: RandomModel.types)
        let empty = NaiveGraph(schema: store.model.schema)
        head = empty
        sides = (0..<2).map { _ in
            Side(context: ManagedObjectContext(store), naive: empty, base: empty)
        }
    }

    func fail(_ text: String) -> Difference { Difference(description: text) }

    // MARK: - Steps

    /// Inserts many objects at once.
    mutating func insert(_ count: Int, of entity: String, into side: Int) throws {
        for _ in 0..<count { try insert(entity, side) }
    }

    /// One random step; returns what it was, for the failure message.
    mutating func step(population: Int) throws -> String {
        let side = generator.below(4) == 0 ? 1 : 0
        let entity = generator.pick(["Node", "Node", "Node", "Team", "Tag", "Badge"])
        let living = sides[side].naive.living(entity)
        let choice = generator.below(100)
        guard let id = living.isEmpty ? nil : generator.pick(living),
            choice >= 12 || living.count >= population
        else {
            try insert(entity, side)
            return "insert \(entity) in \(side)"
        }
        switch choice {
        case ..<(living.count > population ? 24 : 17):
            sides[side].context.delete(try object(id, side))
            sides[side].naive.delete(id)
            return "delete \(id) in \(side)"
        case ..<50:
            guard let name = access[entity]?.write.keys.sorted().randomElement(using: &generator)
            else { return "nothing" }
            return try write(name, id, side)
        case ..<90:
            guard
                let relationship = sides[side].naive.schema.entity(named: entity)?.relationships
                    .randomElement(using: &generator)
            else { return "nothing" }
            return try relate(relationship, id, side)
        case ..<92:
            sides[side].context.processPendingChanges()
            return "process \(side)"
        case ..<95:
            try repair(side)
            try save(side)
            return "repair and save \(side)"
        case ..<97:
            try save(side)
            return "save \(side)"
        case ..<98:
            sides[side].context.rollback()
            show(head, side)
            return "rollback \(side)"
        default:
            try refresh(side)
            return "refresh \(side)"
        }
    }

    private mutating func insert(_ entity: String, _ side: Int) throws {
        guard let access = access[entity] else { throw fail("no entity \(entity)") }
        let object = access.insert(sides[side].context)
        let id = object.objectID
        sides[side].naive.insert(id)
        if generator.below(2) == 0 { sides[side].kept[id] = object }
        // Mostly give what is required, so that saves are not always refused.
        for name in ["serial", "name", "stamp"] where access.write[name] != nil && generator.below(30) > 0 {
            _ = try write(name, id, side)
        }
    }

    private mutating func write(_ name: String, _ id: ObjectID, _ side: Int) throws -> String {
        let object = try object(id, side)
        guard let write = access[id.entity]?.write[name] else { throw fail("no \(name)") }
        let value = write(object, &generator)
        sides[side].naive.set(name, of: id, to: value)
        return "\(id).\(name) = \(value) in \(side)"
    }

    private mutating func relate(
        _ relationship: RelationshipDescription, _ id: ObjectID, _ side: Int
    ) throws -> String {
        let name = relationship.name
        let owner = try object(id, side)
        let others = sides[side].naive.living(relationship.destination)
        let isAway = others.isEmpty || generator.below(4) == 0
        let other = isAway ? nil : generator.pick(others)
        guard relationship.isToMany else {
            access[id.entity]?.lead[name]?(owner, try other.map { try object($0, side) })
            sides[side].naive.lead(name, of: id, to: other)
            return "\(id).\(name) = \(other.map(\.description) ?? "nil") in \(side)"
        }
        guard let set = access[id.entity]?.toMany[name] else { throw fail("no \(name)") }
        let members = sides[side].naive.related(id, name)
        if let other {
            let isNew = set.insert(owner, try object(other, side))
            if isNew == members.contains(other) {
                throw fail("\(id).\(name).insert(\(other)) said \(isNew)")
            }
            sides[side].naive.add(other, to: id, name)
            return "\(id).\(name).insert(\(other)) in \(side)"
        }
        if generator.below(8) == 0 {
            set.removeAll(owner)
            for member in members { sides[side].naive.unlink(id, name, member) }
            return "\(id).\(name).removeAll() in \(side)"
        }
        let candidates = generator.below(4) == 0 || members.isEmpty ? others : members
        guard !candidates.isEmpty else { return "nothing" }
        let member = generator.pick(candidates)
        let wasMember = set.remove(owner, try object(member, side))
        if wasMember != members.contains(member) {
            throw fail("\(id).\(name).remove(\(member)) said \(wasMember)")
        }
        if wasMember { sides[side].naive.unlink(id, name, member) }
        return "\(id).\(name).remove(\(member)) in \(side)"
    }

    // MARK: - Saving

    /// Mends what would refuse a save.
    private mutating func repair(_ side: Int) throws {
        for _ in 0..<8 {
            let failures = sides[side].naive.failures(since: sides[side].base)
            guard failures != ([], [], []) else { return }
            let properties = failures.missing.union(failures.duplicates)
                .sorted { ($0.object.number, $0.name ?? "") < ($1.object.number, $1.name ?? "") }
            for property in properties {
                _ = try write(property.name ?? "", property.object, side)
            }
            for property in failures.denied {
                for other in sides[side].naive.related(property.object, property.name ?? "") {
                    sides[side].naive.unlink(property.object, property.name ?? "", other)
                    let inverse = property.object.entity == "Team" ? "guardian" : "badge"
                    access[other.entity]?.lead[inverse]?(try object(other, side), nil)
                }
            }
        }
    }

    private mutating func save(_ side: Int) throws {
        let own = sides[side].naive
        let base = sides[side].base
        var expected = own.hasChanges(since: base) || !own.denied.isEmpty ? "saved" : "nothing"
        var merged = own
        let number = sides[side].context.store.commitNumber
        if expected == "saved" {
            if !isValid(own, base) {
                expected = "invalid"
            } else if sides[side].context.committed.number != number {
                let conflicts = own.conflicts(with: head, since: base)
                merged = own.rebased(onto: head, since: base)
                expected =
                    conflicts.isEmpty ? isValid(merged, head) ? "saved" : "invalid" : "conflict"
                if expected != "conflict" {
                    sides[side].base = head
                    sides[side].naive = merged
                }
            }
        }
        switch ContextError.thrown(by: sides[side].context.save) {
        case nil:
            if expected == "nothing" { return }
            if expected != "saved" { throw fail("saved, and should be \(expected)") }
            saves += 1
            if merged.hasChanges(since: own) { try adoptOrder(side) }
            sides[side].naive.sweep()
            head = sides[side].naive
            sides[side].base = head
        case .invalid(let failures):
            if expected != "invalid" { throw fail("invalid: \(failures), expected \(expected)") }
            refusals += 1
            try compare(failures, sides[side])
            if merged.hasChanges(since: own) { try adoptOrder(side) }
        case .conflict(let found):
            if expected != "conflict" { throw fail("conflict: \(found), expected \(expected)") }
            conflicts += 1
            try compare(found, own.conflicts(with: head, since: base))
        case let error?: throw error
        }
    }

    private mutating func refresh(_ side: Int) throws {
        let own = sides[side].naive
        let base = sides[side].base
        guard own.hasChanges(since: base) else {
            try sides[side].context.refreshAllObjects()
            return show(head, side)
        }
        let expected = own.conflicts(with: head, since: base)
        switch ContextError.thrown(by: sides[side].context.refreshAllObjects) {
        case nil:
            if !expected.isEmpty { throw fail("refreshed, and conflicts with \(expected)") }
            sides[side].base = head
            sides[side].naive = own.rebased(onto: head, since: base)
            try adoptOrder(side)
        case .conflict(let found): try compare(found, expected)
        case let error?: throw error
        }
    }

    private mutating func show(_ graph: NaiveGraph, _ side: Int) {
        sides[side].naive = graph
        sides[side].base = graph
    }

    private func isValid(_ graph: NaiveGraph, _ base: NaiveGraph) -> Bool {
        let failures = graph.failures(since: base)
        return failures.missing.isEmpty && failures.duplicates.isEmpty && failures.denied.isEmpty
    }

    private func compare(_ failures: [ValidationFailure], _ side: Side) throws {
        let expected = side.naive.failures(since: side.base)
        func properties(
            _ isIncluded: (ValidationFailure.Reason) -> Bool
        ) -> Set<NaiveGraph.Property> {
            Set(
                failures.filter { isIncluded($0.reason) }
                    .map { NaiveGraph.Property(object: $0.object, name: $0.property) })
        }
        let duplicates = properties { if case .duplicateValue = $0 { true } else { false } }
        guard properties({ $0 == .missingValue }) == expected.missing,
            properties({ $0 == .deleteDenied }) == expected.denied,
            duplicates.isSubset(of: expected.duplicates),
            duplicates.isEmpty == expected.duplicates.isEmpty
        else { throw fail("failures \(failures), expected \(expected)") }
    }

    private func compare(
        _ found: [SaveConflict], _ expected: Set<NaiveGraph.Property>
    ) throws {
        let properties = Set(
            found.map { NaiveGraph.Property(object: $0.object, name: $0.property) })
        guard properties == expected, found.count == expected.count else {
            throw fail("conflicts \(found), expected \(expected)")
        }
    }

    /// Members keep no particular order through a merge: takes the graph's, if the members are right.
    private mutating func adoptOrder(_ side: Int) throws {
        for (id, object) in sides[side].naive.objects where object.isAlive {
            for (name, members) in object.toMany {
                guard let set = access[id.entity]?.toMany[name] else { continue }
                let actual = set.members(try self.object(id, side)).map(\.objectID)
                guard Set(actual) == Set(members), actual.count == members.count else {
                    throw fail("merged \(id).\(name) is \(actual), expected \(members)")
                }
                sides[side].naive.adopt(actual, of: name, id)
            }
        }
    }

    // MARK: - Comparing

    /// The handle of an object, the same as long as somebody keeps one.
    func object(_ id: ObjectID, _ side: Int) throws -> ManagedObject {
        let object = try sides[side].context.existingObject(with: id)
        if let kept = sides[side].kept[id], kept !== object { throw fail("two handles of \(id)") }
        return object
    }

    /// Compares one object with what it should be.
    func compare(_ id: ObjectID, _ side: Int) throws {
        guard let expected = sides[side].naive.objects[id], let access = access[id.entity] else {
            return
        }
        let object = try object(id, side)
        let graph = sides[side].context.transaction.graph
        guard let table = object.table else { throw fail("\(id) has no table") }
        for (slot, property) in table.entity.properties.enumerated() {
            let name = property.name
            if let attribute = property.attribute {
                let stored = graph.datum(object.row, slot, in: table.number)
                let read = access.read[name]?(object)
                let value = expected.attributes[name]
                guard stored == value, read == value || value == .null && !attribute.isOptional
                else {
                    throw fail(
                        "\(id).\(name) is \(String(describing: read)) (\(stored)) in \(side), "
                            + "expected \(String(describing: value))")
                }
            } else if let set = access.toMany[name] {
                let members = set.members(object).map(\.objectID)
                let value = expected.toMany[name] ?? []
                guard members == value, set.count(object) == value.count else {
                    throw fail("\(id).\(name) is \(members) in \(side), expected \(value)")
                }
            } else {
                let target = access.follow[name]?(object)?.objectID
                guard target == expected.toOne[name] else {
                    throw fail(
                        "\(id).\(name) is \(String(describing: target)) in \(side), "
                            + "expected \(String(describing: expected.toOne[name]))")
                }
            }
        }
    }

    /// Compares everything of a context with what it should be.
    mutating func compareAll(_ side: Int) throws {
        for entity in entities {
            let living = sides[side].naive.living(entity)
            let fetched = try access[entity]?.all(sides[side].context).map(\.objectID) ?? []
            guard fetched == living, try access[entity]?.count(sides[side].context) == living.count
            else { throw fail("\(entity): \(fetched) in \(side), expected \(living)") }
            for id in living { try compare(id, side) }
        }
        for (id, object) in sides[side].kept {
            let isDeleted = !sides[side].naive.isAlive(id)
            guard object.objectID == id, object.isDeleted == isDeleted else {
                throw fail("\(object.objectID).isDeleted is \(object.isDeleted) in \(side)")
            }
        }
        if generator.below(8) == 0 { sides[side].kept.removeAll() }
        let hasChanges = sides[side].naive.hasChanges(since: sides[side].base)
        guard sides[side].context.hasChanges == hasChanges else {
            throw fail("hasChanges of \(side) is not \(hasChanges)")
        }
    }

    /// Checks what is kept twice, in both contexts and in the store.
    func checkIntegrity() throws {
        for side in sides { try side.context.checkIntegrity() }
        guard let store = sides.first?.context.store else { return }
        try store.snapshot().checkIntegrity()
    }
}
