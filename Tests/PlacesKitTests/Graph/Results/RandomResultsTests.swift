import PlacesKit
import PlacesKitTesting
import Testing

/// Long runs of random edits on a list that is sorted and sectioned as a query's would be.
@Suite struct RandomResultsTests {
    @Test(arguments: [UInt64](1...4))
    func `random changes of a small list replay with the fewest moves`(
        seed: UInt64
    ) throws {
        try run(seed: seed, items: 12, sections: 4, changes: 250, edits: 0...5)
    }

    @Test(arguments: [UInt64](11...12))
    func `random changes of a large list replay`(seed: UInt64) throws {
        try run(seed: seed, items: 1000, sections: 40, changes: 6, edits: 0...60)
    }

    @Test(arguments: [UInt64](21...22))
    func `random changes of an unsectioned list replay`(seed: UInt64) throws {
        try run(seed: seed, items: 100, sections: nil, changes: 60, edits: 0...20)
    }

    private func run(
        seed: UInt64, items: Int, sections: Int?, changes: Int, edits: ClosedRange<Int>
    ) throws {
        var list = RandomList(seed: seed, items: items, sections: sections)
        var before = list.snapshot
        var recorder = ResultsRecorder(before)
        for number in 0..<changes {
            let touched = list.edit(times: Int.random(in: edits, using: &list.generator))
            let after = list.snapshot
            let change = ResultsChange(from: before, to: after, touched: touched)
            do {
                try recorder.replay(change)
                try change.checkMinimality(touched: touched)
            } catch {
                Issue.record("Seed \(seed), change \(number): \(error)")
                throw error
            }
            #expect(before.applying(change.difference) == after, "seed \(seed), change \(number)")
            #expect(after.brokenInvariant == nil, "seed \(seed), change \(number)")
            before = after
        }
    }

    @Test(arguments: [UInt64](31...34))
    func `items wrongly said to be untouched still replay`(seed: UInt64) throws {
        var list = RandomList(seed: seed, items: 40, sections: 5)
        for number in 0..<100 {
            let before = list.snapshot
            let touched = list.edit(times: 8)
            let after = list.snapshot
            let named = touched.filter { _ in Bool.random(using: &list.generator) }
            let difference = after.difference(from: before, touched: named)
            #expect(before.applying(difference) == after, "seed \(seed), change \(number)")
        }
    }

    @Test(arguments: [UInt64](41...42))
    func `sections of the same name and items that occur twice do not crash`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        func garbage() -> ResultsSnapshot<Int> {
            let identifiers = (0..<8).map { _ in Int.random(in: 0..<10, using: &generator) }
            let names = (0..<10).map { _ in Bool.random(using: &generator) ? "A" : "B" }
            return ResultsSnapshot(identifiers) { names[$0] }
        }
        for _ in 0..<400 {
            let (before, after) = (garbage(), garbage())
            let touched = Set((0..<10).filter { _ in Bool.random(using: &generator) })
            let difference = after.difference(from: before, touched: touched)
            let replayed = before.applying(difference)
            guard before.brokenInvariant == nil, after.brokenInvariant == nil else { continue }
            #expect(replayed == after, "seed \(seed)")
        }
    }
}
