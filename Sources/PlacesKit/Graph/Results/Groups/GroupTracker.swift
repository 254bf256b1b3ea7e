import Foundation

/// Keeps rows in groups, and what these come to, as the graph changes.
///
/// Groups have numbers, which are used again when a group has been empty for a while.
final class GroupTracker {
    private var keys: [GroupKeyColumn]
    private let accumulators: [any GroupAccumulator]
    private let sortKeys: [SortKey]
    private let table: TableNumber
    /// The group of each row, negative for none.
    private var groups: ContiguousArray<Int32> = []
    private var numbers: [GroupWord: Int32] = [:]
    private var words: ContiguousArray<GroupWord> = []
    private var counts: ContiguousArray<Int> = []
    /// The rows of each group in the order of the request.
    private var order = OrderedIndex()
    /// Whether the order contradicts itself, so that a row was not found in it.
    private var isContradicted = false
    /// Groups that became empty in the last change, and those that may have another word by now.
    private var emptied: [Int32] = []
    private var free: [Int32] = []

    /// Keeps no rows yet.
    ///
    /// - Parameters:
    ///   - keys: What the rows of a group have in common; nothing for one group of all.
    ///   - accumulators: What is kept for each group.
    ///   - sortKeys: The order of the rows, which decides which is a group's first.
    ///   - table: The table of the rows.
    init(
        keys: [GroupKeyColumn], _ accumulators: [any GroupAccumulator], sortKeys: [SortKey],
        table: TableNumber
    ) {
        self.keys = keys
        self.accumulators = accumulators
        self.sortKeys = sortKeys
        self.table = table
    }

    /// The rows that are in a group.
    var members: [Row] { groups.indices.lazy.filter { self.groups[$0] >= 0 }.map(Row.init) }

    /// Takes rows out as they were, and puts those back that match as they are; returns the groups that
    /// had or have any of them.
    func update(
        _ rows: some Sequence<Row>, from before: Graph, to after: Graph,
        matches: (Row) -> Bool
    ) -> Set<Int32> {
        for group in emptied where counts[Int(group)] == 0 {
            numbers[words[Int(group)]] = nil
            free.append(group)
        }
        emptied = []
        var touched: Set<Int32> = []
        for row in rows {
            guard let group = remove(row, in: before) else { continue }
            touched.insert(group)
        }
        for row in rows where matches(row) { touched.insert(add(row, in: after)) }
        if isContradicted { sortAgain(in: after) }
        emptied = touched.filter { counts[Int($0)] == 0 }
        return touched
    }

    private func remove(_ row: Row, in graph: Graph) -> Int32? {
        guard groups.indices.contains(row.index), case let group = groups[row.index], group >= 0
        else { return nil }
        groups[row.index] = -1
        counts[Int(group)] -= 1
        let isFound = order.remove(
            OrderedEntry(group: group, row: row, key: 0), token: 1, tie: tie(row, graph))
        if !isFound { isContradicted = true }
        for accumulator in accumulators {
            accumulator.remove(row, from: Int(group), in: graph)
        }
        return group
    }

    private func add(_ row: Row, in graph: Graph) -> Int32 {
        let group = number(of: word(row, graph))
        while groups.count <= row.index { groups.append(-1) }
        groups[row.index] = group
        counts[Int(group)] += 1
        enter(row, group, graph)
        for accumulator in accumulators { accumulator.add(row, to: Int(group), in: graph) }
        return group
    }

    private func enter(_ row: Row, _ group: Int32, _ graph: Graph) {
        order.insert(OrderedEntry(group: group, row: row, key: 0), token: 1, tie: tie(row, graph))
    }

    /// Puts all rows into the order anew.
    private func sortAgain(in graph: Graph) {
        isContradicted = false
        order = OrderedIndex()
        for row in members { enter(row, groups[row.index], graph) }
    }

    private func word(_ row: Row, _ graph: Graph) -> GroupWord {
        if keys.count == 1 { return keys[0].word(row, in: graph) }
        return .several(keys.indices.map { keys[$0].word(row, in: graph) })
    }

    private func number(of word: GroupWord) -> Int32 {
        if let number = numbers[word] { return number }
        let number: Int32
        if let last = free.popLast() {
            number = last
            words[Int(number)] = word
        } else {
            number = Int32(words.count)
            words.append(word)
            counts.append(0)
        }
        numbers[word] = number
        return number
    }

    /// How a row compares with others in the order of the request.
    private func tie(_ row: Row, _ graph: Graph) -> (Row) -> Int {
        guard !sortKeys.isEmpty else { return { _ in 0 } }
        return { [sortKeys, table] other in
            graph.precedes(row, other, by: sortKeys, in: table) ? -1 : 1
        }
    }

    /// Whether a row comes before another in the order of the request.
    func precedes(_ first: Row, _ second: Row, in graph: Graph) -> Bool {
        sortKeys.isEmpty ? first < second : graph.precedes(first, second, by: sortKeys, in: table)
    }

    // MARK: - Reading

    /// The first row of a group, `nil` for an empty one.
    func first(of group: Int32) -> Row? { order.first(ofGroup: group)?.row }

    /// What a group comes to.
    func values(of group: Int32, in graph: Graph) -> KeptValues {
        KeptValues(data: accumulators.map { $0.value(of: Int(group), in: graph) }[...]) { limit in
            self.order.entries(self.order.range(ofGroup: group)).prefix(limit)
                .map { graph.objectID($0.row, in: self.table) }
        }
    }
}
