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
        add(condition, [Station(table: table)])
    }

    private mutating func add(_ condition: Condition, _ stations: [Station]) {
        switch condition {
        case .constant(let answer): name("\(answer)")
        case .not(let inner):
            name("not")
            add(inner, stations)
        case .all(let parts): add("all", parts, stations)
        case .any(let parts): add("any", parts, stations)
        case .kind(let kinds): words.append(.kinds(kinds))
        case .rows: name("rows")
        case .comparison(let left, let comparison, let right):
            name("\(comparison)")
            add(left, stations)
            note(left, comparison, right, stations)
            add(right, stations)
        case .text(let operand, let test):
            add(operand, stations)
            add(test.operation, test.folding)
            name(test.pattern)
        case .texts(let left, let operation, let folding, let right):
            add(left, stations)
            add(operation, folding)
            add(right, stations)
        case .membership(let operand, let values):
            add(operand, stations)
            words.append(.values(values))
        case .related(let slot, let inner, let otherwise):
            name("related, otherwise \(otherwise)")
            words.append(.slots([slot]))
            add(inner, stations + [follow([slot], from: stations[stations.count - 1])])
        case .anyMember(let slot, let inner):
            name("any member")
            words.append(.slots([slot]))
            add(inner, stations + [follow([slot], from: stations[stations.count - 1])])
        case .opaque: name("opaque")
        }
    }

    private mutating func add(_ name: String, _ parts: [Condition], _ stations: [Station]) {
        self.name("\(name) of \(parts.count)")
        for part in parts { add(part, stations) }
    }

    private mutating func add(_ operand: Operand, _ stations: [Station]) {
        switch operand {
        case .constant(let datum):
            words.append(.constant)
            constants.append(datum)
        case .attribute(let path): add("attribute", path)
        case .count(let path): add("count", path)
        case .identity(let path): add("identity", path)
        case .coalesced(let first, let second): add("coalesced", [first, second], stations)
        case .distance(let latitude, let longitude, let center):
            add("distance from \(center)", [latitude, longitude], stations)
        case .relevance(let rank):
            add(
                "relevance to \(rank.text), \(rank.matching), by \(rank.attributes.map(\.weight))",
                rank.attributes.map { .attribute($0.path) }, stations)
        case .chosen(let condition, let first, let second):
            name("chosen")
            add(condition, stations)
            add("from", [first, second], stations)
        case .arithmetic(let first, let operation, let second):
            add("\(operation)", [first, second], stations)
        case .exact(let first, let operation, let second, let type):
            add("exact \(operation) \(type)", [first, second], stations)
        case .applied(let function, let inner):
            add("applied", [inner], stations)
            words.append(.function(function))
        case .aggregate(let function, let path, let inner):
            add("\(function)", path)
            add(inner, stations + members(of: path, stations))
        case .countWhere(let path, let condition):
            add("count where", path)
            add(condition, stations + members(of: path, stations))
        case .member(let path, let index, let inner):
            add("member \(index)", path)
            add(inner, stations + members(of: path, stations))
        case .first(let path, let condition, let inner):
            add("first", path)
            let stations = stations + members(of: path, stations)
            add(condition, stations)
            add(inner, stations)
        case .outer(let levels, let inner):
            add("outer \(levels)", [inner], Array(stations.dropLast(levels)))
        }
    }

    private mutating func add(_ name: String, _ operands: [Operand], _ stations: [Station]) {
        self.name(name)
        for operand in operands { add(operand, stations) }
    }

    private mutating func add(_ name: String, _ path: [Slot]) {
        self.name(name)
        words.append(.slots(path))
    }

    private mutating func add(_ name: String, _ path: MembersPath) {
        add("\(name) of members \(path.levels) back", path.slots)
    }

    private mutating func add(_ operation: TextOperator, _ folding: TextFolding) {
        name("\(operation) \(folding.rawValue)")
    }

    private mutating func name(_ name: String) { words.append(.name(name)) }

    // MARK: - Dates

    /// Notes a comparison of a date; its right side is the next constant.
    private mutating func note(
        _ left: Operand, _ comparison: ComparisonOperator, _ right: Operand, _ stations: [Station]
    ) {
        guard case .attribute(let path) = left, case .constant(.date) = right, let slot = path.last
        else { return }
        dateComparisons.append(
            DateComparison(
                constant: constants.count, comparison: comparison,
                station: follow(path.dropLast(), from: stations[stations.count - 1]), slot: slot))
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
