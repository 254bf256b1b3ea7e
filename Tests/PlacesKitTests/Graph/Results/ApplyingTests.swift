import PlacesKit
import Testing

@Suite struct ApplyingTests {
    let before = results("A: a b; B: c")

    @Test func `a difference turns the old results into the new ones`() {
        let after = results("B: c a; C: x")
        let difference = after.difference(from: before, touched: ["a", "b", "x"])
        #expect(before.applying(difference) == after)
    }

    @Test func `a difference does not fit results without its items`() {
        let difference = results("A: b; B: c").difference(from: before, touched: ["a"])
        #expect(results("A: x b; B: c").applying(difference) == nil)
        #expect(results("A: b").applying(difference) == nil)
    }

    @Test func `a difference does not fit results with more items in a deleted section`() {
        let difference = results("A: a b").difference(from: before, touched: ["c"])
        #expect(results("A: a b; B: c d").applying(difference) == nil)
    }

    @Test func `a difference does not fit results without its sections`() {
        let difference = results("A: a b; B: c; C: d").difference(from: before, touched: ["d"])
        #expect(results("A: a b").applying(difference) == nil)
    }

    @Test func `a difference does not fit results that leave a gap`() {
        let difference = results("A: a b x; B: c").difference(from: before, touched: ["x"])
        #expect(results("A: a; B: c").applying(difference) == nil)
    }

    @Test func `an empty difference fits everything`() {
        let nothing = before.difference(from: before, touched: [])
        #expect(results("Z: z").applying(nothing) == results("Z: z"))
        #expect(ResultsSnapshot<String>([]).applying(nothing) == ResultsSnapshot([]))
    }
}
