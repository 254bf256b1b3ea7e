// NB: Foundation is not imported here, whose own searches are others: see `TextOperator`.

extension UnsafeBufferPointer<UInt8> {
    /// Where other bytes come next, of which there is at least one; `nil` where they do not.
    ///
    /// - Complexity: O(n + m) for n bytes up to there and m others.
    func firstPosition(of other: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        let (first, last) = (other[0], count - other.count)
        // NB: Checks for overflow, and the other search within this one, took a third more time.
        var (position, vain) = (start, 0)
        while position <= last {
            if self[position] == first {
                var length = 1
                while length < other.count, self[position &+ length] == other[length] {
                    length &+= 1
                }
                if length == other.count { return position }
                vain &+= length
                if vain > Self.usual &+ 4 &* (position &- start) {
                    return firstPosition(ofRepetitive: other, from: position + 1)
                }
            }
            position &+= 1
        }
        return nil
    }

    /// How many bytes may match in vain before it is worth while to find out how others repeat themselves.
    private static var usual: Int { 1_024 }

    /// Looks at each byte once, as Knuth, Morris and Pratt do.
    @inline(never)
    private func firstPosition(
        ofRepetitive other: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int? {
        // With how many bytes each beginning of the others ends that they begin with, too.
        var borders = ContiguousArray(repeating: 0, count: other.count)
        func longer(_ matching: Int, by byte: UInt8) -> Int {
            var matching = matching
            while matching > 0, other[matching] != byte { matching = borders[matching - 1] }
            return other[matching] == byte ? matching + 1 : 0
        }
        for index in other.indices.dropFirst() {
            borders[index] = longer(borders[index - 1], by: other[index])
        }
        var matching = 0
        for position in start..<count {
            matching = longer(matching, by: self[position])
            if matching == other.count { return position + 1 - matching }
        }
        return nil
    }
}
