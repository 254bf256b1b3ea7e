/// How many rows lie before a window, and before what follows it.
struct WindowCounts {
    private var before = 0
    private var beforeEnd = 0

    /// Counts a row at a position; returns whether it lies in the window.
    mutating func count(_ position: Int, _ window: Range<Int>) -> Bool {
        if position < window.lowerBound { before += 1 }
        if position < window.upperBound { beforeEnd += 1 }
        return window.contains(position)
    }

    /// The positions that a window has among the other rows, those that were not counted.
    func untouched(of window: Range<Int>) -> Range<Int> {
        window.lowerBound - before..<window.upperBound - beforeEnd
    }
}
