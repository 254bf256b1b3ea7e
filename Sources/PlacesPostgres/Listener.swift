#if Postgres
    import Foundation
    import PlacesBase
    import Synchronization

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Tells of new commits of a document until it is stopped, by a thread and a connection of its own.
    final class Listener: Sendable {
        private let server: Server
        private let options: PostgresSharedLog.Options
        /// Tells the number of the last commit, or that something may have come that nobody heard of.
        private let tell: @Sendable (Int?) -> Void
        private let stopping = Stopping()

        init(
            _ server: Server, _ options: PostgresSharedLog.Options,
            tell: @escaping @Sendable (Int?) -> Void
        ) {
            (self.server, self.options, self.tell) = (server, options, tell)
            let thread = Thread { [self] in listen() }
            thread.name = "shared log"
            thread.start()
        }

        /// Ends the thread, at once unless it is just connecting.
        func stop() { stopping.stop() }

        private func listen() {
            var pause = Duration.milliseconds(100)
            while !stopping.isStopped {
                // Nobody would hear of a failure; the document finds out by itself when it asks for something.
                try? follow { pause = .milliseconds(100) }
                stopping.wait(for: pause)
                pause = min(pause * 2, .seconds(10))
            }
        }

        /// Tells of commits until the connection is lost.
        private func follow(_ connected: () -> Void) throws {
            let connection = try Connection(server)
            connection.checkpoint = { [stopping] in
                if stopping.isStopped { throw CancellationError() }
            }
            // Who listens does not know whether somebody has commits of it.
            let document = try LogDocument(connection, server, options, creating: false)
            if options.listens {
                try connection.run("LISTEN \(LogTables.quoted(document.channel))")
            }
            // What came before is known only now: something may have come while nobody listened.
            var known = try last(document, connection)
            connected()
            // Whatever its number: the server may have lost some, which who asks it for commits finds out.
            tell(nil)
            while !stopping.isStopped {
                var last: Int?
                if stopping.wait(for: options.pollingPeriod, orInputOf: connection.socket) {
                    last = try connection.notices().compactMap { Int($0) }.max()
                } else if !stopping.isStopped {
                    // A notice that comes with the answer may tell of a later one.
                    let answer = try self.last(document, connection)
                    last = try connection.notices().compactMap { Int($0) }.reduce(answer, max)
                }
                if let last, last > known {
                    known = last
                    tell(last)
                }
            }
        }

        private func last(_ document: LogDocument, _ connection: Connection) throws -> Int {
            let rows = try connection.query(
                "SELECT last FROM \(document.table("documents")) WHERE id = $1",
                [.int(document.id)])
            guard rows.count == 1 else { throw connection.documentIsGone }
            return try rows.int(0, 0)
        }
    }

    /// Wakes a thread that waits for something else, by a pipe.
    private final class Stopping: Sendable {
        private let reader: Int32
        private let writer: Int32
        private let stopped = Atomic(false)

        init() {
            var ends: [Int32] = [-1, -1]
            // Where no pipe can be had, the thread ends when it looks next.
            if pipe(&ends) == 0 {
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            }
            (reader, writer) = (ends[0], ends[1])
        }

        deinit {
            if reader >= 0 { close(reader) }
            if writer >= 0 { close(writer) }
        }

        var isStopped: Bool { stopped.load(ordering: .acquiring) }

        func stop() {
            stopped.store(true, ordering: .releasing)
            var byte: UInt8 = 0
            if writer >= 0 { _ = write(writer, &byte, 1) }
        }

        /// Waits until the time is over, there is something to read, or it is stopped; returns whether there is something to
        /// read.
        @discardableResult
        func wait(for time: Duration, orInputOf socket: Int32 = -1) -> Bool {
            // poll() passes over what is not there.
            var entries = [reader, socket].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let milliseconds = min(max(1, time / .milliseconds(1)), 1_000_000)
            return poll(&entries, nfds_t(entries.count), Int32(milliseconds)) > 0
                && entries[1].revents != 0
        }
    }
#endif
