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
    /// Two are the same if they are known by one name through all versions; or else if the new one says
    /// that it had the name of the old one; or else if they have one name. Each is paired once, so names
    /// may be swapped.
    static func positions<Thing: Renamed>(of new: [Thing], in old: [Thing]) -> [Int?] {
        var positions = [Int?](repeating: nil, count: new.count)
        var remaining = Array(old.indices)
        func pair(_ isSame: (Thing, Thing) -> Bool) {
            for index in new.indices where positions[index] == nil {
                guard let place = remaining.firstIndex(where: { isSame(new[index], old[$0]) })
                else { continue }
                positions[index] = remaining.remove(at: place)
            }
        }
        pair { ($0.originalName ?? $0.name) == ($1.originalName ?? $1.name) }
        pair { $0.originalName == $1.name }
        pair { $0.name == $1.name }
        return positions
    }
}
