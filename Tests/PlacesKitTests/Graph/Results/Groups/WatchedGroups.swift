import Foundation
import PlacesKit
import PlacesKitTesting

/// Live groups, all of whose changes are replayed and compared with groups asked for afresh.
final class WatchedGroups {
    let name: String
    /// Checks what is there now, and what was told since the last call; gives what was wrong.
    private let check: (WatchedGroups) -> Void
    fileprivate(set) var nextChange: () -> Date? = { nil }
    /// Whether what a fresh request gives is what is there.
    fileprivate(set) var isFresh: () -> Bool = { true }
    fileprivate(set) var notKept: [String] = []
    private var findings: [String] = []

    fileprivate init(_ name: String, check: @escaping (WatchedGroups) -> Void) {
        (self.name, self.check) = (name, check)
    }

    fileprivate func note(_ finding: String) { findings.append("\(name): \(finding)") }

    func takeFindings() -> [String] {
        check(self)
        defer { findings = [] }
        return findings
    }
}

/// What a group is in words: its key, and all together.
private struct GroupText: Equatable {
    var key: String?
    var words: [String?]

    init<Group>(_ group: Group) {
        let children = Mirror(reflecting: group).children
        words = children.isEmpty ? [naiveName(group)] : children.map { naiveName($0.value) }
        key = words[0]
    }
}

extension ManagedObjectContext {
    /// Watches the groups of a request.
    func watch<Object: ManagedObject, Key: Hashable & Sendable, each Value: Sendable>(
        _ name: String, _ request: GroupRequest<Object, Key, repeat each Value>
    ) throws -> WatchedGroups {
        let live = try LiveGroups(request, in: self)
        var changes: [ResultsChange<GroupID<Key>>] = []
        live.onChange = { changes.append($0) }
        var recorder = ResultsRecorder(live.snapshot)
        var before = live.groups.map { GroupText($0) }
        func fresh() -> [GroupText] {
            ((try? self.groups(request)) ?? []).map { GroupText($0) }
        }
        let watched = WatchedGroups(name) { watched in
            let after = live.groups.map { GroupText($0) }
            let expected = fresh()
            if after != expected { watched.note("\(after) should be \(expected)") }
            let shown = live.snapshot.identifiers.map { naiveName($0.key) }
            if shown != after.map(\.key) {
                watched.note("the snapshot has \(shown), the groups are \(after.map(\.key))")
            }
            for change in changes {
                do throws(ResultsMismatch) {
                    try recorder.replay(change)
                } catch {
                    watched.note(error.description)
                }
            }
            if recorder.sections.flatMap(\.items) != Array(live.snapshot.identifiers) {
                watched.note("the list is not that of the snapshot")
            }
            if changes.count == 1 {
                checkEvents(of: changes[0], from: before, to: after, watched)
            } else if before != after, changes.isEmpty {
                watched.note("nothing tells that \(before) became \(after)")
            }
            changes = []
            before = after
        }
        watched.nextChange = { live.nextChange }
        watched.isFresh = { live.groups.map { GroupText($0) } == fresh() }
        watched.notKept = live.notKept
        return watched
    }

    /// Watches what the objects of a request come to.
    func watchTotal<Object: ManagedObject, each Value: Sendable>(
        _ name: String, _ request: FetchRequest<Object>,
        _ aggregates: repeat Aggregate<Object, each Value>
    ) throws -> WatchedGroups {
        let live = try LiveAggregate(request, repeat each aggregates, in: self)
        var isTold = false
        live.onChange = { isTold = true }
        func text() -> GroupText? { live.value.map { GroupText($0) } }
        var before = text()
        func fresh() -> GroupText? {
            ((try? self.aggregate(request, repeat each aggregates)) ?? nil).map { GroupText($0) }
        }
        let watched = WatchedGroups(name) { watched in
            if text() != fresh() {
                watched.note("\(text(), default: "nil") should be \(fresh(), default: "nil")")
            }
            if isTold != (text() != before) { watched.note(isTold ? "an idle call" : "not told") }
            isTold = false
            before = text()
        }
        watched.nextChange = { live.nextChange }
        watched.isFresh = { text() == fresh() }
        watched.notKept = live.notKept
        return watched
    }
}

/// Checks that only what changed is told, and with as few moves as can be.
private func checkEvents<Key>(
    of change: ResultsChange<GroupID<Key>>, from before: [GroupText], to after: [GroupText],
    _ watched: WatchedGroups
) {
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.key, $0) })
    let new = Dictionary(uniqueKeysWithValues: after.map { ($0.key, $0) })
    let touched = Set(Array(change.before.identifiers) + Array(change.after.identifiers)).filter {
        id in
        old[naiveName(id.key)] != new[naiveName(id.key)]
    }
    if change.isEmpty { watched.note("an empty change") }
    let difference = change.difference
    if let update = difference.itemUpdates.first(where: { !touched.contains($0.identifier) }) {
        watched.note("\(update.identifier) is updated, but is what it was")
    }
    // The first of a group's objects may be another one, which moves it among equals.
    guard Set(difference.itemMoves.map(\.identifier)).isSubset(of: touched) else { return }
    do throws(ResultsMismatch) {
        try change.checkMinimality(touched: touched)
    } catch {
        watched.note(error.description)
    }
}
