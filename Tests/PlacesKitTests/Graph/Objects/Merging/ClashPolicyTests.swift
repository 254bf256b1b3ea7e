import PlacesKit
import PlacesKitTesting
import Testing

/// An object with a unique value of each policy, of which one has a value.
private final class Badge: ManagedObject {
    @Attribute(.unique(onClash: .update)) var updating: Int?
    @Attribute(.unique(onClash: .keep)) var keeping: Int?
    @Attribute(.unique(onClash: .fail)) var failing: Int?
    @Attribute var hall: String?
    @Attribute var seat: Int?
    @Attribute var value = 0
    @Relationship var visits: ObjectSet<Visit>

    override class var constraints: [EntityConstraint] {
        [.unique(\Badge.hall, \Badge.seat, onClash: .update)]
    }
}

private final class Visit: ManagedObject {
    @Attribute var number = 0
    @Relationship(inverse: \Badge.visits) var badge: Badge?
}

@Suite struct ClashPolicyTests {
    /// Which constraint a badge is told apart by.
    private enum Key: Hashable, CaseIterable {
        case updating, keeping, failing, seat
    }

    private struct Entry: Hashable {
        var key: Key
        var number: Int
    }

    private struct State: Equatable {
        var value: Int
        var visits: Set<Int>
    }

    /// What the badges of a store must be.
    private struct Model {
        var badges: [Entry: State] = [:]

        /// Adds new badges; `false` where they are to be refused.
        mutating func add(_ new: [(Entry, State)]) -> Bool {
            var badges = badges
            for (entry, state) in new {
                guard let former = badges[entry] else {
                    badges[entry] = state
                    continue
                }
                if entry.key == .failing { return false }
                let isTaken = entry.key != .keeping && state.value != 0
                badges[entry] = State(
                    value: isTaken ? state.value : former.value,
                    visits: former.visits.union(state.visits))
            }
            self.badges = badges
            return true
        }
    }

    private let store: GraphStore

    init() throws { store = try GraphStore(model: [Badge.self, Visit.self]) }

    private func insert(
        _ entry: Entry, _ state: State, into context: ManagedObjectContext
    ) throws {
        let badge = try context.insert(Badge.self)
        switch entry.key {
        case .updating: badge.updating = entry.number
        case .keeping: badge.keeping = entry.number
        case .failing: badge.failing = entry.number
        case .seat: (badge.hall, badge.seat) = ("main", entry.number)
        }
        badge.value = state.value
        for number in state.visits {
            let visit = try context.insert(Visit.self)
            visit.number = number
            visit.badge = badge
        }
    }

    /// Saves, or takes all back where a rule is broken.
    private func saves(_ context: ManagedObjectContext) -> Bool {
        guard (try? context.save()) == nil else { return true }
        context.rollback()
        return false
    }

    private func badges() throws -> [Entry: State] {
        let context = ManagedObjectContext(store)
        try context.checkIntegrity()
        var badges: [Entry: State] = [:]
        for badge in try context.fetch(Badge.self) {
            let entry =
                badge.updating.map { Entry(key: .updating, number: $0) }
                ?? badge.keeping.map { Entry(key: .keeping, number: $0) }
                ?? badge.failing.map { Entry(key: .failing, number: $0) }
                ?? Entry(key: .seat, number: badge.seat ?? -1)
            #expect(badges[entry] == nil)
            badges[entry] = State(value: badge.value, visits: Set(badge.visits.map(\.number)))
        }
        return badges
    }

    @Test(arguments: UInt64(1)...3)
    func `new objects with a value that is there become that object as its constraint says`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var model = Model()
        let contexts = MergePolicy.allCases.map { policy in
            let context = ManagedObjectContext(store)
            context.mergePolicy = policy
            return context
        }
        var number = 0
        for round in 0..<200 {
            // Some contexts insert before any of them saves.
            for context in contexts where Bool.random(using: &generator) {
                context.refreshAllObjects()
            }
            var news: [(ManagedObjectContext, [(Entry, State)])] = []
            for context in contexts.shuffled(using: &generator).prefix(2) {
                let new = try (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                    number += 1
                    let isGiven = Bool.random(using: &generator)
                    let entry = Entry(
                        key: Key.allCases.randomElement(using: &generator) ?? .seat,
                        number: Int.random(in: 0..<30, using: &generator))
                    let state = State(value: isGiven ? number : 0, visits: [number])
                    try insert(entry, state, into: context)
                    return (entry, state)
                }
                news.append((context, new))
            }
            for (context, new) in news {
                let isSaved = saves(context)
                #expect(isSaved == model.add(new), "seed \(seed), round \(round)")
            }
            #expect(try badges() == model.badges, "seed \(seed), round \(round)")
        }
    }

    @Test func `two saved objects never become one`() throws {
        let context = ManagedObjectContext(store)
        try insert(Entry(key: .updating, number: 1), State(value: 1, visits: []), into: context)
        try insert(Entry(key: .updating, number: 2), State(value: 2, visits: []), into: context)
        try context.save()
        let second = try #require(try context.find(Badge.self, \.updating, 2))
        second.updating = 1
        #expect(throws: ContextError.self) { try context.save() }
        context.rollback()
        #expect(try context.count(Badge.self) == 2 && second.updating == 2)
    }

    @Test func `what a child saves into its parent becomes what the parent has`() throws {
        let parent = ManagedObjectContext(store)
        try insert(Entry(key: .updating, number: 1), State(value: 5, visits: [1]), into: parent)
        let child = ManagedObjectContext(parent: parent)
        try insert(Entry(key: .updating, number: 1), State(value: 6, visits: [2]), into: child)
        try child.save()
        try parent.save()
        #expect(
            try badges() == [
                Entry(key: .updating, number: 1): State(value: 6, visits: [1, 2])
            ])
    }
}
