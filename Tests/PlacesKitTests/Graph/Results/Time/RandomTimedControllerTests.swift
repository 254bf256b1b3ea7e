import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Results controllers whose requests look at the time, over long runs of random changes.
///
/// `PLACESKIT_RANDOM_BATCHES` says how long.
@Suite struct RandomTimedControllerTests {
    private typealias Photo = TimedModel.Photo

    private static let batches =
        ProcessInfo.processInfo.environment["PLACESKIT_RANDOM_BATCHES"].flatMap(Int.init) ?? 160

    /// A controller, and the list that its changes make.
    private final class Watched {
        private let name: String
        private let request: TimedModel.Request
        private let section: ((Photo) -> String)?
        let results: FetchedResultsController<Photo>
        private var recorder: ResultsRecorder<ObjectID>
        private(set) var updates = 0
        private var findings: [String] = []

        init(
            _ name: String, _ request: TimedModel.Request, isSectioned: Bool,
            _ context: ManagedObjectContext
        ) throws {
            (self.name, self.request) = (name, request)
            section = isSectioned ? { $0.takenAt?.name ?? "" } : nil
            results =
                isSectioned
                ? try FetchedResultsController(request, sectionBy: \.takenAt?.name, in: context)
                : try FetchedResultsController(request, in: context)
            recorder = ResultsRecorder(results.snapshot)
            results.onChange = { [weak self] in self?.take($0) }
        }

        private func take(_ change: ResultsChange<ObjectID>) {
            updates += change.difference.itemUpdates.count
            do throws(ResultsMismatch) {
                try recorder.replay(change)
            } catch {
                findings.append("\(name): \(error)")
            }
        }

        private var fresh: [[String]] {
            let objects = (try? results.context.fetch(request)).map(Array.init) ?? []
            guard let section else { return [objects.map { "\($0.objectID)" }] }
            var names: [String] = []
            for object in objects where !names.contains(section(object)) {
                names.append(section(object))
            }
            return names.map { name in
                objects.filter { section($0) == name }.map { "\($0.objectID)" }
            }
        }

        func takeFindings(isQuiet: Bool, time: TestTime) -> [String] {
            let list = recorder.sections.map { $0.items.map { "\($0)" } }
            if list != fresh { findings.append("\(name): \(list) should be \(fresh)") }
            if isQuiet, updates > 0 { findings.append("\(name): an update where nothing changed") }
            updates = 0
            if let next = results.nextChange {
                let now = time.now
                if next <= now { findings.append("\(name): \(next) is not to come") }
                time.now = Date(
                    timeIntervalSinceReferenceDate: next.timeIntervalSinceReferenceDate.nextDown)
                if list != fresh { findings.append("\(name): changes before \(next)") }
                time.now = now
            }
            defer { findings = [] }
            return findings
        }
    }

    @Test(arguments: UInt64(1)...4)
    func `lists are what a fetch gives, and nothing changes in a sleep`(seed: UInt64) throws {
        var world = try TimedWorld(seed: seed)
        let watched = try TimedModel.requests.flatMap { name, request in
            var (window, sectioned) = (request, request)
            window.sortDescriptors = [SortDescriptor(\.lastViewed, order: .reverse)]
            (window.limit, window.offset) = (4, 1)
            sectioned.sortDescriptors = [SortDescriptor(\.takenAt?.name)]
            return [
                try Watched(name, request, isSectioned: false, world.context),
                try Watched("\(name), in a window", window, isSectioned: false, world.context),
                try Watched("\(name), in sections", sectioned, isSectioned: true, world.context),
            ]
        }
        for batch in 0..<Self.batches / 4 {
            let isQuiet = Int.random(in: 0..<3, using: &world.generator) > 0
            if !isQuiet { try world.edit() }
            world.wait(until: watched.compactMap(\.results.nextChange).min())
            world.context.processPendingChanges()
            let findings = watched.flatMap {
                $0.takeFindings(isQuiet: isQuiet, time: world.time)
            }
            #expect(findings.isEmpty, "Seed \(seed), batch \(batch): \(findings.prefix(3))")
            guard findings.isEmpty else { return }
        }
    }
}
