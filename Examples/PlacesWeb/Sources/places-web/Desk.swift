import NIOCore
import PlacesKit
import WebSupport

/// What belongs to one browser: a view of each library, in which it can take back what it did, and nobody else's
/// doing.
@MainActor
final class Desk: Feed {
    private struct Event: Encodable {
        var feed: String
        /// What can be taken back, and done again.
        var undo: String?
        var redo: String?
    }

    let name = "undo"
    private var views: [String: PlacesLibrary] = [:]
    /// The system in which the last step was done.
    private var latest: String?
    private var streams: [ObjectIdentifier: EventStream] = [:]

    /// The browser's view of a system's library.
    func view(of system: any PhotoSystem) -> PlacesLibrary {
        let name = type(of: system).name
        let view = views[name] ?? system.library.makeView()
        views[name] = view
        return view
    }

    /// Notes that a step was done in a system, and tells what can be taken back now.
    func did(in system: any PhotoSystem) {
        latest = type(of: system).name
        tell()
    }

    /// Takes back what was done last.
    func undo() async throws {
        try await latest.flatMap { views[$0] }?.undo()
        tell()
    }

    /// Does again what was taken back last.
    func redo() async throws {
        try await latest.flatMap { views[$0] }?.redo()
        tell()
    }

    // MARK: - Telling

    var isFollowed: Bool { !streams.isEmpty }

    func join(_ stream: EventStream, since position: String?) {
        streams[ObjectIdentifier(stream)] = stream
        stream.send(event)
    }

    func leave(_ stream: EventStream) { streams[ObjectIdentifier(stream)] = nil }

    func tell(_ status: FeedStatus) {}

    private func tell() {
        for stream in streams.values { stream.send(event) }
    }

    private var event: ByteBuffer {
        let context = latest.flatMap { views[$0] }?.context
        return EventFrame.event(
            Event(
                feed: name, undo: context?.canUndo == true ? context?.undoActionName : nil,
                redo: context?.canRedo == true ? context?.redoActionName : nil))
    }
}
