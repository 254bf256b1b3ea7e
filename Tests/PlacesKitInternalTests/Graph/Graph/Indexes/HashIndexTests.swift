import PlacesKit
import Testing

@testable import PlacesGraph

/// The index of unique attributes, beside a dictionary.
@Suite struct HashIndexTests {
    /// An index whose rows' values lie in an array, hashed as badly as the test wants.
    private struct Model {
        var index = HashIndex()
        var values: [Row: Int] = [:]
        let spread: Int

        func hash(_ value: Int) -> Int { value % spread &* 0x1234_5678_9ABC_DEF1 }

        func find(_ value: Int) -> Row? {
            index.find(hash: hash(value)) { values[$0] == value }
        }

        mutating func set(_ value: Int?, _ row: Row, token: UInt64) {
            if let old = values[row] {
                let values = values
                index.remove(row, hash: hash(old), token: token) { values[$0] == old }
            }
            values[row] = value
            if let value {
                let values = values
                index.insert(row, hash: hash(value), token: token) { values[$0] == value }
            }
        }
    }

    @Test(arguments: [(1, 1), (2, 3), (3, 64), (4, 100_000)])
    func `an index finds what a dictionary finds`(seed: UInt64, spread: Int) {
        var generator = SplitMix64(seed: seed)
        var model = Model(spread: spread)
        var snapshots: [Model] = []
        for step in 0..<4_000 {
            let row = Row(generator.below(300))
            let value = generator.below(3) == 0 ? nil : generator.below(400)
            model.set(value, row, token: UInt64(1 + step / 500))
            if step % 500 == 499 { snapshots.append(model) }
            guard step.isMultiple(of: 40) else { continue }
            check(model, "seed \(seed), step \(step)")
        }
        for (number, snapshot) in snapshots.enumerated() {
            check(snapshot, "seed \(seed), snapshot \(number)")
        }
    }

    private func check(_ model: Model, _ comment: Comment) {
        let groups = Dictionary(grouping: model.values.keys) { model.values[$0] ?? 0 }
        for value in 0..<400 {
            let found = model.find(value)
            #expect(groups[value]?.contains(found ?? -1) ?? (found == nil), comment)
        }
        #expect(model.index.count == groups.count, comment)
        #expect(Set(model.index.rows).count == groups.count, comment)
        #expect(
            Set(model.index.rows).union(model.index.duplicates) == Set(model.values.keys), comment)
    }

    @Test func `whoever gives up a value asks none of the rows that wait for others`() {
        let count = 1_000
        func value(_ row: Row) -> Int { row.index % count }
        let model = Model(spread: .max)
        var index = model.index
        for row in Row(0)..<Row(2 * count) {
            index.insert(row, hash: model.hash(value(row)), token: 1) { value($0) == value(row) }
        }
        #expect(index.count == count && index.duplicates == Array(Row(count)..<Row(2 * count)))
        var asked = 0
        for row in Row(0)..<Row(count) {
            index.remove(row, hash: model.hash(value(row)), token: 1) {
                asked += 1
                return value($0) == value(row)
            }
        }
        #expect(index.count == count && !index.hasDuplicates && asked == count)
    }

    @Test func `the first of the rows that wait for a value gets it, however many do`() {
        let rows = Row(0)..<1_000
        var index = HashIndex()
        for row in rows { index.insert(row, hash: 7, token: 1) { _ in true } }
        let frozen = index
        var asked = 0
        for row in rows {
            #expect(index.find(hash: 7) { _ in true } == row)
            index.remove(row, hash: 7, token: 2) { _ in
                asked += 1
                return true
            }
        }
        #expect(index.rows == [] && asked == rows.count - 1)
        #expect(frozen.rows == [0] && frozen.duplicates == Array(rows.dropFirst()))
    }

    @Test func `an index of one value that comes and goes stays small and finds it`() {
        var model = Model(spread: 100_000)
        for round in 0..<10_000 {
            model.set(round, 0, token: 1)
            #expect(model.find(round) == 0 && model.find(round - 1) == nil)
        }
        #expect(model.index.count == 1)
    }

    @Test func `an index grows over many chunks`() {
        var model = Model(spread: .max)
        for row in Row(0)..<9_000 { model.set(row.index * 7, row, token: 1) }
        let frozen = model
        for row in Row(0)..<9_000 { model.set(row.index * 7 + 1, row, token: 2) }
        for row in Row(0)..<9_000 {
            #expect(frozen.find(row.index * 7) == row)
            #expect(model.find(row.index * 7) == nil && model.find(row.index * 7 + 1) == row)
        }
    }
}
