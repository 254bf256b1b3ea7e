#if Postgres
    import Foundation
    import PlacesGraph

    /// A document in the tables, as a connection has found it.
    struct LogDocument {
        let id: Int
        /// Where others are told of its commits.
        let channel: String
        /// Adds commits after the last one, if that has a certain number, in one statement: parameters are the document,
        /// the number, the lines, the channel and the latest commit that somebody has; no row comes back if others were
        /// first, or the log has lost that one.
        ///
        /// Whoever comes at the same time waits for the document's row, and then sees that its number is another one.
        let appending: String
        /// The same for commits that refer to values, if none were forgotten since somebody saw that their bytes are there:
        /// more parameters are digests, the number of a commit for each, and how often values were forgotten by then.
        let appendingReferences: String
        let tables: LogTables

        /// Finds the document; or adds it, with all tables if need be, if somebody wants that.
        ///
        /// - Throws: `Failure.documentRemoved`, or another failure.
        init(
            _ connection: Connection, _ server: Server, _ options: PostgresSharedLog.Options,
            creating: Bool
        ) throws {
            tables = LogTables(options)
            try tables.prepare(connection, creating: creating)
            let state = try connection.query("SELECT pg_is_in_recovery()")
            guard !state.bool(0, 0) else {
                throw PostgresSharedLog.Failure.readOnly(connection.place)
            }
            let find = "SELECT id FROM \(tables.name("documents")) WHERE name = $1"
            var rows = try connection.query(find, [.text(server.document)])
            if rows.count == 0, creating {
                try connection.query(
                    """
                    INSERT INTO \(tables.name("documents")) (name) VALUES ($1)
                    ON CONFLICT DO NOTHING
                    """, [.text(server.document)])
                rows = try connection.query(find, [.text(server.document)])
            }
            guard rows.count == 1 else { throw connection.documentIsGone }
            id = try rows.int(0, 0)
            channel = "\(options.namespace) \(id)"
            let notice = options.notifies ? ", pg_notify($4, last::text)" : ""
            let tables = tables
            func statement(where condition: String, references: String) -> String {
                """
                WITH head AS (
                    UPDATE \(tables.name("documents")) SET last = last + cardinality($3)
                    WHERE id = $1 AND last = $2 AND $5 <= $2
                        AND \(tables.end(ofCommit: "$5", is: "$6"))\(condition) RETURNING last
                ), added AS (
                    INSERT INTO \(tables.name("commits")) (document, number, added, line)
                    SELECT $1, $2 + position, clock_timestamp(), line
                    FROM head, unnest($3) WITH ORDINALITY AS lines (line, position)
                )\(references)
                SELECT last, \(PostgresSharedLog.durable)\(notice) FROM head
                """
            }
            appending = statement(where: "", references: "")
            appendingReferences = statement(
                where: " AND sweeps = $9 AND NOT EXISTS (\(tables.missing(in: "$7")))",
                references: """
                    , referring AS (
                        INSERT INTO \(tables.name("commit_values")) (document, digest, number)
                        SELECT $1, decode(digest, 'hex'), number
                        FROM head, unnest($7, $8) AS found (digest, number)
                    )
                    """)
        }

        /// Adds commits after the last one.
        ///
        /// - Parameters:
        ///   - commits: The commits.
        ///   - number: The number of the last one.
        ///   - sweeps: How often values were forgotten when those to which the commits refer were there; `nil` where they refer
        ///     to none.
        ///   - latest: The latest commit that somebody has.
        ///   - connection: The connection.
        /// - Returns: Whether they were added; false if others were first, or the latest commit is lost.
        /// - Throws: `Failure`.
        func add(
            _ commits: [SharedCommit], after number: Int, since sweeps: Int? = nil,
            knowing latest: LatestCommit, _ connection: Connection
        ) throws -> Bool {
            let lines = commits.map(\.line)
            try connection.checkSize(lines.reduce(0) { $0 + $1.count + 4 })
            let parameters =
                [Parameter.int(id), .int(number), .list(lines), .text(channel)]
                + latest.parameters
            guard let sweeps else {
                return try connection.query(appending, parameters).count == 1
            }
            let references = commits.flatMap { commit in
                commit.values.map { (digest: $0.digest, number: commit.number) }
            }
            let more = [
                Parameter.texts(references.map(\.digest)), .ints(references.map(\.number)),
                .int(sweeps),
            ]
            return try connection.query(appendingReferences, parameters + more).count == 1
        }

        /// Looks whether the latest commit that somebody has is there, and the log's last one: servers that were restored from
        /// a backup, or took over from one that they did not follow, have lost some.
        ///
        /// - Throws: `Failure.lostCommits`, or another failure.
        func check(_ latest: LatestCommit, _ connection: Connection) throws {
            let rows = try connection.query(
                """
                SELECT (\(comparison("$2", "$3"))), last, last = 0 OR EXISTS (
                    SELECT FROM \(table("commits")) WHERE document = $1 AND number = last)
                FROM \(table("documents")) WHERE id = $1
                """, [Parameter.int(id)] + latest.parameters)
            try check(rows, 0, latest, connection)
            guard rows.bool(0, 2) else {
                throw PostgresSharedLog.Failure.lostCommits(
                    connection.place, commit: try rows.int(0, 1))
            }
        }

        /// A query whether the log has a commit whose line ends in a certain way.
        private func comparison(_ number: String, _ end: String) -> String {
            """
            SELECT last >= \(number) AND \(tables.end(ofCommit: number, is: end))
            FROM \(table("documents")) WHERE id = $1
            """
        }

        private func check(
            _ rows: Rows, _ column: Int, _ latest: LatestCommit, _ connection: Connection
        ) throws {
            guard rows.count > 0, !rows.isNull(0, column) else { throw connection.documentIsGone }
            guard rows.bool(0, column) else {
                throw PostgresSharedLog.Failure.lostCommits(
                    connection.place, commit: latest.number)
            }
        }

        /// Rows of a number and a line: a thousand commits after a number, or a few megabytes of them, but at least one if
        /// there is one.
        ///
        /// A page ends at a number, not at a count: a server that knows little of the table would sort all that comes after
        /// the first one to find a thousand.
        ///
        /// - Throws: `Failure.lostCommits` where the latest commit that somebody has is not there, or another failure. A
        ///   pooler keeps the connection when another server takes over, so each answer has to tell.
        func commits(
            after number: Int, knowing latest: LatestCommit, _ connection: Connection
        ) throws -> Rows {
            let (commits, replicated) = (table("commits"), PostgresSharedLog.replicated)
            let isThere = "(\(comparison("$3", "$4")))"
            let parameters = [Parameter.int(id), .int(number)] + latest.parameters
            // Most pages begin where the last one ended, and are short.
            let page = "document = $1 AND number > $2 AND number <= $2 + 1000"
            var rows = try connection.query(
                """
                SELECT number, line, \(replicated), \(isThere) FROM \(commits) WHERE \(page)
                    AND (SELECT sum(octet_length(line)) FROM \(commits) WHERE \(page)) < 4194304
                ORDER BY number
                """, parameters)
            if rows.count == 0 {
                // The first ones may have been forgotten, or be long; or there are none.
                rows = try connection.query(
                    """
                    WITH page AS (
                        SELECT min(number) AS start FROM \(commits)
                        WHERE document = $1 AND number > $2
                    )
                    SELECT number, line, \(replicated), \(isThere) FROM (
                        SELECT number, line,
                            sum(octet_length(line)) OVER (ORDER BY number)
                                - octet_length(line) AS size
                        FROM \(commits) WHERE document = $1
                            AND number >= (SELECT start FROM page)
                            AND number < (SELECT start FROM page) + 1000
                    ) AS sized WHERE size < 4194304 ORDER BY number
                    """, parameters)
            }
            if rows.count == 0 {
                try check(latest, connection)
            } else {
                try check(rows, 3, latest, connection)
            }
            return rows
        }

        func table(_ name: String) -> String { tables.name(name) }
    }

    /// The latest commit that somebody has from a log, by which a server is found out that has lost it.
    struct LatestCommit {
        private(set) var number = 0
        /// How its line ends.
        private var end = Data()
        /// Whether somebody has commits of the log, perhaps from an earlier process, and only their number is known.
        private var isExpected = false

        /// Whether the log may be new; otherwise, if it is not there, it was removed, and whoever brings it back from a copy
        /// must find nothing in its place.
        var mayBeNew: Bool { number == 0 && !isExpected }

        /// How many bytes of a line are compared: its checksum is among them.
        static let endLength = 16

        /// The number and the end of the line, as statements get them.
        var parameters: [Parameter] { [.int(number), .bytes(end)] }

        /// Notes that somebody has a commit.
        mutating func note(_ commit: SharedCommit) {
            guard commit.number > number else { return }
            // A slice would keep the whole line.
            (number, end) = (commit.number, Data(commit.line.suffix(Self.endLength)))
        }

        /// Notes that somebody has the commit with a number, or none where it is zero.
        mutating func expect(_ number: Int) {
            if number > 0 { isExpected = true }
        }
    }
#endif
