package import NIOCore
import Synchronization

/// The events on their way to one browser.
///
/// Only so many bytes wait for it. A browser that does not read fast enough is told so instead of what waited, and
/// comes back for what it missed; one that reads nothing at all is cut off.
package final class EventStream: Sendable {
    /// How many bytes may wait for a browser at most.
    package static let byteLimit = 1 << 20

    private struct Notice: Encodable {
        let feed = "notice"
        let text = "This page could not keep up with the changes. It has begun anew."
    }

    private struct State {
        var waiting: [ByteBuffer] = []
        /// How many bytes wait, or are being written.
        var byteCount = 0
        var isClosed = false
        /// Whether something is being written, and was already when the watch looked last.
        var isWriting = false
        var isLate = false
    }

    private let state = Mutex(State())
    private let turns: AsyncStream<Void>
    private let turn: AsyncStream<Void>.Continuation
    private let cut: @Sendable () -> Void

    /// Makes a stream for a browser that has just come; `cut` ends its connection, whatever is on its way.
    package init(cut: @escaping @Sendable () -> Void = {}) {
        (turns, turn) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.cut = cut
    }

    /// Sends an event; where too much waits already, the browser is told that it is too slow instead.
    package func send(_ frame: ByteBuffer) {
        let isTooSlow = state.withLock { state in
            guard !state.isClosed else { return false }
            // One event may be larger than the limit: a whole list.
            guard state.byteCount <= Self.byteLimit else {
                state.waiting = [EventFrame.event(Notice())]
                state.isClosed = true
                return true
            }
            state.waiting.append(frame)
            state.byteCount += frame.readableBytes
            return false
        }
        turn.yield()
        if isTooSlow { turn.finish() }
    }

    /// Ends the stream, as when the server stops; what waits is still sent.
    package func close() {
        state.withLock { $0.isClosed = true }
        turn.finish()
    }

    /// Cuts the browser off if what was being written at the last call still is.
    func watch() {
        let isStuck = state.withLock { state in
            defer { state.isLate = state.isWriting }
            return state.isWriting && state.isLate
        }
        if isStuck { cut() }
    }

    /// Hands over the events, all that wait at once, until the stream ends, and waits while the browser is slow.
    package func write(_ body: ([ByteBuffer]) async throws -> Void) async throws {
        for await _ in turns {
            let frames = state.withLock { state in
                defer { state.waiting = [] }
                state.isWriting = !state.waiting.isEmpty
                return state.waiting
            }
            guard !frames.isEmpty else { continue }
            try await body(frames)
            state.withLock { state in
                (state.isWriting, state.isLate) = (false, false)
                state.byteCount -= frames.reduce(0) { $0 + $1.readableBytes }
            }
        }
    }
}
