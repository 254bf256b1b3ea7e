import PlacesKit

@testable import PlacesGraph
@testable import PlacesKitTests

/// Two contexts of one store and a child of the first, each beside a naive graph, and random steps
/// on all.
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
        /// How many commits of what the context is a fork of it has seen.
        var seen = 0
        /// Conflicts that a refresh met, for the next save to settle.
        var unsettled: NaiveGraph.Conflicts = [:]
        /// What followed from its changes when they were last merged with what others saved.
        var effects = NaiveGraph.SideEffects()
        /// What the context showed when it last processed its changes.
        var processed: NaiveGraph
        /// What can be taken back, and what was.
        var undoable: [RandomGraphRun.Group] = []
        var redoable: [RandomGraphRun.Group] = []
        /// The group that is open, if any.
        var open: RandomGraphRun.OpenGroup?
        /// How often it has saved.
        var saves = 0
        /// Some handles that somebody keeps.
        var kept: [ObjectID: ManagedObject] = [:]

        init(_ context: ManagedObjectContext, _ naive: NaiveGraph) {
            self.context = context
            self.naive = naive
            base = naive
            processed = naive
            context.isUndoEnabled = true
            context.undoLimit = 12
        }
    }

    /// What each commit wrote: those of the store, and what the first context showed its child.
    var commits: [NaiveGraph.Writes] = []
    var shown: [NaiveGraph.Writes] = []
    /// What the last save that was refused should find broken.
    var refused: NaiveGraph.Failures = ([], [], [])

    let world: RandomGraphWorld
    let entities: [String]
    var generator: SplitMix64
    /// Of its own, so that comparing more often does not make another run.
    var forgetting: SplitMix64
    /// What the store should hold.
    var head: NaiveGraph
    var sides: [Side]
    var saves = 0
    /// How many objects were seen whose row another object had before.
    var rowsUsedAgain = 0
    /// Whether changes come in small groups, of which many are taken back.
    var undoesOften = false
    var refusals = 0
    var conflicts = 0
    /// How many groups had changes that came to nothing.
    var emptyGroups = 0

    /// A run over a new store of the usual model.
    init(seed: UInt64) throws {
        let world = RandomModel.world
        let model = try ObjectModel(world.types)
        // Rows are used again as soon as they may.
        let store = GraphStore(model: model, graph: Graph(layout: model.layout), clearing: 1)
        self.init(seed: seed, world: world, store: store)
    }

    /// A run over a store without objects of a world's classes.
    init(seed: UInt64, world: RandomGraphWorld, store: GraphStore) {
        self.world = world
        entities = world.types.map { $0.entityName }
        generator = SplitMix64(seed: RunSeed.mixed(seed))
        forgetting = SplitMix64(seed: ~RunSeed.mixed(seed))
        let empty = NaiveGraph(schema: store.model.schema)
        head = empty
        sides = (0..<2).map { _ in Side(ManagedObjectContext(store), empty) }
        sides.append(Side(ManagedObjectContext(parent: sides[0].context), empty))
        for side in sides { side.context.keptObjectLimit = forgetting.pick([1, 2, 5, 32_768]) }
    }

    var access: [String: EntityAccess] { world.access }

    func fail(_ text: String) -> Difference { Difference(description: text) }

    // MARK: - Steps

    /// Inserts many objects at once.
    mutating func insert(_ count: Int, of entity: String, into side: Int) throws {
        for _ in 0..<count { try insert(entity, side) }
    }

    /// One random step; returns what it was, for the failure message.
    mutating func step(population: Int) throws -> String {
        let side = generator.pick([0, 0, 0, 0, 0, 1, 1, Self.child, Self.child])
        if undoesOften, generator.below(3) == 0 { return try endGroup(side) }
        if sides[side].open != nil, let step = try stepInGroup(side) { return step }
        let entity = generator.pick(world.inserted)
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
            let isFree = generator.below(4) == 0
            if isFree { try letGo(id, side) }
            sides[side].context.delete(try object(id, side))
            try followDelete(of: id, side)
            return "\(isFree ? "let go and delete" : "delete") \(id) in \(side)"
        case ..<50:
            guard let name = access[id.entity]?.write.keys.sorted().randomElement(using: &generator)
            else { return "nothing" }
            return try write(name, id, side)
        case ..<90:
            guard
                let relationship = sides[side].naive.properties(of: id.entity)
                    .compactMap(\.relationship).randomElement(using: &generator)
            else { return "nothing" }
            return try relate(relationship, id, side)
        case ..<92:
            return generator.below(2) == 0 ? beginGroup(side) : process(pendingOf: side)
        case ..<93:
            return try undo(side)
        case ..<94:
            return try redo(side)
        case ..<96:
            return try repairAndSave(side)
        case ..<98:
            return try save(side)
        case ..<99:
            sides[side].context.rollback()
            let head = head(of: side)
            show(head, over: head, side)
            forgetGroups(side)
            return "rollback \(side)"
        default:
            try refresh(side)
            return "refresh \(side)"
        }
    }

    @discardableResult
    mutating func insert(_ entity: String, _ side: Int) throws -> ObjectID {
        guard let access = access[entity] else { throw fail("no entity \(entity)") }
        let object = access.insert(sides[side].context)
        let id = object.objectID
        sides[side].naive.insert(id)
        world.hooks?.awakeFromInsert(&sides[side].naive, id)
        if generator.below(2) == 0 { sides[side].kept[id] = object }
        // Mostly give what is required, so that saves are not always refused.
        for name in world.required
        where access.write[name] != nil && generator.below(30) > 0 {
            _ = try write(name, id, side)
        }
        return id
    }

    mutating func write(_ name: String, _ id: ObjectID, _ side: Int) throws -> String {
        let object = try object(id, side)
        guard let write = access[id.entity]?.write[name] else { throw fail("no \(name)") }
        let value = write(object, &generator)
        sides[side].naive.set(name, of: id, to: value)
        return "\(id).\(name) = \(value) in \(side)"
    }

    /// Takes away what the delete of an object would take along, or is forbidden by.
    private mutating func letGo(_ id: ObjectID, _ side: Int) throws {
        let owner = try object(id, side)
        for relationship in sides[side].naive.relationships(of: id)
        where [.cascade, .deny].contains(relationship.deleteRule) {
            let name = relationship.name
            access[id.entity]?.lead[name]?(owner, nil)
            access[id.entity]?.toMany[name]?.removeAll(owner)
            for member in sides[side].naive.related(id, name) {
                sides[side].naive.unlink(id, name, member)
            }
        }
    }

    mutating func relate(
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
        if let insertAt = set.insertAt, let move = set.move, generator.below(2) == 0 {
            if !members.isEmpty, generator.below(2) == 0 {
                let (from, to) = (generator.below(members.count), generator.below(members.count))
                move(owner, from, to)
                sides[side].naive.put(members[from], at: to, of: id, name)
                return "\(id).\(name).move(from: \(from), to: \(to)) in \(side)"
            }
            if let other {
                let position = generator.below(members.count + 1)
                guard insertAt(owner, try object(other, side), position) != members.contains(other)
                else { throw fail("\(id).\(name).insert(\(other), at:) said the wrong thing") }
                if !members.contains(other) {
                    sides[side].naive.add(other, to: id, name)
                    sides[side].naive.put(other, at: position, of: id, name)
                }
                return "\(id).\(name).insert(\(other), at: \(position)) in \(side)"
            }
        }
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
        // One that is gone may be a member, for its own rule forbids that.
        let handle = try set.members(owner).first { $0.objectID == member } ?? object(member, side)
        let wasMember = set.remove(owner, handle)
        if wasMember != members.contains(member) {
            throw fail("\(id).\(name).remove(\(member)) said \(wasMember)")
        }
        if wasMember { sides[side].naive.unlink(id, name, member) }
        return "\(id).\(name).remove(\(member)) in \(side)"
    }
}
