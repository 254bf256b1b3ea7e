import PlacesKit
import PlacesKitTesting

/// A results controller all of whose changes are replayed and compared with fresh fetches.
protocol WatchedResults: AnyObject {
    /// What was wrong since the last call, in sentences.
    func takeFindings() -> [String]

    /// Pauses, goes on, or asks something else, now and then.
    func change(using generator: inout SeededGenerator) throws

    /// Checks the results after each batch of changes that the context told of.
    func finish(from before: ResultsWorldState, to after: ResultsWorldState) throws
}

final class WatchedScenario<Object: ManagedObject>: WatchedResults {
    private var scenario: ResultsScenario<Object>
    /// What may be asked instead.
    private let others: [ResultsScenario<Object>]
    private let results: FetchedResultsController<Object>
    private var recorder: ResultsRecorder<ObjectID>
    private var pending: [ResultsChange<ObjectID>] = []
    /// What a slow consumer has not taken yet, and what changed meanwhile.
    private var waiting: ResultsChange<ObjectID>?
    private var waitingTouched: Set<ObjectID> = []
    private var slowRecorder: ResultsRecorder<ObjectID>
    /// The world as it was when the results paused.
    private var paused: ResultsWorldState?
    private var finishes = 0
    private var findings: [String] = []

    /// Watches the results of a scenario, which may be changed for others.
    init(
        _ scenario: ResultsScenario<Object>, among all: [ResultsScenario<Object>],
        in context: ManagedObjectContext
    ) throws {
        self.scenario = scenario
        others = all
        results = try scenario.sections.make(scenario.request, context)
        recorder = ResultsRecorder(results.snapshot)
        slowRecorder = recorder
        results.onChange = { [weak self] in self?.pending.append($0) }
    }

    func takeFindings() -> [String] {
        defer { findings = [] }
        return findings
    }

    func change(using generator: inout SeededGenerator) throws {
        switch Int.random(in: 0..<24, using: &generator) {
        case 0 where paused == nil:
            results.context.processPendingChanges()
            paused = try ResultsWorldState(results.context)
            results.isPaused = true
        case 1..<8:
            guard let before = paused else { return }
            results.isPaused = false
            paused = nil
            try check(from: before, to: try ResultsWorldState(results.context))
        case 8 where paused == nil:
            guard Bool.random(using: &generator) else { return }
            results.context.processPendingChanges()
            var sections = scenario.sections
            if Bool.random(using: &generator),
                let other = others.randomElement(using: &generator)
            {
                sections = other.sections
                scenario = other
            }
            scenario.request.offset = Int.random(in: 0..<3, using: &generator)
            scenario.request.limit = Bool.random(using: &generator) ? nil : 6
            try sections.change(results, scenario.request)
            for change in pending { try replay(change) }
            (waiting, waitingTouched) = (nil, [])
            slowRecorder = recorder
            pending = []
            try compareWithFetch()
        default: break
        }
    }

    func finish(from before: ResultsWorldState, to after: ResultsWorldState) throws {
        guard paused == nil else { return }
        try check(from: before, to: after)
    }

    private func check(from before: ResultsWorldState, to after: ResultsWorldState) throws {
        let changes = pending
        pending = []
        let touched = after.touched(since: before, reads: scenario.reads)
        waitingTouched.formUnion(touched)
        if changes.count > 1 { note("\(changes.count) changes at once") }
        for change in changes {
            if change.isEmpty { note("an empty change") }
            try replay(change)
            check(change, touched: touched)
            checkProperties(of: change, from: before, to: after)
            waiting = waiting?.followed(by: change) ?? change
        }
        if changes.isEmpty, let silent = touched.intersection(results.snapshot.identifiers).first {
            note("nothing tells that \(silent) changed")
        }
        try compareWithFetch()
        finishes += 1
        if finishes.isMultiple(of: 3) { takeWaiting() }
    }

    private func replay(_ change: ResultsChange<ObjectID>) throws {
        do {
            try recorder.replay(change)
        } catch {
            note(error.description)
        }
        if change.before.applying(change.difference) != change.after {
            note("the difference does not lead from before to after")
        }
    }

    /// Lets the slow consumer take what happened since it took something last.
    private func takeWaiting() {
        defer { waitingTouched = [] }
        guard let change = waiting else { return }
        waiting = nil
        do {
            try slowRecorder.replay(change)
        } catch {
            note("as one: \(error)")
        }
        if slowRecorder.sections != recorder.sections { note("as one: another list") }
        // What slid out of a window, or went by what a computed property reads elsewhere, and came
        // back is told if it may have changed.
        if scenario.request.limit == nil && scenario.request.offset == 0
            && !scenario.reads.contains(.opaque)
        {
            check(change, touched: waitingTouched)
        }
    }

    /// Checks the names of the object's own properties that changed.
    private func checkProperties(
        of change: ResultsChange<ObjectID>, from before: ResultsWorldState,
        to after: ResultsWorldState
    ) {
        for item in change.difference.itemUpdates + change.difference.itemMoves {
            let own = item.properties.filter { !$0.contains(".") }
            let expected = after.changedProperties(of: item.identifier, since: before)
            if own != expected { note("\(item.identifier) tells \(own), but changed \(expected)") }
        }
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
        let hasWindow = scenario.request.limit != nil || scenario.request.offset > 0
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
        var (keys, members): ([SectionKey], [[ObjectID]]) = ([], [])
        if scenario.sections.section == nil { (keys, members) = ([.none], [[]]) }
        let always = scenario.sections.always
        for key in always {
            keys.append(key)
            members.append([])
        }
        for object in objects {
            let key = scenario.sections.section?(object) ?? .none
            let index = keys.firstIndex(of: key) ?? keys.count
            if index == keys.count {
                keys.append(key)
                members.append([])
            }
            members[index].append(object.objectID)
        }
        let order = keys.indices.sorted {
            let (first, second) = (
                scenario.sections.order(keys[$0]), scenario.sections.order(keys[$1])
            )
            return first == second ? $0 < $1 : first < second
        }
        (keys, members) = (order.map { keys[$0] }, order.map { members[$0] })
        if recorder.sections.map(\.name) != keys.map(scenario.sections.title) {
            note("the sections are not called \(keys), but \(recorder.sections.map(\.name))")
        }
        if recorder.sections.map(\.key) != keys || recorder.sections.map(\.items) != members {
            note("the list should be \(keys) of \(members), but is \(recorder.sections)")
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
