import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Conditions that are functions of the time, followed through it.
@Suite struct TimedConditionTests {
    private typealias Photo = TimedModel.Photo

    /// A condition that is followed, and what it should say.
    private final class Follower {
        let name: String
        private let request: TimedModel.Request
        private let context: ManagedObjectContext
        private let store: GraphStore
        private let table: TableNumber
        private(set) var timed: TimedCondition
        private var answers: [Row: Bool] = [:]
        private(set) var findings: [String] = []

        init(_ name: String, _ request: TimedModel.Request, _ context: ManagedObjectContext) throws
        {
            (self.name, self.request, self.context) = (name, request, context)
            store = context.store
            table = try context.table(of: Photo.self).number
            timed = TimedCondition(
                at: store.now(), table: table, graph: context.transaction.graph
            ) { [unowned context] in
                try? GraphReading(context).condition(of: request, at: $0)
            }
            answers = fresh(at: store.now())
        }

        private var graph: Graph { context.transaction.graph }

        private func fresh(at now: Date) -> [Row: Bool] {
            guard let condition = try? GraphReading(context).condition(of: request, at: now) else {
                return [:]
            }
            return answers(to: condition, at: now)
        }

        private func answers(to condition: Condition, at now: Date) -> [Row: Bool] {
            let predicates = request.predicates(at: now).map(CarefulPredicate.init)
            var answers: [Row: Bool] = [:]
            guard let table = try? context.table(of: Photo.self) else { return [:] }
            for row in graph.fetchRows(.constant(true), in: self.table, opaque: { _ in true }) {
                answers[row] = graph.matches(condition, row, in: self.table) {
                    context.evaluate(predicates, $0, in: table)
                }
            }
            return answers
        }

        func change(_ changes: ChangeSet) {
            timed.update(changes)
            _ = timed.move(to: store.now(), in: changes.after)
            answers = answers(to: timed.condition, at: store.now())
            check()
        }

        func tick() {
            switch timed.move(to: store.now(), in: graph) {
            case .unknown: answers = answers(to: timed.condition, at: store.now())
            case .these(let rows):
                for (row, answer) in answers(to: timed.condition, at: store.now())
                where rows.contains(row) {
                    answers[row] = answer
                }
            }
            check()
        }

        private func check() {
            if answers != fresh(at: store.now()) { note("wrong") }
            guard timed.problem == nil else { return }
            let now = store.now().timeIntervalSinceReferenceDate
            let next = timed.nextChange(in: graph)?.timeIntervalSinceReferenceDate ?? now + 1_000
            if next <= now { note("the next change is not to come") }
            for part in [0.0, 0.3, 0.9, 1] {
                let instant = part == 1 ? next.nextDown : now + part * (next - now)
                guard instant < next else { continue }
                let date = Date(timeIntervalSinceReferenceDate: instant)
                if answers != fresh(at: date) {
                    note("sleeps until \(next), but wrong at \(instant)")
                }
            }
        }

        private func note(_ finding: String) {
            findings.append(
                "\(name), at \(store.now().timeIntervalSinceReferenceDate): \(finding)")
        }

        var next: Date? { timed.nextChange(in: graph) }
    }

    private static let steps =
        ProcessInfo.processInfo.environment["PLACESKIT_RANDOM_BATCHES"].flatMap(Int.init) ?? 300

    @Test(arguments: UInt64(1)...6)
    func `answers are those of a fetch at each instant, and nothing changes in a sleep`(
        seed: UInt64
    ) throws {
        var world = try TimedWorld(seed: seed)
        let followers = try TimedModel.requests.map {
            try Follower($0.name, $0.request, world.context)
        }
        let token = world.context.addListener { changes in
            for follower in followers { follower.change(changes) }
        }
        defer { world.context.removeListener(token) }
        for step in 0..<Self.steps / 6 {
            if Int.random(in: 0..<3, using: &world.generator) == 0 {
                try world.edit()
                world.context.processPendingChanges()
            } else {
                world.wait(until: followers.compactMap(\.next).min())
                for follower in followers { follower.tick() }
            }
            let findings = followers.flatMap(\.findings)
            #expect(findings.isEmpty, "Seed \(seed), step \(step): \(findings.prefix(3))")
            guard findings.isEmpty else { return }
        }
    }

    @Test func `what is understood is not asked again in whole`() throws {
        let world = try TimedWorld(seed: 1)
        let problems = try TimedModel.requests.compactMap { name, request in
            try Follower(name, request, world.context).timed.problem.map { (name, $0) }
        }
        #expect(
            problems.map { $0.0 } == [
                "viewed in the later half of the time", "viewed in this very instant or the next",
                "old and viewed lately",
            ])
    }
}
