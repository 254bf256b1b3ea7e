#if Postgres
    import CPostgres
    import Foundation
    import PlacesBase
    import PlacesGraph

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// A connection to a server, used by one thread at a time; its methods block.
    final class Connection {
        private typealias Failure = PostgresSharedLog.Failure

        private let handle: OpaquePointer
        private let about: ServerDescription
        private let timeout: Duration
        /// Asked now and then while an answer is awaited; stops the wait by an error.
        var checkpoint: () throws -> Void = {}
        /// Whether the server has given up a wait for a standby since the last statement began.
        private var isWaitGivenUp = false

        var place: PostgresSharedLog.Place { about.place }

        /// Connects.
        ///
        /// - Throws: `Failure.notConnected`, or `.readOnly`.
        init(_ server: Server) throws {
            let handle = server.connect()
            about = ServerDescription(handle, server)
            guard let handle else {
                throw Failure.notConnected(about.place, reason: "there is no memory for it")
            }
            guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0 else {
                let reason = about.cleaned(PQerrorMessage(handle))
                PQfinish(handle)
                throw Failure.notConnected(about.place, reason: reason)
            }
            (self.handle, timeout) = (handle, server.timeout)
            // NB: What a server remarks would be written to standard error.
            PQsetNoticeReceiver(
                handle,
                { connection, remark in
                    guard let connection, let remark else { return }
                    Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue()
                        .note(remark)
                }, Unmanaged.passUnretained(self).toOpaque())
        }

        /// Notes what a server says of an answer that it gives nevertheless.
        private func note(_ remark: OpaquePointer) {
            // Its code is that of any warning, and its words are in the server's language.
            let function = PQresultErrorField(remark, Int32(UInt8(ascii: "R")))
            if let function, String(cString: function) == "SyncRepWaitForLSN" {
                isWaitGivenUp = true
            }
        }

        deinit { PQfinish(handle) }

        /// Whether the server has closed the connection, as far as that is known without asking it.
        var isClosed: Bool {
            // The server says why before it closes; each is read by itself.
            for _ in 0..<3 {
                guard PQstatus(handle) == CONNECTION_OK else { return true }
                var entry = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 0) > 0 else { return false }
                guard PQconsumeInput(handle) == 1 else { return true }
            }
            return false
        }

        /// Whether it is in no transaction, and nothing is on its way.
        var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

        /// Lets the server give up a statement that nobody waits for any more, if it still has one.
        ///
        /// A server that waits for a standby does not notice that its client is gone. That may take as long as to connect, so
        /// a thread of its own does it; the connection, which nobody may use any more, stays until then.
        func giveUp() {
            guard PQtransactionStatus(handle) == PQTRANS_ACTIVE else { return }
            nonisolated(unsafe) let connection = self
            Thread.detachNewThread {
                guard let request = PQgetCancel(connection.handle) else { return }
                var reason = [CChar](repeating: 0, count: 256)
                _ = PQcancel(request, &reason, Int32(reason.count))
                PQfreeCancel(request)
            }
        }

        // MARK: - Statements

        /// Runs one statement, and returns its rows.
        ///
        /// - Throws: `Failure`, or what the checkpoint throws.
        @discardableResult
        func query(_ statement: String, _ parameters: [Parameter] = []) throws -> Rows {
            let encoded = EncodedParameters(parameters)
            let isSent = encoded.withPointers { count, types, values, lengths, formats in
                PQsendQueryParams(handle, statement, count, types, values, lengths, formats, 1)
            }
            return try finish(isSent)
        }

        /// Runs statements that have no parameters and no rows.
        func run(_ statements: String) throws { _ = try finish(PQsendQuery(handle, statements)) }

        private func finish(_ isSent: Int32) throws -> Rows {
            guard isSent == 1 else { throw lost }
            isWaitGivenUp = false
            while true {
                let state = PQflush(handle)
                guard state >= 0 else { throw lost }
                if state == 0 { break }
                // The server may want to get rid of something before it takes more.
                try wait(for: POLLIN | POLLOUT)
                try consume()
            }
            var rows: Rows?
            var failure: (any Error)?
            while true {
                while PQisBusy(handle) == 1 {
                    try wait(for: POLLIN)
                    try consume()
                }
                guard let result = PQgetResult(handle) else { break }
                let next = Rows(result, place)
                failure = failure ?? problem(next)
                rows = next
            }
            if let failure { throw failure }
            guard let rows, PQstatus(handle) == CONNECTION_OK else { throw lost }
            guard !isWaitGivenUp else { throw Failure.notReplicated(place) }
            return rows
        }

        private func problem(_ rows: Rows) -> (any Error)? {
            switch PQresultStatus(rows.result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return nil
            default: break
            }
            guard PQstatus(handle) == CONNECTION_OK,
                let state = PQresultErrorField(rows.result, Int32(UInt8(ascii: "C")))
            else { return lost }
            let code = String(cString: state)
            let reason = about.cleaned(
                PQresultErrorField(rows.result, Int32(UInt8(ascii: "M"))))
            switch code {
            case "25006": return Failure.readOnly(place)
            // The server goes down or just begins, or ends the session.
            case "57P01", "57P02", "57P03", "57P05",
                _ where code.hasPrefix("08") && code != Failure.poolerCode:
                return Failure.connectionLost(place, reason: reason)
            default: return Failure.refused(place, code: code, reason: reason)
            }
        }

        private var lost: Failure {
            let reason = about.cleaned(PQerrorMessage(handle))
            return .connectionLost(place, reason: reason.isEmpty ? "it was closed" : reason)
        }

        private func consume() throws {
            guard PQconsumeInput(handle) == 1 else { throw lost }
        }

        /// Waits until the server has sent something, or takes something if that is waited for, too.
        private func wait(for events: Int32) throws {
            let deadline = ContinuousClock.now + timeout
            var entry = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
            while true {
                try checkpoint()
                let count = poll(&entry, 1, 50)
                if count > 0 { return }
                guard count == 0 || errno == EINTR else { throw lost }
                // NB: Some poolers send long TLS records. OpenSSL keeps the part for which libpq had no room, and after
                // the last record nothing more comes to the socket.
                if events == POLLIN, PQsslInUse(handle) == 1 {
                    try consume()
                    if PQisBusy(handle) == 0 { return }
                }
                guard ContinuousClock.now < deadline else {
                    throw Failure.noAnswer(place, within: timeout)
                }
            }
        }

        // MARK: - Notices

        /// What the server has sent, for who waits for it.
        var socket: Int32 { PQsocket(handle) }

        /// The payloads of all notices that have come.
        func notices() throws -> [String] {
            try consume()
            var found: [String] = []
            while let notice = PQnotifies(handle) {
                found.append(String(cString: notice.pointee.extra))
                PQfreemem(notice)
            }
            return found
        }

        // MARK: - Rows of a log

        /// Refuses what PostgreSQL does not take in one value.
        func checkSize(_ count: Int) throws {
            // Some are to spare.
            guard count >= (1 << 30) - (1 << 16) else { return }
            throw Failure.refused(
                place, code: "54000", reason: "PostgreSQL takes less than a gigabyte at a time")
        }

        var documentIsGone: any Error { Failure.documentRemoved(place) }

        /// Makes a commit of its line, the bytes of whose values somebody fetches.
        func commit(
            _ number: Int, _ line: Data, fetching bytes: @escaping PostgresSharedLog.Fetch
        ) throws -> SharedCommit {
            do {
                let commit = try SharedCommit(line: line, bytes: bytes)
                guard commit.number == number else {
                    throw Failure.damaged(
                        place, commit: number, problem: "its line has number \(commit.number)")
                }
                return commit
            } catch let error as JSONError {
                throw Failure.damaged(place, commit: number, problem: "\(error)")
            }
        }
    }
#endif
