import Foundation

/// A condition written down flat, its constants apart from the rest.
///
/// Two conditions whose words are equal differ in nothing but their constants.
struct ConditionOutline {
    /// A part of a condition that is no constant operand.
    enum Word: Hashable {
        case name(String)
        case slots([Slot])
        case kinds(Range<Int32>)
        case values(Set<Datum>)
        case function(ValueFunction)
        case constant
    }

    /// A comparison of a stored date with a constant one.
    struct DateComparison {
        /// The number of the constant.
        var constant: Int
        var comparison: ComparisonOperator
        /// Where the rows lie that have the date, and how they are reached.
        var station: Station
        /// The attribute that holds the date.
        var slot: Slot
    }

    /// A table, and the relationships that were followed to it, each by its table and slot.
    struct Station {
        var chain: [(table: TableNumber, slot: Slot)] = []
        var table: TableNumber
    }

    private(set) var words: [Word] = []
    private(set) var constants: [Datum] = []
    private(set) var dateComparisons: [DateComparison] = []
    private let layout: GraphLayout

    /// The outline of a condition on the rows of a table.
    init(_ condition: Condition, table: TableNumber, layout: GraphLayout) {
        self.layout = layout
        add(.condition(condition), [Station(table: table)])
    }

    /// Adds what a part is, and then the parts of which it is made; the stations are where its rows lie and, before the
    /// last, where relationships were followed from.
    private mutating func add(_ part: ConditionPart, _ stations: [Station]) {
        switch part {
        case .condition(let condition): begin(condition, stations[stations.count - 1])
        case .operand(let operand): begin(operand)
        }
        part.forEachPart { part, scope in
            switch scope {
            case .here: add(part, stations)
            case .related(let slot):
                add(part, stations + [follow([slot], from: stations[stations.count - 1])])
            case .members(let path): add(part, stations + members(of: path, stations))
            case .outer(let levels): add(part, Array(stations.dropLast(levels)))
            }
        }
    }

    private mutating func begin(_ condition: Condition, _ station: Station) {
        switch condition {
        case .constant(let answer): name("\(answer)")
        case .not: name("not")
        case .all(let parts): name("all of \(parts.count)")
        case .any(let parts): name("any of \(parts.count)")
        case .kind(let kinds): words.append(.kinds(kinds))
        case .rows: name("rows")
        case .comparison(let left, let comparison, let right):
            name("\(comparison)")
            note(left, comparison, right, station)
        case .text(_, let test):
            name("text \(test.operation) \(test.folding.rawValue)")
            name(test.pattern)
        case .texts(_, let operation, let folding, _):
            name("texts \(operation) \(folding.rawValue)")
        case .membership(_, let values): words.append(.values(values))
        case .related(let slot, _, let otherwise):
            name("related, otherwise \(otherwise)", [slot])
        case .anyMember(let slot, _): name("any member", [slot])
        case .opaque: name("opaque")
        }
    }

    private mutating func begin(_ operand: Operand) {
        switch operand {
        case .constant(let datum):
            words.append(.constant)
            constants.append(datum)
        case .attribute(let path): name("attribute", path)
        case .count(let path): name("count", path)
        case .identity(let path): name("identity", path)
        case .coalesced: name("coalesced")
        case .distance(_, _, let center): name("distance from \(center)")
        case .relevance(let rank):
            let weights = rank.attributes.map(\.weight)
            name("relevance to \(rank.text), \(rank.matching), by \(weights)")
        case .chosen: name("chosen")
        case .arithmetic(_, let operation, _): name("\(operation)")
        case .exact(_, let operation, _, let type): name("exact \(operation) \(type)")
        case .applied(let function, _): words.append(.function(function))
        case .aggregate(let function, let path, _): name("\(function)", path)
        case .countWhere(let path, _): name("count where", path)
        case .member(let path, let index, _): name("member \(index)", path)
        case .first(let path, _, _): name("first", path)
        case .outer(let levels, _): name("outer \(levels)")
        }
    }

    private mutating func name(_ name: String) { words.append(.name(name)) }

    private mutating func name(_ name: String, _ path: [Slot]) {
        words += [.name(name), .slots(path)]
    }

    private mutating func name(_ name: String, _ path: MembersPath) {
        self.name("\(name) of members \(path.levels) back", path.slots)
    }

    // MARK: - Dates

    /// Notes a comparison of a date; its right side is the next constant.
    private mutating func note(
        _ left: Operand, _ comparison: ComparisonOperator, _ right: Operand, _ station: Station
    ) {
        guard case .attribute(let path) = left, case .constant(.date) = right, let slot = path.last
        else { return }
        dateComparisons.append(
            DateComparison(
                constant: constants.count, comparison: comparison,
                station: follow(path.dropLast(), from: station), slot: slot))
    }

    private func members(of path: MembersPath, _ stations: [Station]) -> [Station] {
        stations.dropLast(path.levels).last.map { [follow(path.slots[...], from: $0)] } ?? []
    }

    private func follow(_ path: ArraySlice<Slot>, from start: Station) -> Station {
        var station = start
        for slot in path where layout.tables[station.table].relationships[slot] != nil {
            station.chain.append((station.table, slot))
            station.table = layout.destination(of: slot, in: station.table)
        }
        return station
    }
}
