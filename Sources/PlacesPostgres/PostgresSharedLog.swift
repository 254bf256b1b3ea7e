#if Postgres
    import Foundation
    import PlacesBase
    public import PlacesGraph

    /// A shared log in a PostgreSQL database.
    ///
    /// ```swift
    /// let log = try PostgresSharedLog("postgresql://app@db.example.com/places", document: "trips")
    /// let document = try await ManagedDocument.open(at: url, model: model, sharing: log)
    /// ```
    /// A database has the logs of any number of documents. The log creates its tables when it is first used, unless by
    /// somebody who has commits of it, and brings them up to date.
    ///
    /// - It connects when it is first asked for something, and anew when the connection was lost. What only reads is then
    ///   asked once more; ``append(_:after:)`` throws if its answer was lost, for nobody knows whether it had its effect.
    /// - One connection serves all methods, one after the other, on a thread of its own. ``arrivals()`` has another
    ///   connection for each call, and ``keep(_:forgettingAfter:)`` one while it runs.
    /// - A cancelled call ends at once; what it asked for may have its effect.
    ///
    /// See <doc:Sharing>.
    public final class PostgresSharedLog: SharedLog {
        let server: Server
        let options: Options
        let session: Session

        /// Creates the log of a document; connects later.
        ///
        /// - Parameters:
        ///   - connection: What libpq calls a connection string, `host=db.example.com dbname=places` or
        ///     `postgresql://db.example.com/places`. What it does not say comes from a service file, from variables of the
        ///     environment like `PGHOST`, and from libpq's defaults; a service file can't set `target_session_attrs`,
        ///     `connect_timeout`, `tcp_user_timeout` and `keepalives_…`, for the log has its own.
        ///   - document: The name of the document, which is the same for all who share it.
        ///   - options: Whatever has a default.
        /// - Throws: ``Failure/unreadableConnection`` or ``Failure/unusableName(_:problem:)``.
        public init(
            _ connection: String = "", document: String, options: Options = Options()
        ) throws(Failure) {
            try Self.check(name: document)
            try Self.check(name: options.namespace, upTo: Options.longestNamespace)
            server = try Server(connection, document: document, timeout: options.timeout)
            self.options = options
            session = Session(server, options)
        }

        /// Gives out the next number.
        ///
        /// - Throws: ``Failure`` or `CancellationError`.
        public func claimRange() async throws -> Int {
            // If the answer was lost, a number is lost with it: there are enough.
            try await session.run(.again) { connection, document in
                let rows = try connection.query(
                    """
                    UPDATE \(document.table("documents")) SET ranges = ranges + 1 WHERE id = $1
                    RETURNING ranges, \(Self.durable)
                    """, [.int(document.id)])
                guard rows.count == 1 else { throw connection.documentIsGone }
                return try rows.int(0, 0)
            }
        }

        /// Adds commits after the last one, if that has a certain number; in one statement.
        ///
        /// Before it go the bytes of values that the database does not have.
        ///
        /// - Throws: ``Failure``, `CancellationError`, or what a value throws.
        public func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
            commits.checkNumbers(after: number)
            session.expect(number)
            if commits.contains(where: { !$0.values.isEmpty }) {
                return try await append(commits, withValuesAfter: number)
            }
            return try await session.run(commits.isEmpty ? .again : .once) {
                [session] connection, document in
                guard !commits.isEmpty else {
                    return try connection.query(
                        "SELECT FROM \(document.table("documents")) WHERE id = $1 AND last = $2",
                        [.int(document.id), .int(number)]
                    ).count == 1
                }
                let isAdded = try document.add(
                    commits, after: number, knowing: session.latest, connection)
                if isAdded { session.note(commits.last) }
                return isAdded
            }
        }

        /// Some commits after a number: a thousand or a few megabytes of them at most, but at least one if there is one.
        ///
        /// - Throws: ``Failure`` or `CancellationError`.
        public func commits(after number: Int) async throws -> [SharedCommit] {
            // What comes after it has to be a number, too.
            guard (0..<1 << 62).contains(number) else { return [] }
            session.expect(number)
            return try await session.run(.again) { [session, bytes] connection, document in
                let rows = try document.commits(
                    after: number, knowing: session.latest, connection)
                let page = try (0..<rows.count).map { row in
                    let number = try rows.int(row, 0)
                    return try connection.commit(number, rows.data(row, 1), fetching: bytes)
                }
                session.note(page.last)
                return page
            }
        }

        /// Tells of commits that others add, as soon as the server does, and after each time that it could not be reached.
        ///
        /// It creates no tables and no document: until another method of any process has done so, it looks again and again,
        /// each ten seconds at least.
        /// It goes on until nobody listens any more.
        public func arrivals() -> AsyncStream<Int?> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { calls in
                let listener = Listener(server, options) { calls.yield($0) }
                calls.onTermination = { _ in listener.stop() }
            }
        }

        /// Columns of a statement that changes something, which do not let the server answer before it is on disk.
        ///
        /// A database can be told to answer earlier; then it forgets what it has answered if its power fails. It can also be
        /// told not to warn, as it does where it no longer waits for a standby.
        static let durable = """
            concat(CASE current_setting('synchronous_commit') WHEN 'off'
            THEN set_config('synchronous_commit', 'on', true) END,
            CASE WHEN current_setting('client_min_messages') IN ('error', 'fatal', 'panic')
            THEN set_config('client_min_messages', 'warning', true) END)
            """

        /// A column of rows that others rely on, which does not let the server answer before a standby has them, if it has to
        /// wait for one.
        ///
        /// After a restart, or when it was told to wait no longer, a server also shows commits that no standby has. A standby
        /// gets what changes in the order in which it is committed, so a statement that changes something is
        /// answered when the standby has all that it has read. This is evaluated once, and not where there are no rows.
        static let replicated = """
            (SELECT CASE WHEN current_setting('synchronous_standby_names') <> ''
            THEN concat(pg_logical_emit_message(true, 'placeskit', ''), \(durable)) END)
            """

        /// Refuses names that a server can't keep.
        private static func check(name: String, upTo length: Int = .max) throws(Failure) {
            if name.isEmpty { throw .unusableName(name, problem: "it is empty") }
            if name.utf8.contains(0) { throw .unusableName(name, problem: "it has a zero in it") }
            if name.utf8.count > length {
                throw .unusableName(name, problem: "it has more than \(length) bytes")
            }
        }
    }
#else
    /// A shared log in a PostgreSQL database.
    @available(
        *, unavailable,
        message: "depend on PlacesKit with `traits: [\"Postgres\"]`, and have libpq installed"
    )
    public final class PostgresSharedLog {
        /// Is not there without the trait.
        public init(_ connection: String = "", document: String) {}
    }
#endif
