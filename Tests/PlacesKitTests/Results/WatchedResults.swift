import PlacesKitTesting

@testable import PlacesKit

/// A results controller all of whose changes are replayed and compared with fresh fetches.
protocol WatchedResults: AnyObject {
    /// What was wrong since the last call, in sentences.
    func takeFindings() -> [String]

    /// Checks the results after each batch of changes that the context told of.
    func finish(from before: ResultsWorldState, to after: ResultsWorldState) throws
}

final class WatchedScenario<Object: ManagedObject>: WatchedResults {
    private let scenario: ResultsScenario<Object>
    private let results: FetchedResultsController<Object>
    private var recorder: ResultsRecorder<ObjectID>
    private var pending: [ResultsChange<ObjectID>] = []
    private var findings: [String] = []

    init(_ scenario: ResultsScenario<Object>, in context: ManagedObjectContext) throws {
        self.scenario = scenario
        results = try scenario.sections.make(scenario.request, context)
        recorder = ResultsRecorder(results.snapshot)
        results.onChange = { [weak self] in self?.pending.append($0) }
    }

    func takeFindings() -> [String] {
        defer { findings = [] }
        return findings
    }

    func finish(from before: ResultsWorldState, to after: ResultsWorldState) throws {
        let changes = pending
        pending = []
        let touched = after.touched(since: before, reads: scenario.reads)
        if changes.count > 1 { note("\(changes.count) changes at once") }
        for change in changes {
            if change.isEmpty { note("an empty change") }
            do {
                try recorder.replay(change)
            } catch {
                note(error.description)
            }
            if change.before.applying(change.difference) != change.after {
                note("the difference does not lead from before to after")
            }
            check(change, touched: touched)
        }
        if changes.isEmpty, let silent = touched.intersection(results.snapshot.identifiers).first {
            note("nothing tells that \(silent) changed")
        }
        try compareWithFetch()
    }

    /// Checks that only what changed is reported, and with as few moves as can be.
    private func check(_ change: ResultsChange<ObjectID>, touched: Set<ObjectID>) {
        let difference = change.difference
        if let update = difference.itemUpdates.first(where: { !touched.contains($0.identifier) }) {
            note("\(update.identifier) is updated, but did not change")
        }
        // What slides through a window did not change itself, nor did what a computed property
        // reads elsewhere.
        let slid = Set((difference.itemDeletes + difference.itemInserts).map(\.identifier))
            .subtracting(touched)
        let displaced = Set(difference.itemMoves.map(\.identifier)).subtracting(touched)
        let hasWindow = scenario.request.limit != nil
        let isOpaque = scenario.reads.contains(.opaque)
        if !slid.isEmpty, !hasWindow, !isOpaque { note("\(slid) came or went without a change") }
        if !displaced.isEmpty, !isOpaque { note("\(displaced) moved without a change") }
        guard displaced.isEmpty else { return }
        do {
            try change.checkMinimality(touched: touched.union(slid))
        } catch {
            note(error.description)
        }
    }

    private func compareWithFetch() throws {
        let objects = Array(try results.context.fetch(scenario.request))
        var (names, members): ([String], [[ObjectID]]) = ([], [])
        if scenario.sections.section == nil { (names, members) = ([""], [[]]) }
        for object in objects {
            let name = scenario.sections.section?(object) ?? ""
            let index = names.firstIndex(of: name) ?? names.count
            if index == names.count {
                names.append(name)
                members.append([])
            }
            members[index].append(object.objectID)
        }
        if recorder.sections.map(\.name) != names || recorder.sections.map(\.items) != members {
            note("the list should be \(names) of \(members), but is \(recorder.sections)")
        }
        if results.objects.map(\.objectID) != Array(results.snapshot.identifiers) {
            note("the objects are not those of the snapshot")
        }
        if let broken = results.snapshot.brokenInvariant { note(broken) }
        for (index, object) in results.objects.enumerated() {
            let position = results.snapshot.position(at: index)
            if results.position(of: object) != position
                || results.snapshot.position(of: object.objectID) != position
                || results.objects[index] !== object
            {
                note("\(object.objectID) is not found at \(index)")
            }
        }
    }

    private func note(_ finding: String) { findings.append("\(scenario.name): \(finding)") }
}
