extension String {
    /// The name among others that this one is most likely a slip of.
    func nearest(among names: [String]) -> String? {
        let limit = Swift.max(1, count / 3)
        return names.lazy
            .map { (name: $0, distance: distance(to: $0)) }
            .filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?
            .name
    }

    /// A sentence that asks whether such a name was meant; empty where none is near.
    public func suggestion(among names: [String]) -> String {
        nearest(among: names).map { " Did you mean “\($0)”?" } ?? ""
    }

    /// The fewest insertions, removals and replacements that lead to another text, in any letters.
    private func distance(to other: String) -> Int {
        let other = Array(other.lowercased())
        var row = Array(0...other.count)
        for (above, character) in lowercased().enumerated() {
            var diagonal = above
            row[0] = above + 1
            for (column, letter) in other.enumerated() {
                let replaced = diagonal + (character == letter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
