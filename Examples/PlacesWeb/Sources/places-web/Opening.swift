import Foundation
import NIOCore
import PlacesKit
import WebSupport

/// A system whose document is being opened: its pages say how far that is, and are loaded again when it is done.
@MainActor
final class Opening: Feed {
    private struct Event: Encodable {
        var feed: String
        var isOpen = true
    }

    let type: any PhotoSystem.Type
    /// The system, once it is open.
    private(set) var system: (any PhotoSystem)?
    private var status = FeedStatus("Opening…", isBusy: true)
    private var streams: [ObjectIdentifier: EventStream] = [:]

    init(_ type: any PhotoSystem.Type) { self.type = type }

    /// The address of the pane that is shown meanwhile.
    nonisolated static func path(of name: String) -> String { "/opening/\(name)" }

    var name: String { Self.path(of: type.name) }
    var pane: Pane { Pane(kind: .opening, title: type.title, path: name) }

    /// Opens the system, and tells how far that is.
    func open(
        _ body: @MainActor (Progress) async throws -> PlacesLibrary
    ) async throws {
        let progress = Progress(totalUnitCount: 1)
        let watch = Task {
            while true {
                try await Task.sleep(for: .milliseconds(100))
                let percent = Int(progress.fractionCompleted * 100)
                tell(FeedStatus("Opening… \(percent) %", isBusy: true))
            }
        }
        defer { watch.cancel() }
        system = type.init(try await body(progress))
        for stream in streams.values { stream.send(EventFrame.event(Event(feed: name))) }
    }

    var isFollowed: Bool { !streams.isEmpty }

    func join(_ stream: EventStream, since position: String?) {
        streams[ObjectIdentifier(stream)] = stream
        stream.send(frame)
    }

    func leave(_ stream: EventStream) { streams[ObjectIdentifier(stream)] = nil }

    func tell(_ status: FeedStatus) {
        self.status = status
        for stream in streams.values { stream.send(frame) }
    }

    private var frame: ByteBuffer {
        system == nil ? status.frame(of: name) : EventFrame.event(Event(feed: name))
    }
}
