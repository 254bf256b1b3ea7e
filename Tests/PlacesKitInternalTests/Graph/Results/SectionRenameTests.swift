import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Sections whose name changes, and whose items stay.
@Suite struct SectionRenameTests {
    @Test func `a section whose items did not leave it is renamed`() {
        let difference = renaming(["a", "b"], from: "A: a b; C: c", to: "B: a b; C: c")
        #expect(
            difference.events == [
                "rename section A B 0", "update a [0, 0] → [0, 0]", "update b [0, 1] → [0, 1]",
            ])
        #expect(results("A: a b; C: c").applying(difference) == results("B: a b; C: c"))
    }

    @Test func `a renamed section may move, and its items come, go and move`() throws {
        let before = "A: a b c; C: x"
        let after = "C: x; D: c b d"
        let difference = renaming(["a", "b", "c"], from: before, to: after)
        #expect(
            difference.events == [
                "move section C 1 → 0", "rename section A D 1", "delete a [0, 0]",
                "insert d [1, 2]", "move c [0, 2] → [1, 0]", "update b [0, 1] → [1, 1]",
            ])
        #expect(results(before).applying(difference) == results(after))
        var recorder = ResultsRecorder(results(before))
        try recorder.replay(
            ResultsChange(from: results(before), to: results(after), difference: difference))
    }

    @Test func `two sections that become one are not renamed`() {
        let difference = renaming(["a", "b"], from: "A: a; B: b", to: "C: a b")
        #expect(difference.sectionRenames.isEmpty)
        #expect(difference.sectionDeletes.map(\.name) == ["A", "B"])
        #expect(difference.itemMoves.count == 2)
    }

    @Test func `a section that existed already is not another one's new name`() {
        let difference = renaming(["a"], from: "A: a; B: b", to: "B: a b")
        #expect(difference.sectionRenames.isEmpty)
        #expect(difference.itemMoves.map(\.identifier) == ["a"])
    }

    /// The difference where some items keep the object to which they owe their section's name.
    private func renaming(
        _ keeping: Set<String>, from before: String, to after: String
    ) -> ResultsDifference<String> {
        let (before, after) = (results(before), results(after))
        let touched = Set(before.identifiers).symmetricDifference(after.identifiers)
            .union(keeping)
        let items = touched.sorted().map {
            TouchedItem(
                identifier: $0, oldPosition: before.position(of: $0),
                newPosition: after.position(of: $0), keepsSectionOwner: keeping.contains($0))
        }
        let sections = Set(items.flatMap { [$0.oldPosition?.section, $0.newPosition?.section] })
        let matching = SectionMatching(
            from: before.sections.map(\.label), to: after.sections.map(\.label))
        return ResultsDifference(
            items,
            matching.fates.filter { sections.contains($0.oldIndex ?? $0.newIndex) })
    }
}
