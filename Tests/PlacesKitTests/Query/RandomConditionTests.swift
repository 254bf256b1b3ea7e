import Foundation
import Testing

@testable import PlacesKit

/// Random conditions, evaluated on sets and row by row.
@Suite struct RandomConditionTests {
    @Test(arguments: [UInt64](1...4))
    func `sets and single rows agree on random conditions`(seed: UInt64) throws {
        let world = try SpecimenWorld(seed: seed)
        let graph = world.context.transaction.graph
        var generator = ConditionGenerator(graph: graph, random: SplitMix64(seed: seed))
        let opaque: (Int32) -> Bool = { $0 % 3 == 0 }
        for number in 0..<400 {
            let table = generator.random.below(graph.schema.entities.count)
            let condition = generator.condition(in: table, depth: 4, allowsOpaque: true)
            let expected = ContiguousArray(
                graph.rows(in: table).rows.filter {
                    graph.matches(condition, $0, in: table, opaque: opaque)
                })
            guard
                graph.rows(matching: condition, in: table, opaque: opaque).rows == expected,
                graph.fetchRows(condition, in: table, opaque: opaque) == expected,
                graph.countRows(condition, in: table, opaque: opaque) == expected.count
            else {
                Issue.record("Seed \(seed), number \(number): \(condition)")
                continue
            }
        }
    }

    @Test func `simplified logic says the same`() throws {
        let world = try SpecimenWorld(seed: 9, saved: 60)
        let graph = world.context.transaction.graph
        var generator = ConditionGenerator(graph: graph, random: SplitMix64(seed: 9))
        for number in 0..<200 {
            let parts = (0..<generator.random.below(4)).map { _ in
                generator.condition(in: 0, depth: 2, allowsOpaque: false)
            }
            let pairs: [(Condition, Condition)] =
                [(.every(parts), .all(parts)), (.some(parts), .any(parts))]
                + parts.map { ($0.negated, .not($0)) }
            for (simple, full) in pairs {
                let answers = [simple, full].map { condition in
                    graph.rows(in: 0).rows.map { row in
                        graph.matches(condition, row, in: 0) { _ in false }
                    }
                }
                if answers[0] != answers[1] { Issue.record("\(number): \(simple) \(full)") }
            }
        }
    }
}

/// Makes conditions of every shape, also of shapes that no predicate is compiled to.
private struct ConditionGenerator {
    let graph: Graph
    var random: SplitMix64

    mutating func condition(in table: Int, depth: Int, allowsOpaque: Bool) -> Condition {
        guard depth > 0, random.below(5) > 0 else {
            return leaf(in: table, allowsOpaque: allowsOpaque)
        }
        switch random.below(6) {
        case 0: return .not(condition(in: table, depth: depth - 1, allowsOpaque: allowsOpaque))
        case 1, 2:
            let parts = (0..<random.below(4)).map { _ in
                condition(in: table, depth: depth - 1, allowsOpaque: allowsOpaque)
            }
            return random.below(2) == 0 ? .all(parts) : .any(parts)
        default:
            let slots = relationships(of: table)
            guard let slot = slots.isEmpty ? nil : random.pick(slots) else {
                return leaf(in: table, allowsOpaque: allowsOpaque)
            }
            let inner = condition(
                in: graph.destination(of: slot, in: table), depth: depth - 1, allowsOpaque: false)
            return isToMany(slot, table)
                ? .anyMember(slot: slot, inner)
                : .related(slot: slot, inner, otherwise: random.below(2) == 0)
        }
    }

    private mutating func leaf(in table: Int, allowsOpaque: Bool) -> Condition {
        switch random.below(allowsOpaque ? 9 : 8) {
        case 0: return .constant(random.below(2) == 0)
        case 1, 2:
            return .text(
                operand(in: table),
                TextTest(
                    random.pick([.contains, .beginsWith]), random.pick(TextQueryTests.needles)))
        case 3:
            return .membership(operand(in: table), Set((0..<random.below(5)).map { _ in datum() }))
        case 8: return .opaque(OpaqueCondition(reason: "a test"))
        default:
            let comparison = random.pick(
                [
                    ComparisonOperator.equal, .notEqual, .less, .lessOrEqual, .greater,
                    .greaterOrEqual,
                ])
            return .comparison(operand(in: table), comparison, operand(in: table))
        }
    }

    private mutating func operand(in table: Int) -> Operand {
        switch random.below(10) {
        case 0, 1, 2: return .constant(datum())
        case 3: return .coalesced(operand(in: table), operand(in: table))
        case 4: return .identity(chain(from: table).path)
        default:
            let (path, end) = chain(from: table)
            let slot = random.below(graph.schema.entities[end].properties.count)
            guard graph.layout.tables[end].relationships[slot] != nil else {
                return .attribute(path + [slot])
            }
            return isToMany(slot, end) ? .count(path + [slot]) : .identity(path + [slot])
        }
    }

    /// A chain of up to two to-one relationships.
    private mutating func chain(from table: Int) -> (path: [Int], table: Int) {
        var (path, table) = ([Int](), table)
        for _ in 0..<random.below(3) {
            let slots = relationships(of: table).filter { !isToMany($0, table) }
            if slots.isEmpty { break }
            path.append(random.pick(slots))
            table = graph.destination(of: path[path.count - 1], in: table)
        }
        return (path, table)
    }

    private func relationships(of table: Int) -> [Int] {
        graph.layout.tables[table].relationships.indices.filter {
            graph.layout.tables[table].relationships[$0] != nil
        }
    }

    private func isToMany(_ slot: Int, _ table: Int) -> Bool {
        graph.schema.entities[table].properties[slot].relationship?.isToMany ?? false
    }

    private mutating func datum() -> Datum {
        switch random.below(9) {
        case 0: .null
        case 1: .boolean(random.below(2) == 0)
        case 2: .integer(Int64(random.pick(SpecimenWorld.integers)))
        case 3: .integer(Int64(random.below(1_300)))
        case 4: .double(random.pick(SpecimenWorld.doubles))
        case 5: .date(random.pick(SpecimenWorld.dates))
        case 6: .uuid(random.pick(SpecimenWorld.uuids))
        case 7: .data(random.pick(SpecimenWorld.bytes))
        default: .string(random.pick(SpecimenWorld.texts + ["S1", "S20", "wild"]))
        }
    }
}
