#if Postgres
    import Foundation
    import PlacesBase
    import PlacesGraph
    import Synchronization

    /// A connection that is made when it is needed, and anew after it was lost, on a thread of its own.
    final class Session: Sendable {
        /// What happens to work whose connection was lost.
        enum Repetition {
            /// It is done once more.
            case again
            /// It fails, unless the connection was lost before.
            case once
            /// It fails: only this connection has the transaction.
            case inTransaction
        }

        private struct Open {
            let connection: Connection
            let document: LogDocument
        }

        private let server: Server
        private let options: PostgresSharedLog.Options
        private let queue = BlockingQueue("shared log in PostgreSQL")
        private let open = Mutex<Open?>(nil)
        private let noted: Mutex<LatestCommit>

        init(
            _ server: Server, _ options: PostgresSharedLog.Options,
            knowing latest: LatestCommit = LatestCommit()
        ) {
            (self.server, self.options) = (server, options)
            noted = Mutex(latest)
        }

        /// The latest commit that somebody has from here, which every server that answers has to have.
        var latest: LatestCommit { noted.withLock(\.self) }

        /// Notes that somebody has a commit.
        func note(_ commit: SharedCommit?) {
            guard let commit else { return }
            noted.withLock { $0.note(commit) }
        }

        /// Notes that somebody asks for something after the commit with a number, so has it unless that is zero.
        func expect(_ number: Int) { noted.withLock { $0.expect(number) } }

        /// Runs work with a connection; ends at once when the task is cancelled, whatever the server does.
        func run<Value: Sendable>(
            _ repetition: Repetition,
            _ work: @escaping @Sendable (Connection, LogDocument) throws -> Value
        ) async throws -> Value {
            let (cancellation, answer) = (Cancellation(), Waiter<Value>())
            return try await withTaskCancellationHandler {
                queue.submit { [self] in
                    answer.finish(Result { try perform(repetition, cancellation, work) })
                }
                return try await answer.result()
            } onCancel: {
                cancellation.cancel()
                answer.finish(.failure(CancellationError()))
            }
        }

        private func perform<Value: Sendable>(
            _ repetition: Repetition, _ cancellation: Cancellation,
            _ work: @escaping @Sendable (Connection, LogDocument) throws -> Value
        ) throws -> Value {
            var attempts = 0
            while true {
                attempts += 1
                try cancellation.check()
                do {
                    return try attempt(repetition, cancellation, work)
                } catch let failure as PostgresSharedLog.Failure
                    where failure.isOfConnection && repetition == .again && attempts == 1
                {
                    continue
                } catch let failure as PostgresSharedLog.Failure
                    where failure.isClash && attempts < 100 && repetition != .inTransaction
                {
                    continue
                }
            }
        }

        private func attempt<Value: Sendable>(
            _ repetition: Repetition, _ cancellation: Cancellation,
            _ work: @escaping @Sendable (Connection, LogDocument) throws -> Value
        ) throws -> Value {
            try open.withLock { open in
                if let former = open, former.connection.isClosed {
                    open = nil
                    if repetition == .inTransaction {
                        throw PostgresSharedLog.Failure.connectionLost(
                            former.connection.place, reason: "the server closed it")
                    }
                }
                let known = try open ?? connect(cancellation)
                open = known
                known.connection.checkpoint = { try cancellation.check() }
                do {
                    return try work(known.connection, known.document)
                } catch {
                    // An answer may come yet, which would be taken for that of the next request.
                    let failure = error as? PostgresSharedLog.Failure
                    if failure?.leavesConnection != true || !known.connection.isIdle { open = nil }
                    // Who asks again would leave one more there each time. Not so what adds commits: without its wait for a
                    // standby it would show them.
                    if repetition == .again { known.connection.giveUp() }
                    throw error
                }
            }
        }

        private func connect(_ cancellation: Cancellation) throws -> Open {
            let connection = try Connection(server)
            connection.checkpoint = { try cancellation.check() }
            do {
                let latest = latest
                let document = try LogDocument(
                    connection, server, options, creating: latest.mayBeNew)
                try document.check(latest, connection)
                return Open(connection: connection, document: document)
            } catch {
                connection.giveUp()
                throw error
            }
        }
    }
#endif
