import PlacesKit
import PlacesKitTesting
import Testing

/// Events of sections, and of items across them.
@Suite struct SectionEventsTests {
    @Test func `an insert into an existing section is no section event`() throws {
        #expect(
            try events(
                from: "Eng: alice bob; Sales: carol", to: "Eng: alice bob; Sales: carol dan",
                touched: "dan")
                == ["insert dan [1, 1]"])
    }

    @Test func `an insert that opens a section inserts both`() throws {
        #expect(
            try events(from: "Eng: alice", to: "Eng: alice; Sales: carol", touched: "carol")
                == ["insert section Sales 1", "insert carol [1, 0]"])
    }

    @Test func `deleting the last item of a section deletes both at their old indices`() throws {
        #expect(
            try events(from: "A: a; B: b; C: c", to: "B: b; C: c", touched: "a")
                == ["delete section A 0", "delete a [0, 0]"])
        #expect(
            try events(from: "A: a; B: b; C: c", to: "C: c", touched: "a b") == [
                "delete section A 0", "delete section B 1", "delete a [0, 0]", "delete b [1, 0]",
            ])
    }

    @Test func `a change of section is one move`() throws {
        #expect(
            try events(
                from: "Eng: alice bob; Sales: carol", to: "Eng: alice; Sales: bob carol",
                touched: "bob")
                == ["move bob [0, 1] → [1, 0]"])
    }

    @Test func `a move into a new section inserts the section`() throws {
        #expect(
            try events(from: "Eng: alice bob", to: "Eng: alice; Sales: bob", touched: "bob")
                == ["insert section Sales 1", "move bob [0, 1] → [1, 0]"])
    }

    @Test func `a move that empties a section deletes the section`() throws {
        #expect(
            try events(from: "Eng: alice; Sales: bob", to: "Sales: alice bob", touched: "alice")
                == ["delete section Eng 0", "move alice [0, 0] → [0, 0]"])
    }

    @Test func `a move of a sole item to a new section is one move and two section events`() throws
    {
        #expect(
            try events(from: "A: a; C: c", to: "B: a; C: c", touched: "a")
                == ["delete section A 0", "insert section B 0", "move a [0, 0] → [0, 0]"])
    }

    @Test func `renaming two sections to one inserts one and deletes two`() throws {
        #expect(
            try events(from: "A: a1 a2; B: b1; C: c", to: "C: c; Z: a1 a2 b1", touched: "a1 a2 b1")
                == [
                    "delete section A 0", "delete section B 1", "insert section Z 1",
                    "move a1 [0, 0] → [1, 0]", "move a2 [0, 1] → [1, 1]", "move b1 [1, 0] → [1, 2]",
                ])
    }

    @Test func `a section that all items left by themselves is deleted, and the new one inserted`()
        throws
    {
        #expect(
            try events(from: "a: 1 2", to: "max: 1 2", touched: "1 2").prefix(2)
                == ["delete section a 0", "insert section max 0"])
    }

    @Test func `a section whose items are all replaced stays`() throws {
        #expect(
            try events(from: "A: a; B: b", to: "A: x; B: b", touched: "a x")
                == ["delete a [0, 0]", "insert x [0, 0]"])
    }

    @Test func `a section that changes its position takes along what it holds`() throws {
        // Sections in the order of their first members: A falls behind B.
        #expect(
            try events(from: "A: a; B: b1 b2", to: "B: b1 b2; A: a", touched: "a")
                == ["move section B 1 → 0", "update a [0, 0] → [1, 0]"])
        #expect(
            try events(from: "A: a1 a2; B: b; C: c", to: "B: b; A: a2; C: c", touched: "a1")
                == ["move section B 1 → 0", "delete a1 [0, 0]"])
    }

    @Test func `an item may move in a section that moves`() throws {
        #expect(
            try events(from: "A: a1 a2 a3; B: b", to: "B: b; A: a2 a1 a3", touched: "a1") == [
                "move section B 1 → 0", "move a1 [0, 0] → [1, 1]",
            ])
    }

    @Test func `of sections that change positions as few as can be move`() throws {
        #expect(
            try events(from: "A: a; B: b; C: c; D: d", to: "D: d; A: a; B: b; C: c", touched: "d")
                == ["move section D 3 → 0", "update d [3, 0] → [0, 0]"])
    }

    @Test func `an update has the section indices before and after`() throws {
        #expect(
            try events(from: "B: b", to: "A: a; B: b", touched: "a b")
                == ["insert section A 0", "insert a [0, 0]", "update b [0, 0] → [1, 0]"])
    }

    @Test func `the last item of all leaves no section`() throws {
        #expect(
            try events(from: "A: a", to: ":", touched: "a")
                == ["delete section A 0", "delete a [0, 0]"])
    }

    @Test func `without sections the one section stays when it is empty`() throws {
        #expect(try events(from: "a", to: "", touched: "a") == ["delete a [0, 0]"])
        #expect(try events(from: "", to: "a", touched: "a") == ["insert a [0, 0]"])
    }

    @Test func `an untouched item that changed its section is a move`() {
        let (before, after) = (results("A: a b; B: c"), results("A: a; B: b c"))
        let difference = after.difference(from: before, touched: [])
        #expect(difference.events == ["move b [0, 1] → [1, 0]"])
        #expect(before.applying(difference) == after)
    }
}
