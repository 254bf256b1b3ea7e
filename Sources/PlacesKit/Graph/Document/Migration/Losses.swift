/// How many are lost, and the first of them.
struct Losses<Element> {
    private(set) var count = 0
    private(set) var first: Element?

    mutating func add(_ element: @autoclosure () -> Element) {
        if count == 0 { first = element() }
        count += 1
    }
}
