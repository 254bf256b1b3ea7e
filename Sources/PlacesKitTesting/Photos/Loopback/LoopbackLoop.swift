import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The thread of a loopback server, which reads requests and writes replies when they are due.
final class LoopbackLoop: Sendable {
    struct Statistics {
        var requests = 0
        var connections = 0
        var open = 0
    }

    let port: UInt16
    private let listener: Int32
    private let waker: (reading: Int32, writing: Int32)
    private let answer: @Sendable (LoopbackServer.Request) -> LoopbackReply
    private let shared = Mutex((statistics: Statistics(), isStopped: false))

    init(_ answer: @escaping @Sendable (LoopbackServer.Request) -> LoopbackReply) throws {
        self.answer = answer
        waker = try LoopbackSocket.openPipe()
        do {
            (listener, port) = try LoopbackSocket.openListener()
        } catch {
            close(waker.reading)
            close(waker.writing)
            throw error
        }
    }

    var statistics: Statistics { shared.withLock { $0.statistics } }

    /// Ends the thread, which then closes all connections.
    func stop() {
        shared.withLock { shared in
            guard !shared.isStopped else { return }
            shared.isStopped = true
            LoopbackSocket.signal(waker.writing)
        }
    }

    func run() {
        var connections: [LoopbackConnection] = []
        while !shared.withLock({ $0.isStopped }) {
            wait(for: connections)
            while let descriptor = LoopbackSocket.nextConnection(of: listener) {
                connections.append(LoopbackConnection(descriptor))
                shared.withLock { $0.statistics.connections += 1 }
            }
            let now = ContinuousClock.now
            for index in connections.indices { serve(&connections[index], now) }
            for connection in connections where connection.isClosed {
                close(connection.descriptor)
            }
            connections.removeAll(where: \.isClosed)
            shared.withLock { $0.statistics.open = connections.count }
        }
        for connection in connections { close(connection.descriptor) }
        for descriptor in [listener, waker.reading, waker.writing] { close(descriptor) }
        shared.withLock { $0.statistics.open = 0 }
    }

    private func serve(_ connection: inout LoopbackConnection, _ now: ContinuousClock.Instant) {
        connection.receive()
        while let request = connection.nextRequest() {
            let number = shared.withLock { shared in
                shared.statistics.requests += 1
                return shared.statistics.requests
            }
            connection.begin(
                answer(
                    LoopbackServer.Request(
                        number: number, target: request.target, headers: request.headers)),
                now)
            connection.send(now)
        }
        connection.send(now)
    }

    /// Waits until a socket is ready, or a reply is due.
    private func wait(for connections: [LoopbackConnection]) {
        var polled = [
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waker.reading, events: Int16(POLLIN), revents: 0),
        ]
        let now = ContinuousClock.now
        var timeout = Duration.seconds(60)
        for connection in connections {
            var events = Int16(POLLIN)
            if let due = connection.due {
                if due <= now { events |= Int16(POLLOUT) }
                timeout = min(timeout, due <= now ? .seconds(60) : now.duration(to: due))
            }
            polled.append(pollfd(fd: connection.descriptor, events: events, revents: 0))
        }
        let milliseconds = Int32((timeout / .milliseconds(1)).rounded(.up))
        _ = poll(&polled, nfds_t(polled.count), milliseconds)
    }
}
