import Foundation
import PlacesKit

@testable import PlacesGraph
@testable import PlacesKitTests

/// Makes conditions of every shape, also of shapes that no predicate is compiled to.
struct ConditionGenerator {
    let graph: Graph
    var random: SplitMix64

    mutating func condition(in table: TableNumber, depth: Int, allowsOpaque: Bool) -> Condition {
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

    private mutating func leaf(in table: TableNumber, allowsOpaque: Bool) -> Condition {
        switch random.below(allowsOpaque ? 9 : 8) {
        case 0: return .constant(random.below(2) == 0)
        case 1, 2:
            return .text(
                operand(in: table),
                TextTest(
                    random.pick([.contains, .beginsWith, .words, .wordPrefixes]),
                    random.pick(TextQueryTests.needles)))
        case 3:
            return .membership(operand(in: table), Set((0..<random.below(5)).map { _ in datum() }))
        case 4, 5: return comparison(in: table)
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

    /// A comparison of an attribute with a value that a row has, which an index may answer.
    private mutating func comparison(in table: TableNumber) -> Condition {
        let slots = graph.layout.tables[table].properties.slots.filter {
            graph.layout.tables[table].properties[$0].attribute != nil
        }
        let rows = graph.rows(in: table).rows
        guard !rows.isEmpty, !slots.isEmpty else { return .constant(true) }
        let slot = random.pick(slots)
        let operators: [ComparisonOperator] = [
            .equal, .equal, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        func value(_ row: Row) -> Datum { graph.value(row, slot, in: table) }
        if random.below(4) == 0 {
            return .membership(
                .attribute([slot]), [value(random.pick(Array(rows))), value(rows[0])])
        }
        return .comparison(
            .attribute([slot]), random.pick(operators),
            .constant(value(random.pick(Array(rows)))))
    }

    private mutating func operand(in table: TableNumber) -> Operand {
        switch random.below(10) {
        case 0, 1, 2: return .constant(datum())
        case 3: return .coalesced(operand(in: table), operand(in: table))
        case 4: return .identity(chain(from: table).path)
        case 5: return .applied(.length, operand(in: table))
        default:
            let (path, end) = chain(from: table)
            let slot = Slot(random.below(graph.schema.entities[end].properties.count))
            guard graph.layout.tables[end].relationships[slot] != nil else {
                return .attribute(path + [slot])
            }
            return isToMany(slot, end) ? .count(path + [slot]) : .identity(path + [slot])
        }
    }

    /// A chain of up to two to-one relationships.
    private mutating func chain(from table: TableNumber) -> (path: [Slot], table: TableNumber) {
        var (path, table) = ([Slot](), table)
        for _ in 0..<random.below(3) {
            let slots = relationships(of: table).filter { !isToMany($0, table) }
            if slots.isEmpty { break }
            path.append(random.pick(slots))
            table = graph.destination(of: path[path.count - 1], in: table)
        }
        return (path, table)
    }

    private func relationships(of table: TableNumber) -> [Slot] {
        graph.layout.tables[table].relationships.slots.filter {
            graph.layout.tables[table].relationships[$0] != nil
        }
    }

    private func isToMany(_ slot: Slot, _ table: TableNumber) -> Bool {
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

extension PlanChoices {
    /// Plans of every kind: by scans alone, by what is sensible, and by each other way wherever it is
    /// possible.
    static var all: [PlanChoices] {
        [
            [], .sensible, [.sensible, .eager], [.lookups, .eager], [.ranges, .eager],
            [.links, .eager], [.lookups, .links, .eager], [.ranges, .combinations, .eager],
            [.walks, .eager], [.sensible, .existence],
        ]
    }
}
