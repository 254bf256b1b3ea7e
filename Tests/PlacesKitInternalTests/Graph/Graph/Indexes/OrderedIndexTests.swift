import PlacesKit
import Testing

@testable import PlacesGraph

/// The ordered index, beside a sorted array.
@Suite struct OrderedIndexTests {
    /// An index whose keys are only the beginning of the values, and the same as an array.
    private struct Model {
        var index = OrderedIndex()
        var sorted: [OrderedEntry] = []
        /// The values of the rows; the key of a row is its value divided by `spread`.
        var values: [Row: (group: Int32, value: Int)] = [:]
        let spread: Int

        func entry(_ row: Row) -> OrderedEntry? {
            values[row].map {
                OrderedEntry(group: $0.group, row: row, key: UInt64($0.value / spread))
            }
        }

        func compare(_ value: Int, to row: Row) -> Int {
            value - (values[row]?.value ?? 0)
        }

        func precedes(_ a: OrderedEntry, _ b: OrderedEntry) -> Bool {
            let (left, right) = (values[a.row]?.value ?? 0, values[b.row]?.value ?? 0)
            return (a.group, left, a.row) < (b.group, right, b.row)
        }

        mutating func set(_ value: (group: Int32, value: Int)?, _ row: Row, token: UInt64) {
            if let entry = entry(row), let old = values[row]?.value {
                let model = self
                index.remove(entry, token: token) { model.compare(old, to: $0) }
                sorted.removeAll { $0 == entry }
            }
            values[row] = value
            if let entry = entry(row), let new = value?.value {
                let model = self
                index.insert(entry, token: token) { model.compare(new, to: $0) }
                let position = sorted.firstIndex { precedes(entry, $0) } ?? sorted.count
                sorted.insert(entry, at: position)
            }
        }
    }

    @Test(arguments: [(1, 1, 3), (2, 16, 1), (3, 1_000, 40), (4, 7, 300)])
    func `an index has the order of a sorted array, and its snapshots keep theirs`(
        seed: UInt64, spread: Int, groups: Int
    ) {
        var generator = SplitMix64(seed: seed)
        var model = Model(spread: spread)
        var snapshots: [Model] = []
        for step in 0..<3_000 {
            // First the index grows, then it shrinks.
            let row = Row(generator.below(900))
            let isGone = generator.below(10) < (step < 1_800 ? 1 : 8)
            let value = (group: Int32(generator.below(groups)), value: generator.below(500))
            model.set(isGone ? nil : value, row, token: UInt64(1 + step / 300))
            if step % 300 == 299 { snapshots.append(model) }
            if step.isMultiple(of: 100) { check(model, "seed \(seed), step \(step)") }
        }
        for row in model.values.keys.sorted() { model.set(nil, row, token: 99) }
        #expect(model.index.isEmpty && model.index.count == 0)
        for (number, snapshot) in snapshots.enumerated() {
            check(snapshot, "seed \(seed), snapshot \(number)")
        }
    }

    private func check(_ model: Model, _ comment: Comment) {
        let (index, sorted) = (model.index, model.sorted)
        #expect(index.brokenInvariants().isEmpty, comment)
        #expect(index.count == sorted.count, comment)
        #expect(Array(index.entries) == sorted, comment)
        let (low, high) = (sorted.count / 5, sorted.count * 4 / 5)
        #expect(Array(index.entries(low..<high)) == Array(sorted[low..<high]), comment)
        var runs: [OrderedEntry] = []
        index.forEachRun(low..<high) { runs += $0 }
        #expect(runs == Array(sorted[low..<high]), comment)
        for (position, entry) in sorted.enumerated().filter({ $0.offset % 17 == 0 }) {
            let value = model.values[entry.row]?.value ?? 0
            #expect(index[position] == entry, comment)
            #expect(
                index.position(of: entry) { model.compare(value, to: $0) } == position, comment)
            #expect(index.contains(entry) { model.compare(value, to: $0) }, comment)
        }
        for group in stride(from: Int32(-1), to: 42, by: 5) {
            let members = sorted.filter { $0.group == group }
            #expect(index.range(ofGroup: group).count == members.count, comment)
            #expect(index.first(ofGroup: group) == members.first, comment)
            #expect(index.last(ofGroup: group) == members.last, comment)
        }
    }

    @Test func `entries that come in ascending order fill the nodes`() {
        var index = OrderedIndex()
        for row in Row(0)..<10_000 {
            index.insert(OrderedEntry(group: 0, row: row, key: UInt64(row.index)), token: 1)
        }
        #expect(index.brokenInvariants().isEmpty)
        #expect(Array(index.entries.map(\.row)) == Array(Row(0)..<10_000))
    }

    @Test func `an entry that is not there cannot be removed, and an empty walk is empty`() {
        var index = OrderedIndex()
        var isThere = index.remove(OrderedEntry(group: 0, row: 1, key: 1), token: 1)
        #expect(!isThere)
        index.insert(OrderedEntry(group: 0, row: 1, key: 1), token: 1)
        isThere = index.remove(OrderedEntry(group: 0, row: 2, key: 1), token: 1)
        #expect(!isThere)
        #expect(Array(index.entries(5..<9)).isEmpty)
        #expect(index.first(ofGroup: 1) == nil && index.last(ofGroup: -1) == nil)
    }
}
