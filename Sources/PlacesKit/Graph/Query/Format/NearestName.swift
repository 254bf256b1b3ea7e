extension String {
    /// The name among others that this one is most likely a slip of.
    func nearest(among names: [String]) -> String? {
        let own = Array(lowercased())
        let limit = Swift.max(1, own.count / 3)
        return names.lazy
            .map { (name: $0, distance: own.distance(to: Array($0.lowercased()))) }
            .filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?
            .name
    }
}

extension [Character] {
    /// The fewest insertions, removals, replacements and exchanges of neighbours that lead to
    /// another word (Damerau's distance, restricted).
    fileprivate func distance(to other: [Character]) -> Int {
        // A slip is short; a long word is none.
        guard abs(count - other.count) < 4, count < 64 else { return .max }
        var rows = [[Int](0...other.count)]
        for (i, left) in enumerated() {
            var row = [i + 1]
            for (j, right) in other.enumerated() {
                var best = Swift.min(rows[i][j + 1], row[j]) + 1
                best = Swift.min(best, rows[i][j] + (left == right ? 0 : 1))
                if i > 0, j > 0, left == other[j - 1], self[i - 1] == right {
                    best = Swift.min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[count][other.count]
    }
}
