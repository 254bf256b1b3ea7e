import Hummingbird
import ServiceLifecycle
import Synchronization

/// The streams to all browsers that are here.
final class OpenStreams: Service {
    private let limit: Int
    private let streams = Mutex<[ObjectIdentifier: EventStream]>([:])

    init(limit: Int) { self.limit = limit }

    /// Opens a stream, unless too many are open; `cut` ends its connection.
    func open(cut: @escaping @Sendable () -> Void) throws(HTTPError) -> EventStream {
        let stream = EventStream(cut: cut)
        let isOpen = streams.withLock { streams in
            guard streams.count < limit else { return false }
            streams[ObjectIdentifier(stream)] = stream
            return true
        }
        guard isOpen else {
            throw HTTPError(.serviceUnavailable, message: "Too many pages are open. Close some.")
        }
        return stream
    }

    func close(_ stream: EventStream) {
        stream.close()
        _ = streams.withLock { $0.removeValue(forKey: ObjectIdentifier(stream)) }
    }

    /// Says now and then that connections live, so that those that do not are noticed, and cuts off who reads
    /// nothing.
    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(15))
                for stream in self.streams.withLock({ Array($0.values) }) {
                    stream.watch()
                    stream.send(EventFrame.heartbeat)
                }
            }
        }
    }
}
