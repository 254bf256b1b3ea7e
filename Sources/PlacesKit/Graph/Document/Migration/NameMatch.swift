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
    ///
    /// After a stage an original name may be the first name of one and the name of another. It means the former,
    /// unless that has kept its name.
    static func positions<Thing: Renamed>(of new: [Thing], in old: [Thing]) -> [Int?] {
        let names = Set(new.map(\.name))
        return pairing(
            new, old,
            byOriginalName: [
                { $0.originalName == $1.originalName && $0.name == $1.name },
                { $0.originalName == $1.originalName && !names.contains($1.name) },
                { $1.originalName == nil && $0.originalName.map($1.isNamed) ?? false },
                { $0.originalName == $1.originalName },
                { $0.originalName.map($1.isNamed) ?? false },
            ],
            byName: [{ $1.isNamed($0.name) }, { $0.name == $1.originalName }])
    }

    /// The same where the new ones are the old ones after an edit: those that say nothing of an earlier name
    /// had the same.
    static func positions<Thing: Renamed>(ofEdited new: [Thing], in old: [Thing]) -> [Int?] {
        pairing(
            new, old, byOriginalName: [{ $0.originalName == $1.name }],
            byName: [{ $0.originalName == nil && $0.name == $1.name }])
    }

    /// Whether a new one and an old one are the same.
    private typealias Rule<Thing> = (_ new: Thing, _ old: Thing) -> Bool

    /// Pairs those that are the same by the first rule, of the others those that are by the second, and
    /// so on; first those that have an original name.
    private static func pairing<Thing: Renamed>(
        _ new: [Thing], _ old: [Thing], byOriginalName originalNameRules: [Rule<Thing>],
        byName nameRules: [Rule<Thing>]
    ) -> [Int?] {
        var positions = [Int?](repeating: nil, count: new.count)
        var remaining = Array(old.indices)
        func pair(_ indices: some Sequence<Int>, _ rules: [Rule<Thing>]) {
            for isSame in rules {
                for index in indices where positions[index] == nil {
                    guard let found = remaining.firstIndex(where: { isSame(new[index], old[$0]) })
                    else { continue }
                    positions[index] = remaining.remove(at: found)
                }
            }
        }
        pair(new.indices.filter { new[$0].originalName != nil }, originalNameRules)
        pair(new.indices, nameRules)
        return positions
    }
}

extension Renamed {
    /// Whether this is the name, or was written for it: files once had "`_full name`" for the raw identifier "full name".
    fileprivate func isNamed(_ name: String) -> Bool {
        self.name == name
            || self.name.hasPrefix("`_")
                && self.name.asIdentifier.unicodeScalars.dropFirst()
                    .elementsEqual(name.unicodeScalars)
    }
}
