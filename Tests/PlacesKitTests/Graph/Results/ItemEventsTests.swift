import PlacesKit
import Testing

/// Events of items in results without sections.
@Suite struct ItemEventsTests {
    @Test func `no change is an empty difference`() throws {
        #expect(try events(from: "a b c", to: "a b c", touched: "").isEmpty)
        #expect(try events(from: "", to: "", touched: "").isEmpty)
        #expect(ResultsChange(from: results("a b"), to: results("a b"), touched: []).isEmpty)
    }

    @Test func `an insert has its new position and its neighbours are not reported`() throws {
        #expect(try events(from: "a c", to: "a b c", touched: "b") == ["insert b [0, 1]"])
    }

    @Test func `a delete has its old position and its neighbours are not reported`() throws {
        #expect(try events(from: "a b c", to: "a c", touched: "b") == ["delete b [0, 1]"])
    }

    @Test func `a change of a sort key that changes the order is one move`() throws {
        #expect(
            try events(from: "a b c d", to: "b c a d", touched: "a")
                == ["move a [0, 0] → [0, 2]"])
    }

    @Test func `a change of another attribute is an update at its position`() throws {
        #expect(
            try events(from: "a b c", to: "a b c", touched: "b") == ["update b [0, 1] → [0, 1]"])
    }

    @Test func `an update behind an insert has its old and its new position`() throws {
        #expect(
            try events(from: "b c", to: "a b c", touched: "a c")
                == ["insert a [0, 0]", "update c [0, 1] → [0, 2]"])
    }

    @Test func `an update behind a delete has its old and its new position`() throws {
        #expect(
            try events(from: "1 2 3 4", to: "1 3 4", touched: "2 3")
                == ["delete 2 [0, 1]", "update 3 [0, 2] → [0, 1]"])
    }

    @Test func `a change of a sort key that leaves the order is an update`() throws {
        // Salary 100 → 200, then 200 → 800 past a colleague, then dismissal.
        #expect(
            try events(from: "ann bob", to: "ann bob", touched: "ann")
                == ["update ann [0, 0] → [0, 0]"])
        #expect(
            try events(from: "ann bob", to: "bob ann", touched: "ann")
                == ["move ann [0, 0] → [0, 1]"])
        #expect(try events(from: "bob ann", to: "bob", touched: "ann") == ["delete ann [0, 1]"])
    }

    @Test func `an item that came and went within one change is not reported`() throws {
        #expect(try events(from: "a b", to: "a b", touched: "x").isEmpty)
    }

    @Test func `six edits are six events`() throws {
        #expect(
            try events(from: "a b c d e", to: "x b d c y e", touched: "a b d e x y") == [
                "delete a [0, 0]",
                "insert x [0, 0]", "insert y [0, 4]",
                "move d [0, 3] → [0, 2]",
                "update b [0, 1] → [0, 1]", "update e [0, 4] → [0, 5]",
            ])
    }

    @Test func `the first results are all inserts and the last deletes`() throws {
        #expect(
            try events(from: "", to: "a b", touched: "a b")
                == ["insert a [0, 0]", "insert b [0, 1]"])
        #expect(
            try events(from: "a b", to: "", touched: "a b")
                == ["delete a [0, 0]", "delete b [0, 1]"])
    }

    @Test func `a reversal leaves one item where it was`() throws {
        let events = try events(from: "a b c d e", to: "e d c b a", touched: "a b c d e")
        #expect(events.filter { $0.hasPrefix("move") }.count == 4)
        #expect(events.filter { $0.hasPrefix("update") }.count == 1)
    }

    @Test func `a touched item moves rather than an untouched one`() throws {
        // One move of c would do, but c was not touched.
        #expect(
            try events(from: "a b c", to: "c a b", touched: "a b")
                == ["move a [0, 0] → [0, 1]", "move b [0, 1] → [0, 2]"])
    }

    @Test func `untouched items that changed their order are moves`() {
        let difference = results("b c a x").difference(from: results("a b c y"), touched: [])
        #expect(
            difference.events == ["delete y [0, 3]", "insert x [0, 3]", "move a [0, 0] → [0, 2]"])
        #expect(results("a b c y").applying(difference) == results("b c a x"))
    }
}
