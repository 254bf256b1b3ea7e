import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// The recorder finds what is wrong with a change.
@Suite struct ResultsRecorderTests {
    typealias Difference = ResultsDifference<String>

    let before = results("A: a b; B: c")

    @Test func `changes that follow one another are recorded`() throws {
        var recorder = ResultsRecorder(before)
        let next = results("A: b; B: c a")
        try recorder.replay(ResultsChange(from: before, to: next, touched: ["a"]))
        try recorder.replay(ResultsChange(from: next, to: before, touched: ["a"]))
        #expect(recorder.changes.count == 2)
        #expect(recorder.sections.map(\.items) == [["a", "b"], ["c"]])
    }

    @Test func `a change that does not follow the one before is found`() {
        var recorder = ResultsRecorder(results("A: a"))
        let change = ResultsChange(from: before, to: before, touched: [])
        #expect(throws: ResultsMismatch.self) { try recorder.replay(change) }
    }

    @Test func `a wrong position is found`() {
        let b = Difference.ItemEdit(identifier: "b", position: ItemPosition(section: 0, item: 0))
        #expect(
            mismatch(to: "A: a; B: c", Difference.of(itemDeletes: [b]))
                == .notThere(item: "b", b.position))
        let x = Difference.ItemEdit(identifier: "x", position: ItemPosition(section: 2, item: 0))
        #expect(
            mismatch(to: "A: a b; B: c; C: x", Difference.of(itemInserts: [x]))
                == .noPlace(item: "x", x.position))
    }

    @Test func `a section deleted with items in it is found`() {
        let section = Difference.SectionEdit(SectionLabel(named: "B"), index: 1)
        #expect(
            mismatch(to: "A: a b", Difference.of(sectionDeletes: [section]))
                == .sectionNotEmpty(name: "B", items: #"["c"]"#))
    }

    @Test func `a wrong section index is found`() {
        let section = Difference.SectionEdit(SectionLabel(named: "B"), index: 4)
        #expect(
            mismatch(to: "A: a b", Difference.of(sectionDeletes: [section]))
                == .sectionNotThere(name: "B", 4))
        #expect(
            mismatch(to: "A: a b", Difference.of(sectionInserts: [section]))
                == .noPlaceForSection(name: "B", 4))
    }

    @Test func `a wrong name or move of a section is found`() {
        let same = Difference.SectionTransition(
            from: SectionLabel(named: "A"), at: 0, to: SectionLabel(named: "A"), at: 0)
        #expect(
            mismatch(to: "A: a b; B: c", Difference.of(sectionRenames: [same]))
                == .sectionNotRenamed(name: "A"))
        let other = Difference.SectionTransition(
            from: SectionLabel(named: "B"), at: 0, to: SectionLabel(named: "C"), at: 0)
        #expect(
            mismatch(to: "A: a b; C: c", Difference.of(sectionRenames: [other]))
                == .sectionNotThere(name: "B", 0))
        #expect(
            mismatch(to: "A: a b; C: c", Difference.of(sectionMoves: [other]))
                == .sectionNotThere(name: "B", 0))
    }

    @Test func `a section that is not where or what it is said to be afterwards is found`() {
        let elsewhere = Difference.SectionTransition(
            from: SectionLabel(named: "B"), at: 1, to: SectionLabel(named: "C"), at: 0)
        #expect(
            mismatch(to: "A: a b; C: c", Difference.of(sectionRenames: [elsewhere]))
                == .sectionNotThere(name: "C", 0))
        let other = Difference.SectionTransition(
            from: SectionLabel(named: "B"), at: 1, to: SectionLabel(named: "C"), at: 0)
        #expect(
            mismatch(to: "B: c; A: a b", Difference.of(sectionMoves: [other]))
                == .sectionNotThere(name: "C", 0))
    }

    @Test func `a needless move of a section is found`() {
        let (before, after) = (results("A: a; B: b; C: c"), results("B: b; C: c; A: a"))
        let clumsy = Difference.of(
            sectionMoves: [("B", 1, 0), ("C", 2, 1)].map {
                Difference.SectionTransition(
                    from: SectionLabel(named: $0), at: $1, to: SectionLabel(named: $0), at: $2)
            })
        #expect(throws: ResultsMismatch.tooManySectionMoves(found: 2, needed: 0)) {
            let change = ResultsChange(from: before, to: after, difference: clumsy)
            var recorder = ResultsRecorder(before)
            try recorder.replay(change)
            try change.checkMinimality(touched: [])
        }
    }

    @Test func `a difference that leads elsewhere is found with both lists`() {
        let found = mismatch(to: "A: a; B: c", Difference.of())
        #expect(
            found?.description == #"The list after the change should be A: ["a"], B: ["c"], "#
                + #"but is A: ["a", "b"], B: ["c"]."#)
    }

    @Test func `two events of one item are found`() {
        let a = Difference.ItemTransition(
            identifier: "a", oldPosition: ItemPosition(section: 0, item: 0),
            newPosition: ItemPosition(section: 0, item: 0), properties: [])
        #expect(
            mismatch(to: "A: a b; B: c", Difference.of(itemMoves: [a], itemUpdates: [a]))
                == .reportedTwice(item: "a"))
    }

    @Test func `moves and events too many are found`() throws {
        let (before, after) = (results("a b c"), results("b c a"))
        let all: Set = ["a", "b", "c"]
        let clumsy = Difference.of(
            itemMoves: [("b", 1, 0), ("c", 2, 1)].map(transition),
            itemUpdates: [("a", 0, 2)].map(transition))
        let change = ResultsChange(from: before, to: after, difference: clumsy)
        var recorder = ResultsRecorder(before)
        try recorder.replay(change)
        #expect(throws: ResultsMismatch.tooManyMoves(found: 2, needed: 1)) {
            try change.checkMinimality(touched: all)
        }
        #expect(throws: ResultsMismatch.untouched(item: "c")) {
            try change.checkMinimality(touched: ["a", "b"])
        }
        #expect(throws: ResultsMismatch.unreported(item: "a")) {
            try ResultsChange(from: before, to: after, difference: Difference.of())
                .checkMinimality(touched: ["a"])
        }
    }

    private func transition(_ item: String, _ old: Int, _ new: Int) -> Difference.ItemTransition {
        Difference.ItemTransition(
            identifier: item, oldPosition: ItemPosition(section: 0, item: old),
            newPosition: ItemPosition(section: 0, item: new), properties: [])
    }

    private func mismatch(to after: String, _ difference: Difference) -> ResultsMismatch? {
        var recorder = ResultsRecorder(before)
        do throws(ResultsMismatch) {
            try recorder.replay(
                ResultsChange(from: before, to: results(after), difference: difference))
            return nil
        } catch {
            return error
        }
    }
}

extension ResultsDifference {
    /// A difference of just these events, be they right or wrong.
    fileprivate static func of(
        sectionDeletes: [SectionEdit] = [], sectionInserts: [SectionEdit] = [],
        sectionMoves: [SectionTransition] = [], sectionRenames: [SectionTransition] = [],
        itemDeletes: [ItemEdit] = [], itemInserts: [ItemEdit] = [],
        itemMoves: [ItemTransition] = [], itemUpdates: [ItemTransition] = []
    ) -> Self {
        Self(
            sectionDeletes: sectionDeletes, sectionInserts: sectionInserts,
            sectionMoves: sectionMoves, sectionRenames: sectionRenames,
            itemDeletes: itemDeletes,
            itemInserts: itemInserts, itemMoves: itemMoves, itemUpdates: itemUpdates)
    }
}
