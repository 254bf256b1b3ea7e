import PlacesKit

@testable import PlacesKitTests

/// Two contexts that count: each reads a counter, writes one more, and saves some time later unless the
/// other was faster.
struct MachineClerks {
    typealias Counter = MachineModel.Counter

    private struct Clerk {
        let context: ManagedObjectContext
        /// How often each counter was increased, and not saved yet.
        var pending: [ObjectID: Int64] = [:]
        /// How many commits it has seen.
        var seen = 0
    }

    private var clerks: [Clerk]
    private let counters: [ObjectID]
    /// The accepted increments of each counter.
    private var accepted: [ObjectID: Int64] = [:]
    private(set) var saves = 0
    private(set) var conflicts = 0

    /// Makes some counters in the store of a run.
    init(_ graph: inout RandomGraphRun, _ store: GraphStore) throws {
        clerks = (0..<2).map { _ in Clerk(context: ManagedObjectContext(store)) }
        let context = clerks[0].context
        counters = (0..<3).map { _ in Counter(context: context).objectID }
        try context.save()
        let empty = graph.head
        for counter in counters { graph.head.insert(counter) }
        graph.commits.append(graph.head.writes(since: empty))
        for index in clerks.indices { try refresh(index, graph) }
    }

    private mutating func refresh(_ index: Int, _ graph: RandomGraphRun) throws {
        clerks[index].context.rollback()
        clerks[index].pending = [:]
        clerks[index].seen = graph.commits.count
    }

    /// Lets a clerk count, save or look again.
    mutating func step(_ graph: inout RandomGraphRun) throws -> String {
        let index = graph.generator.below(clerks.count)
        switch graph.generator.below(5) {
        case 0..<3:
            let id = graph.generator.pick(counters)
            guard let counter = try clerks[index].context.existingObject(with: id) as? Counter
            else { throw graph.fail("\(id) is no counter") }
            counter.value += 1
            clerks[index].pending[id, default: 0] += 1
            return "clerk \(index) counts \(id)"
        case 3:
            try save(index, &graph)
            return "clerk \(index) saves"
        default:
            try refresh(index, graph)
            return "clerk \(index) looks again"
        }
    }

    private mutating func save(_ index: Int, _ graph: inout RandomGraphRun) throws {
        let clerk = clerks[index]
        guard !clerk.pending.isEmpty else { return }
        let written = graph.commits[clerk.seen...].reduce(into: Set()) { $0.formUnion($1.keys) }
        let isConflict = !written.isDisjoint(with: clerk.pending.keys)
        switch ContextError.thrown(by: clerk.context.save) {
        case nil:
            guard !isConflict else { throw graph.fail("clerk \(index) saved over another") }
            saves += 1
            let former = graph.head
            for (id, count) in clerk.pending {
                accepted[id, default: 0] += count
                graph.head.set(
                    "value", of: id, to: .integer(graph.head.number("value", of: id) + count))
            }
            graph.commits.append(graph.head.writes(since: former))
            clerks[index].pending = [:]
            clerks[index].seen = graph.commits.count
        case .conflict(let found):
            guard isConflict else { throw graph.fail("clerk \(index) is refused: \(found)") }
            conflicts += 1
            try refresh(index, graph)
        case let error?: throw error
        }
    }

    /// What is wrong with the counters of the store.
    func finding(_ store: GraphStore) throws -> String? {
        let context = ManagedObjectContext(store)
        for counter in try context.fetch(Counter.self)
        where counter.value != accepted[counter.objectID] ?? 0 {
            return "\(counter.objectID) is \(counter.value), but \(accepted) were accepted"
        }
        return nil
    }
}
