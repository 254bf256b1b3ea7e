#if Postgres
    import Foundation
    import PlacesGraph

    extension PostgresSharedLog {
        typealias Fetch = @Sendable (_ digest: String) async throws -> Data

        /// Fetches the bytes of values by their digests.
        var bytes: Fetch {
            { [session] digest in
                try await session.run(.again) { try $1.bytes(of: digest, $0) }
            }
        }

        /// Adds commits that refer to values, whose bytes are there by then.
        func append(_ commits: [SharedCommit], withValuesAfter number: Int) async throws -> Bool {
            let values = Array(Set(commits.flatMap(\.values)))
            while true {
                let sweeps = try await bring(values, over: session)
                let isAdded = try await session.run(.once) { [session] connection, document in
                    try document.add(
                        commits, after: number, since: sweeps, knowing: session.latest, connection)
                }
                if isAdded {
                    session.note(commits.last)
                    return true
                }
                // Others were first, unless values were forgotten meanwhile, or lost by a server that was killed.
                let head = try await session.run(.again) { [session] connection, document in
                    try document.check(session.latest, connection)
                    return try document.head(connection)
                }
                guard head.last == number else { return false }
            }
        }

        /// Brings the bytes of values that are not there; returns how often values had been forgotten before.
        @discardableResult
        func bring(_ values: [SharedValue], over session: Session) async throws -> Int {
            let (sweeps, missing) = try await session.run(.again) { connection, document in
                // In this order: what is forgotten in between is noticed.
                (
                    try document.head(connection).sweeps,
                    try document.missing(of: values, connection)
                )
            }
            for value in values where missing.contains(value.digest) {
                let bytes = try await value.bytes()
                try await session.run(.again) { try $1.add(bytes, of: value, $0) }
            }
            return sweeps
        }
    }

    extension LogDocument {
        /// Those of some values whose bytes are not there.
        fileprivate func missing(
            of values: [SharedValue], _ connection: Connection
        ) throws -> Set<String> {
            let rows = try connection.query(
                tables.missing(in: "$2"), [.int(id), .texts(values.map(\.digest))])
            return Set((0..<rows.count).map { rows.text($0, 0) })
        }

        fileprivate func add(
            _ bytes: Data, of value: SharedValue, _ connection: Connection
        ) throws {
            try connection.checkSize(bytes.count)
            try connection.query(
                """
                INSERT INTO \(table("stored_values")) (document, digest, added, bytes)
                VALUES ($1, decode($2, 'hex'), clock_timestamp(), $3) ON CONFLICT DO NOTHING
                """, [.int(id), .text(value.digest), .bytes(bytes)])
        }

        fileprivate func bytes(of digest: String, _ connection: Connection) throws -> Data {
            let rows = try connection.query(
                """
                SELECT bytes FROM \(table("stored_values"))
                WHERE document = $1 AND digest = decode($2, 'hex')
                """, [.int(id), .text(digest)])
            guard rows.count == 1 else {
                throw PostgresSharedLog.Failure.valueForgotten(connection.place, digest: digest)
            }
            return rows.data(0, 0)
        }

        /// The number of the last commit, and how often values were forgotten.
        fileprivate func head(_ connection: Connection) throws -> (last: Int, sweeps: Int) {
            let rows = try connection.query(
                "SELECT last, sweeps FROM \(table("documents")) WHERE id = $1", [.int(id)])
            guard rows.count == 1 else { throw connection.documentIsGone }
            return (try rows.int(0, 0), try rows.int(0, 1))
        }

        /// Lets nobody else add commits, keep a base or forget values until the transaction ends.
        ///
        /// Each later statement sees what others did before. A process that stops does not keep them waiting for long.
        func lock(_ connection: Connection) throws {
            try connection.run("SET LOCAL idle_in_transaction_session_timeout = '5s'")
            try connection.query(
                "SELECT FROM \(table("documents")) WHERE id = $1 FOR UPDATE", [.int(id)])
        }

        /// Adds what a base refers to, while the document is locked.
        ///
        /// - Throws: `Failure.valueForgotten` where bytes were forgotten since they were brought.
        func add(
            _ values: [SharedValue], ofBase upload: Int, _ connection: Connection
        ) throws {
            guard !values.isEmpty else { return }
            if let digest = try missing(of: values, connection).first {
                throw PostgresSharedLog.Failure.valueForgotten(connection.place, digest: digest)
            }
            try connection.query(
                """
                INSERT INTO \(table("base_values")) (document, digest, upload, size)
                SELECT $1, decode(digest, 'hex'), $2, size
                FROM unnest($3, $4) AS found (digest, size)
                """,
                [
                    .int(id), .int(upload), .texts(values.map(\.digest)),
                    .ints(values.map(\.byteCount)),
                ])
        }

        /// What a base refers to.
        func values(
            ofBase upload: Int, _ connection: Connection,
            fetching bytes: @escaping PostgresSharedLog.Fetch
        ) throws -> [SharedValue] {
            let rows = try connection.query(
                """
                SELECT encode(digest, 'hex'), size FROM \(table("base_values"))
                WHERE document = $1 AND upload = $2
                """, [.int(id), .int(upload)])
            return try (0..<rows.count).map { row in
                let digest = rows.text(row, 0)
                return SharedValue(digest: digest, byteCount: try rows.int(row, 1)) {
                    try await bytes(digest)
                }
            }
        }

        /// Forgets some values to which nothing refers, a few megabytes; returns whether there may be more of them.
        ///
        /// Those that are younger stay, for who brought them may be about to add a commit.
        func forgetValues(olderThan age: Duration, _ connection: Connection) throws -> Bool {
            let isUnused = """
                NOT EXISTS (SELECT FROM \(table("commit_values")) AS used
                    WHERE used.document = $1 AND used.digest = stored.digest)
                AND NOT EXISTS (SELECT FROM \(table("base_values")) AS used
                    WHERE used.document = $1 AND used.digest = stored.digest)
                """
            let rows = try connection.query(
                """
                SELECT digest FROM (
                    SELECT digest, row_number() OVER page AS position,
                        sum(octet_length(bytes)) OVER page - octet_length(bytes) AS size
                    FROM \(table("stored_values")) AS stored WHERE document = $1
                        AND added < now() - $2 * interval '1 microsecond' AND \(isUnused)
                    WINDOW page AS (ORDER BY digest)
                ) AS unused WHERE position <= 1000 AND size < 16777216
                """, [.int(id), .int(age.wholeMicroseconds)])
            guard rows.count > 0 else { return false }
            let digests = (0..<rows.count).map { rows.data($0, 0) }
            try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
            try lock(connection)
            // Somebody may refer to them again by now, or be about to.
            try connection.query(
                "UPDATE \(table("documents")) SET sweeps = sweeps + 1 WHERE id = $1", [.int(id)])
            try connection.query(
                """
                DELETE FROM \(table("stored_values")) AS stored
                WHERE document = $1 AND digest = ANY ($2) AND \(isUnused)
                """, [.int(id), .list(digests)])
            try connection.run("COMMIT")
            return true
        }
    }
#endif
