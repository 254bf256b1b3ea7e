extension Range<Int> {
    /// The end of the first positions, which satisfy a condition that the others do not.
    ///
    /// - Complexity: O(log n).
    @inline(__always)
    package func endOfPrefix(where isIncluded: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isIncluded(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
