/// Something that has a name, and may have had another in earlier versions of a model.
protocol Renamed {
    var name: String { get }
    var originalName: String? { get }
}

extension EntityDescription: Renamed {}
extension PropertyDescription: Renamed {}

/// Pairs what two versions of a model have.
enum NameMatch {
    /// For each of the new ones the position of the old one that it is, or `nil` for one that was added.
    ///
    /// What the new ones say of their earlier names comes first, then the names that both have, and last
    /// what the old ones say of theirs: a new one that says nothing may have a name that another one had
    /// once. Each is paired once, so names may be swapped.
    static func positions<Thing: Renamed>(of new: [Thing], in old: [Thing]) -> [Int?] {
        var positions = [Int?](repeating: nil, count: new.count)
        var remaining = Array(old.indices)
        func pair(_ isSame: (Thing, Thing) -> Bool) {
            for index in new.indices where positions[index] == nil {
                guard let found = remaining.firstIndex(where: { isSame(new[index], old[$0]) })
                else { continue }
                positions[index] = remaining.remove(at: found)
            }
        }
        pair { $0.originalName != nil && $0.originalName == ($1.originalName ?? $1.name) }
        pair { $0.originalName == $1.name }
        pair { $0.name == $1.name }
        pair { $0.name == $1.originalName }
        return positions
    }
}
