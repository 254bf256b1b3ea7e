extension String {
    /// A sentence that asks whether one of some names was meant; empty where none is near.
    public func suggestion(among names: [String]) -> String {
        nearest(among: names).map { " Did you mean “\($0)”?" } ?? ""
    }

    /// The name among others that this one is most likely a slip of.
    private func nearest(among names: [String]) -> String? {
        let limit = Swift.max(1, count / 3)
        let own = Array(lowercased())
        return names.lazy
            .map { (name: $0, distance: own.distance(to: Array($0.lowercased()))) }
            .filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?
            .name
    }
}

extension [Character] {
    /// The fewest insertions, removals, replacements and exchanges of neighbours that lead to another word.
    fileprivate func distance(to other: [Character]) -> Int {
        var rows = [Array<Int>(0...other.count)]
        for (above, own) in enumerated() {
            var row = [above + 1]
            for (left, theirs) in other.enumerated() {
                var best = Swift.min(rows[above][left + 1], row[left]) + 1
                best = Swift.min(best, rows[above][left] + (own == theirs ? 0 : 1))
                if above > 0, left > 0, own == other[left - 1], self[above - 1] == theirs {
                    best = Swift.min(best, rows[above - 1][left - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[count][other.count]
    }
}
