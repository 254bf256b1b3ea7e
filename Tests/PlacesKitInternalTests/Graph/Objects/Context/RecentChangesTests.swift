import PlacesKit
import Testing

@testable import PlacesGraph

@Suite struct RecentChangesTests {
    /// Changes of one table, that of the first class, in which some rows are new.
    private func changes(_ rows: Range<Row>) -> [TableChanges] {
        [TableChanges(inserted: ContiguousArray(rows))]
    }

    @Test func `those since a commit are told from the one after it on`() {
        var recent = RecentChanges(after: 7)
        for number in 8..<11 {
            recent.append(changes(Row(number)..<Row(number + 1)), of: number)
        }
        #expect(recent.changes(since: 8)?.map { $0[0].inserted } == [[9], [10]])
        #expect(recent.changes(since: 8, upTo: 9)?.map { $0[0].inserted } == [[9]])
        #expect(recent.changes(since: 10)?.isEmpty == true)
    }

    @Test func `nothing is told since a commit before those that are kept`() {
        var recent = RecentChanges(after: 7)
        #expect(recent.changes(since: 7)?.isEmpty == true)
        recent.append(changes(0..<1), of: 8)
        #expect(recent.changes(since: 7)?.count == 1)
        #expect(recent.changes(since: 6) == nil)
        recent.forget(upTo: 8)
        #expect(recent.changes(since: 7) == nil)
        #expect(recent.changes(since: 8)?.isEmpty == true)
    }

    @Test func `a large commit is kept for conflicts, and not read for differences`() {
        var recent = RecentChanges(after: 0)
        recent.append(changes(0..<1), of: 1)
        recent.append(changes(0..<100_000), of: 2)
        recent.append(changes(0..<1), of: 3)
        #expect(recent.changes(since: 1)?.count == 2)
        #expect(recent.fewChanges(since: 1) == nil)
        #expect(recent.fewChanges(since: 2)?.count == 1)
    }

    @Test func `10,000 small commits are kept, not any number`() {
        var recent = RecentChanges(after: 0)
        for number in 1...10_000 { recent.append(changes(0..<1), of: number) }
        #expect(recent.changes(since: 0)?.count == 10_000)
        for number in 10_001...100_000 { recent.append(changes(0..<1), of: number) }
        #expect(recent.changes(since: 90_000)?.count == 10_000)
        #expect(recent.changes(since: 10_000) == nil)
    }
}
