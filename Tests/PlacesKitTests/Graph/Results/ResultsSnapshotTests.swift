import PlacesKit
import Testing

@Suite struct ResultsSnapshotTests {
    @Test func `without a section key path there is one section even if it is empty`() {
        #expect(ResultsSnapshot(["a", "b"]).sections.map(\.name) == [""])
        #expect(ResultsSnapshot<String>([]).sections.map(\.range.count) == [0])
    }

    @Test func `with a section key path empty sections are left out`() {
        let results = ResultsSnapshot(sections: [("A", []), ("B", ["b"]), ("C", [])])
        #expect(results.sections.map(\.name) == ["B"])
        #expect(ResultsSnapshot<String>(sections: []).sections.isEmpty)
    }

    @Test func `the flat list is the sections one after the other`() {
        let snapshot = results("A: a b; B: c; C: d e")
        #expect(Array(snapshot.identifiers) == ["a", "b", "c", "d", "e"])
        #expect(snapshot.identifiers[3] == "d")
        #expect(snapshot.sectionIdentifiers == ["A", "B", "C"])
        #expect(snapshot.identifiers.count == 5)
        #expect(Array(snapshot.identifiers(inSection: 2)) == ["d", "e"])
        #expect(snapshot.brokenInvariant == nil)
    }

    @Test func `flat indices and positions are inverses`() {
        let snapshot = results("A: a b; B: c; C: d e")
        for index in snapshot.identifiers.indices {
            let position = snapshot.position(at: index)
            #expect(position.flatMap(snapshot.index) == index)
            #expect(position.flatMap(snapshot.identifier) == snapshot.identifiers[index])
            #expect(snapshot.position(of: snapshot.identifiers[index]) == position)
        }
        #expect(snapshot.position(at: 2) == ItemPosition(section: 1, item: 0))
    }

    @Test func `what is not there has no position and no identifier`() {
        let snapshot = results("A: a b; B: c")
        #expect(snapshot.position(at: -1) == nil)
        #expect(snapshot.position(at: 3) == nil)
        for (section, item) in [(-1, 0), (0, -1), (0, 2), (1, 1), (2, 0), (.max, .max)] {
            #expect(snapshot.identifier(at: ItemPosition(section: section, item: item)) == nil)
        }
        #expect(ResultsSnapshot<String>([]).position(at: 0) == nil)
    }

    @Test func `results are the same whose items and sections are`() {
        #expect(results("A: a b") == results("A: a b"))
        #expect(results("A: a b").hashValue == results("A: a b").hashValue)
        #expect(results("A: a b") != results("A: b a"))
        #expect(results("A: a b") != results("A: a; B: b"))
        #expect(results("A: a; B: b").description == #"A: ["a"]; B: ["b"]"#)
    }

    @Test func `positions are ordered as the list is read`() {
        let positions = [(0, 1), (1, 0), (0, 0)].map { ItemPosition(section: $0, item: $1) }
        #expect(positions.sorted().map(\.description) == ["[0, 0]", "[0, 1]", "[1, 0]"])
    }
}
