import PlacesKit
import PlacesKitTesting

/// Results in short: `"a b c"` without sections, `"Paris: a b; Rome: c"` with them, `":"` for none.
func results(_ notation: String) -> ResultsSnapshot<String> {
    guard notation.contains(":") else {
        return ResultsSnapshot(notation.split(separator: " ").map(String.init))
    }
    return ResultsSnapshot(
        sections: notation.split(separator: ";").map { section in
            let parts = section.split(separator: ":", omittingEmptySubsequences: false)
            let items = parts.dropFirst().joined().split(separator: " ").map(String.init)
            return (name: parts[0].filter { $0 != " " }, identifiers: items)
        })
}

/// The events between two results in short, sections first, after all checks that need no example.
func events(
    from before: String, to after: String, touched: String
) throws -> [String] {
    let touched = Set(touched.split(separator: " ").map(String.init))
    let change = ResultsChange(from: results(before), to: results(after), touched: touched)
    var recorder = ResultsRecorder(change.before)
    try recorder.replay(change)
    try change.checkMinimality(touched: touched)
    return change.difference.events
}

extension ResultsSnapshot {
    /// Results where neighbours with equal names form a section.
    init(_ identifiers: [Identifier], sectionName: (Identifier) -> String) {
        var groups: [(name: String, identifiers: [Identifier])] = []
        for identifier in identifiers {
            let name = sectionName(identifier)
            if groups.last?.name != name { groups.append((name, [])) }
            groups[groups.count - 1].identifiers.append(identifier)
        }
        self.init(sections: groups)
    }
}

extension ResultsDifference {
    /// All events in short, old positions before new ones.
    var events: [String] {
        sectionDeletes.map { "delete section \($0.name) \($0.index)" }
            + sectionInserts.map { "insert section \($0.name) \($0.index)" }
            + sectionMoves.map { "move section \($0.name) \($0.oldIndex) → \($0.newIndex)" }
            + sectionRenames.map { "rename section \($0.oldName) \($0.name) \($0.newIndex)" }
            + itemDeletes.map { "delete \($0.identifier) \($0.position)" }
            + itemInserts.map { "insert \($0.identifier) \($0.position)" }
            + itemMoves.map { "move \($0.identifier) \($0.oldPosition) → \($0.newPosition)" }
            + itemUpdates.map { "update \($0.identifier) \($0.oldPosition) → \($0.newPosition)" }
    }
}
