import Foundation

/// Keeps the groups of a request, in their order: state without delivery.
final class GroupKeeper<Object: ManagedObject, Key: Hashable & Sendable, Values> {
    typealias Kept = KeptGroup<Key, Values>

    /// Why everything is asked again at each change, in words.
    let problems: [String]
    /// Whether groups are kept, or else made anew from all objects.
    private let isKept: Bool
    private let request: GroupFunctions<Object, Key, Values>
    private unowned let context: ManagedObjectContext
    private let entity: Int
    private var condition: LiveCondition
    private let tracker: GroupTracker
    /// The groups by their numbers.
    private var kept: ContiguousArray<Kept?> = []
    /// The numbers of the groups that satisfy the conditions, in the order of the request.
    private var order = OrderedIndex()
    /// The groups of the window.
    private(set) var shown: [Kept] = []
    /// Why objects may be missing from the groups.
    private(set) var error: ContextError?

    /// Makes the groups of what a context shows.
    init(
        _ request: GroupFunctions<Object, Key, Values>, in context: ManagedObjectContext
    ) throws(ContextError) {
        self.request = request
        self.context = context
        let table = try context.table(of: Object.self)
        let model = context.store.model
        (entity, _) = try GraphReading(context).entity(of: Object.self)
        let plan = GroupPlan(
            request.objects, by: request.key.parts, request.kinds, model: model,
            table: table.number, graph: context.told)
        condition = try LiveCondition(
            request.objects, reading: plan.operands, table: table, context: context)
        tracker = GroupTracker(
            keys: plan.keys, plan.accumulators, sortKeys: plan.sortKeys, table: table.number)
        isKept = plan.problems.isEmpty
        problems = plan.problems + condition.problems
        if isKept {
            let graph = context.told
            _ = try PatternBudget.limiting {
                replace(condition.rows(in: graph), from: graph, to: graph)
            }
        } else {
            _ = try ask(context.told)
        }
    }

    /// The identifiers of the groups of the window.
    var identifiers: [GroupID<Key>] { shown.map { GroupID($0.key) } }

    /// The next time at which the groups may change by themselves.
    var nextChange: Date? { condition.nextChange(in: context.told) }

    /// Until when whoever shows them sleeps.
    var alarm: Date? { condition.alarm(in: context.told) }

    /// Whether nobody knows when the groups change by themselves.
    var isPolled: Bool { condition.isPolled }

    /// Follows changes, or the time alone; returns the groups that are others now, or `nil` where nothing
    /// concerns any.
    func update(_ changes: ChangeSet?) -> Set<GroupID<Key>>? {
        let after = changes?.after ?? context.told
        if let changes { condition.follow(changes) }
        let passing = condition.move(in: after)
        guard isKept else {
            do throws(ContextError) {
                let changed = try ask(after)
                error = nil
                return changed
            } catch {
                self.error = error
                return nil
            }
        }
        let (changed, exhausting) = PatternBudget.spending {
            keep(changes, passing, in: after)
        }
        error = exhausting.map(ContextError.patternTooCostly)
        return changed
    }

    /// Follows changes, and what the time has touched, in groups that are kept.
    private func keep(
        _ changes: ChangeSet?, _ passing: LiveCondition.Touched, in after: Graph
    ) -> Set<GroupID<Key>>? {
        var rows = Set(changes.map(condition.dependencies.rows)?.map(\.row) ?? [])
        if case .these(let others) = passing, !condition.condition.isOpaque, error == nil {
            rows.formUnion(others)
        } else {
            rows.formUnion(tracker.members)
            rows.formUnion(condition.rows(in: after))
        }
        return rows.isEmpty ? nil : replace(rows, from: changes?.before ?? after, to: after)
    }

    // MARK: - Keeping

    /// Puts rows where they belong, and makes the groups again that have or had any of them.
    private func replace(
        _ rows: some Sequence<Row>, from before: Graph, to after: Graph
    ) -> Set<GroupID<Key>> {
        let groups = tracker.update(
            rows, from: before, to: after, matches: condition.matching(in: after))
        // All leave before one comes: an order is asked of groups as they are in one graph.
        var isContradicted = false
        for group in groups where kept.indices.contains(Int(group)) {
            guard let old = kept[Int(group)], old.isShown else { continue }
            let isFound = order.remove(
                OrderedEntry(group: 0, row: Row(rawValue: group), key: 0), token: 1,
                tie: tie(old, before))
            if !isFound { isContradicted = true }
        }
        var changed: Set<GroupID<Key>> = []
        let reading = GraphReading(context, showing: after)
        for group in groups {
            while kept.count <= Int(group) { kept.append(nil) }
            let old = kept[Int(group)]
            let new = tracker.first(of: group).map { make(group, $0, old?.key, reading) }
            kept[Int(group)] = new
            if let new, !isContradicted { enter(new, group, after) }
            if let old, let new, request.isSame(old.values, new.values) { continue }
            if let key = (new ?? old)?.key { changed.insert(GroupID(key)) }
        }
        if isContradicted { sortAgain(in: after) }
        let window = request.window.clamped(to: 0..<order.count)
        shown = order.entries(window).compactMap { kept[$0.row.index] }
        return changed
    }

    /// Puts a group of a number into the order, if it is shown.
    private func enter(_ group: Kept, _ number: Int32, _ graph: Graph) {
        guard group.isShown else { return }
        order.insert(
            OrderedEntry(group: 0, row: Row(rawValue: number), key: 0), token: 1,
            tie: tie(group, graph))
    }

    /// Puts all groups into the order anew, where it contradicts itself so that one was not found in it.
    private func sortAgain(in graph: Graph) {
        order = OrderedIndex()
        for (number, group) in kept.enumerated() {
            if let group { enter(group, Int32(number), graph) }
        }
    }

    /// Makes a group of a number and a first row.
    private func make(
        _ group: Int32, _ first: Row, _ key: Key?, _ reading: GraphReading
    ) -> Kept {
        let key = key ?? request.key.values(reading, [first], entity)[0]
        let values = request.values(tracker.values(of: group, in: reading.graph))
        return Kept(
            key: key, values: values, ranks: request.ranks(key, values), first: first,
            isShown: request.isShown(key, values))
    }

    /// How a group compares with others, given by their numbers.
    private func tie(_ group: Kept, _ graph: Graph) -> (Row) -> Int {
        { [self] number in
            guard let other = kept[number.index] else { return 0 }
            for (rank, otherRank) in zip(group.ranks, other.ranks) {
                switch rank.compare(to: otherRank) {
                case .orderedAscending: return -1
                case .orderedDescending: return 1
                case .orderedSame: continue
                }
            }
            return tracker.precedes(group.first, other.first, in: graph) ? -1 : 1
        }
    }

    // MARK: - Asking

    /// Asks a graph for all groups again.
    private func ask(_ graph: Graph) throws(ContextError) -> Set<GroupID<Key>> {
        let old = Dictionary(
            shown.map { (GroupID($0.key), $0) }, uniquingKeysWith: { first, _ in first })
        let groups = try request.ask(GraphReading(context, showing: graph))
        shown = groups.map { Kept(key: $0.key, values: $0.values) }
        var changed = Set(old.keys)
        for group in shown {
            let id = GroupID(group.key)
            if let before = old[id], request.isSame(before.values, group.values) {
                changed.remove(id)
            } else {
                changed.insert(id)
            }
        }
        return changed
    }
}
