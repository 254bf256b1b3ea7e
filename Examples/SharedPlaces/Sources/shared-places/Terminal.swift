import Foundation
import Observation
import PlacesGraph

/// What a person types, and what everybody's changes show.
@MainActor
final class Terminal {
    private let document: ManagedDocument
    private let sharing: DocumentSharing
    private let plug: Plug
    private let spots: FetchedResultsController<Spot>
    private var shown = DocumentSharing.State.upToDate

    private static let help = """
        drop NAME LATITUDE LONGITUDE   drops a pin, or moves it
        note NAME TEXT                 notes something about it
        remove NAME                    removes it
        list                           lists all pins
        unplug, plug                   cuts the log off, and connects it again
        conflicts                      lists what could not be shared, and forgets it
        quit
        """

    init(_ document: ManagedDocument, _ sharing: DocumentSharing, _ plug: Plug) throws {
        (self.document, self.sharing, self.plug) = (document, sharing, plug)
        spots = try FetchedResultsController(
            FetchRequest<Spot>(sortBy: [SortDescriptor(\.name)]), in: document.viewContext)
    }

    /// Prints what changes, whoever changed it, and how far the log is.
    func showChanges() {
        let changes = spots.changes
        Task { [weak self] in
            for await change in changes { self?.show(change) }
        }
        showState()
        say(Self.help)
    }

    /// Shows a line at once, also where it is read by a pipe, without commands that others wrote for the terminal.
    nonisolated static func say(_ line: String, to file: FileHandle = .standardOutput) {
        let shown = line.unicodeScalars.filter {
            $0 == "\n" || $0.properties.generalCategory != .control
        }
        try? file.write(contentsOf: Data("\(String(shown))\n".utf8))
    }

    private func say(_ line: String) { Self.say(line) }

    private func show(_ change: ResultsChange<ObjectID>) {
        for _ in change.difference.itemDeletes { say("- a pin is gone") }
        let changed = Set(
            (change.difference.itemUpdates + change.difference.itemMoves).map(\.identifier))
        let known = Set(change.before.identifiers)
        for spot in spots.objects {
            if !known.contains(spot.objectID) {
                say("+ \(spot.line)")
            } else if changed.contains(spot.objectID) {
                say("~ \(spot.line)")
            }
        }
    }

    /// Shows how far the log is, now and whenever that changes.
    private func showState() {
        // What is shown is read while it is tracked: a change in between would never be told.
        let state = withObservationTracking {
            sharing.state
        } onChange: { [weak self] in
            Task { @MainActor in self?.showState() }
        }
        switch state {
        case _ where state == shown: break
        case .upToDate:
            if case .offline = shown { say("  (connected: all is shared)") }
        case .behind(let count): say("  (\(count) waiting for the log)")
        case .offline(_, let reason): say("  (offline: \(reason))")
        case .stopped(let reason): say("  (shared no more: \(reason))")
        }
        shown = state
    }

    // MARK: - What a person types

    /// Does what a line says; whether to go on.
    func run(_ line: String) async -> Bool {
        let words = line.split(separator: " ").map(String.init)
        do {
            switch (words.first, words.count) {
            case ("drop", 4):
                guard let latitude = Double(words[2]), let longitude = Double(words[3]) else {
                    throw Misunderstood()
                }
                let spot = try document.viewContext.findOrInsert(Spot.self, \.name, words[1])
                (spot.latitude, spot.longitude) = (latitude, longitude)
            case ("note", 3...): try spot(words[1]).note = words.dropFirst(2).joined(separator: " ")
            case ("remove", 2): document.viewContext.delete(try spot(words[1]))
            case ("list", 1): for spot in spots.objects { say(spot.line) }
            case ("unplug", 1): plug.set(unplugged: true)
            case ("plug", 1):
                plug.set(unplugged: false)
                try await sharing.synchronize()
            case ("conflicts", 1): listConflicts()
            case ("quit", 1): return false
            case (nil, _): break
            default: throw Misunderstood()
            }
            // It is on disk when this returns, and shared when the log can be reached.
            if document.viewContext.hasChanges { try await document.save() }
        } catch is Misunderstood {
            say(Self.help)
        } catch {
            document.viewContext.rollback()
            say("  \(error)")
        }
        return true
    }

    private struct Misunderstood: Error {}

    private func spot(_ name: String) throws -> Spot {
        guard let spot = try document.viewContext.find(Spot.self, \.name, name) else {
            throw Misunderstood()
        }
        return spot
    }

    private func listConflicts() {
        for conflict in sharing.conflicts {
            say("! \(conflict.reason)")
            sharing.dismiss(conflict)
        }
    }
}
