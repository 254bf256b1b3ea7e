package import NIOCore
import Synchronization

/// The events on their way to one browser.
///
/// Only so many bytes wait for it: a browser that does not read is let go, and asks for what it missed when it
/// comes back.
package final class EventStream: Sendable {
    /// How many bytes may wait for a browser at most.
    package static let byteLimit = 4 << 20

    private let frames: AsyncStream<ByteBuffer>
    private let continuation: AsyncStream<ByteBuffer>.Continuation
    private let waitingByteCount = Atomic(0)

    /// Makes a stream for a browser that has just come.
    package init() { (frames, continuation) = AsyncStream<ByteBuffer>.makeStream() }

    /// Sends an event; a browser for which too much waits already is let go instead.
    package func send(_ frame: ByteBuffer) {
        let waiting = waitingByteCount.add(frame.readableBytes, ordering: .relaxed).newValue
        // One event may be larger than the limit: a whole list.
        guard waiting - frame.readableBytes <= Self.byteLimit else { return close() }
        continuation.yield(frame)
    }

    /// Ends the stream, as when the server stops; what waits is still sent.
    package func close() { continuation.finish() }

    /// Hands over each event until the stream ends, and waits while the browser is slow.
    package func write(_ body: (ByteBuffer) async throws -> Void) async throws {
        for await frame in frames {
            try await body(frame)
            waitingByteCount.subtract(frame.readableBytes, ordering: .relaxed)
        }
    }
}
