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
                try await bring(values, over: session, .again)
                let isAdded = try await session.run(.once) { connection, document in
                    try document.add(commits, with: values, after: number, connection)
                }
                guard let isAdded else { continue }
                if isAdded { session.note(commits.last) }
                return isAdded
            }
        }

        /// Brings the bytes of values that are not there yet.
        func bring(
            _ values: [SharedValue], over session: Session, _ repetition: Session.Repetition
        ) async throws {
            guard !values.isEmpty else { return }
            let missing = try await session.run(repetition) { try $1.missing(of: values, $0) }
            for value in values where missing.contains(value.digest) {
                let bytes = try await value.bytes()
                try await session.run(repetition) { try $1.add(bytes, of: value, $0) }
            }
        }
    }

    extension LogDocument {
        /// Those of some values whose bytes are not there.
        fileprivate func missing(
            of values: [SharedValue], _ connection: Connection
        ) throws -> Set<String> {
            let rows = try connection.query(
                """
                SELECT digest FROM unnest($2) AS needed (digest) WHERE NOT EXISTS (
                    SELECT FROM \(table("stored_values")) AS stored
                    WHERE document = $1 AND stored.digest = decode(needed.digest, 'hex'))
                """, [.int(id), .texts(values.map(\.digest))])
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

        /// Lets nobody else add commits or forget values until the transaction ends; returns the number of the last commit.
        func lock(_ connection: Connection) throws -> Int {
            let rows = try connection.query(
                "SELECT last FROM \(table("documents")) WHERE id = $1 FOR UPDATE", [.int(id)])
            guard rows.count == 1 else { throw connection.documentIsGone }
            return try rows.int(0, 0)
        }

        private func begin(_ connection: Connection) throws {
            // Each statement sees what was there when the document was locked.
            try connection.run(
                """
                BEGIN ISOLATION LEVEL READ COMMITTED;
                SET LOCAL idle_in_transaction_session_timeout = '1min'
                """)
        }

        /// Adds commits and what they refer to, in a transaction.
        ///
        /// - Returns: Whether they were added; false if others were first, `nil` if values were forgotten meanwhile.
        fileprivate func add(
            _ commits: [SharedCommit], with values: [SharedValue], after number: Int,
            _ connection: Connection
        ) throws -> Bool? {
            try begin(connection)
            guard try lock(connection) == number else {
                try connection.run("ROLLBACK")
                return false
            }
            guard try missing(of: values, connection).isEmpty,
                try add(commits, after: number, connection)
            else {
                try connection.run("ROLLBACK")
                return nil
            }
            let references = commits.flatMap { commit in
                commit.values.map { (digest: $0.digest, number: commit.number) }
            }
            try connection.query(
                """
                INSERT INTO \(table("commit_values")) (document, digest, number)
                SELECT $1, decode(digest, 'hex'), number
                FROM unnest($2, $3) AS found (digest, number)
                """,
                [.int(id), .texts(references.map(\.digest)), .ints(references.map(\.number))])
            try connection.run("COMMIT")
            return true
        }

        /// Adds what a base refers to.
        func add(
            _ values: [SharedValue], ofBase upload: Int, _ connection: Connection
        ) throws {
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

        /// Forgets some values to which nothing refers; returns whether there may be more of them.
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
                SELECT digest FROM \(table("stored_values")) AS stored WHERE document = $1
                AND added < now() - $2 * interval '1 microsecond' AND \(isUnused) LIMIT 1000
                """, [.int(id), .int(age.wholeMicroseconds)])
            guard rows.count > 0 else { return false }
            let digests = (0..<rows.count).map { rows.data($0, 0) }
            // Somebody may refer to them again by now, but to none of them while the document is locked.
            try begin(connection)
            _ = try lock(connection)
            try connection.query(
                """
                DELETE FROM \(table("stored_values")) AS stored
                WHERE document = $1 AND digest = ANY ($2) AND \(isUnused)
                """, [.int(id), .list(digests)])
            try connection.run("COMMIT")
            return rows.count == 1_000
        }
    }
#endif
