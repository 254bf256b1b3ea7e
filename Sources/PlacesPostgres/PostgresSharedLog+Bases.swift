#if Postgres
    import Foundation
    public import PlacesGraph
    import Synchronization

    extension PostgresSharedLog {
        /// The newest base, if it is of a commit after the one with a number.
        ///
        /// Each part is asked for when it is needed. If another base takes its place meanwhile, reading it throws
        /// ``Failure/baseReplaced(_:number:)``.
        ///
        /// - Throws: ``Failure`` or `CancellationError`.
        public func base(after number: Int) async throws -> SharedBase? {
            session.expect(number)
            let found = try await session.run(.again) { [bytes] connection, document in
                let rows = try connection.query(
                    """
                    SELECT number, upload, parts, \(Self.replicated) FROM \(document.table("bases"))
                    WHERE document = $1 AND number > $2
                    """, [.int(document.id), .int(number)])
                guard rows.count == 1 else {
                    return (number: Int, upload: Int, count: Int, values: [SharedValue])?.none
                }
                let upload = try rows.int(0, 1)
                return try (
                    rows.int(0, 0), upload, rows.int(0, 2),
                    document.values(ofBase: upload, connection, fetching: bytes)
                )
            }
            guard let (number, upload, count, values) = found else { return nil }
            let position = Position()
            let parts = AsyncThrowingStream {
                let next = position.next()
                return next < count
                    ? try await self.part(next, of: upload, ofCommit: number) : nil
            }
            return SharedBase(number: number, parts: parts, values: values)
        }

        private func part(_ position: Int, of upload: Int, ofCommit number: Int) async throws
            -> Data
        {
            try await session.run(.again) { connection, document in
                let rows = try connection.query(
                    """
                    SELECT bytes FROM \(document.table("base_parts"))
                    WHERE document = $1 AND upload = $2 AND position = $3
                    """, [.int(document.id), .int(upload), .int(position)])
                guard rows.count == 1 else {
                    throw Failure.baseReplaced(connection.place, number: number)
                }
                return rows.data(0, 0)
            }
        }

        /// Keeps a base in place of the former one, and then forgets commits by the clock of the server.
        ///
        /// It is one transaction, whose parts are sent as they are pulled, over a connection of its own. The former base and
        /// what is forgotten go afterwards, some of it at a time, so that nobody waits for it.
        ///
        /// - Throws: ``Failure``, `CancellationError`, or what the parts or the values throw.
        public func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {
            let (number, values) = (base.number, base.values)
            // Who made the base of commits that the log has lost meanwhile must not keep it.
            let session = Session(server, options, knowing: self.session.latest)
            try await bring(values, over: session)
            let upload = try await session.run(.once) { [session] connection, document in
                try document.check(session.latest, connection)
                return try document.beginBase(number, connection)
            }
            guard let upload else { return }
            var count = 0
            func send(_ bytes: Data) async throws {
                let position = count
                try await session.run(.inTransaction) { connection, document in
                    try document.add(bytes, position, to: upload, connection)
                }
                count += 1
            }
            var waiting = Data()
            for try await part in base.parts {
                waiting += part
                while waiting.count >= Self.partSize {
                    try await send(waiting.prefix(Self.partSize))
                    waiting = Data(waiting.dropFirst(Self.partSize))
                }
            }
            try Task.checkCancellation()
            if !waiting.isEmpty { try await send(waiting) }
            let total = count
            let isKept = try await session.run(.inTransaction) { connection, document in
                try document.lock(connection)
                try document.add(values, ofBase: upload, connection)
                return try document.endBase(number, upload, count: total, connection)
            }
            guard isKept else { return }
            while try await session.run(.again, { try $1.forgetFormerBases($0) }) {}
            while try await session.run(
                .again, { try $1.forget(before: number, olderThan: age, $0) })
            {}
            while try await session.run(.again, { try $1.forgetValues(olderThan: age, $0) }) {}
        }

        /// How many bytes of a base lie in a row.
        private static let partSize = 1 << 20
    }

    extension LogDocument {
        /// Begins a transaction that adds a base; returns what tells its parts from others, nil if it is not wanted.
        fileprivate func beginBase(_ number: Int, _ connection: Connection) throws -> Int? {
            // If the network swallows everything from now on, the server does not wait for hours.
            try connection.run(
                """
                BEGIN ISOLATION LEVEL READ COMMITTED;
                SET LOCAL idle_in_transaction_session_timeout = '5min'
                """)
            let rows = try connection.query(
                """
                SELECT nextval($3::text::regclass)
                FROM \(table("documents")) WHERE id = $1 AND $2 BETWEEN 1 AND last AND NOT EXISTS (
                    SELECT FROM \(table("bases")) WHERE document = $1 AND number >= $2)
                """, [.int(id), .int(number), .text(table("uploads"))])
            guard rows.count == 1 else {
                try connection.run("ROLLBACK")
                return nil
            }
            return try rows.int(0, 0)
        }

        fileprivate func add(
            _ bytes: Data, _ position: Int, to upload: Int, _ connection: Connection
        ) throws {
            try connection.query(
                """
                INSERT INTO \(table("base_parts")) (document, upload, position, bytes)
                VALUES ($1, $2, $3, $4)
                """, [.int(id), .int(upload), .int(position), .bytes(bytes)])
        }

        /// Puts a base in place of the former one, unless another one that is as new was faster.
        fileprivate func endBase(
            _ number: Int, _ upload: Int, count: Int, _ connection: Connection
        ) throws -> Bool {
            let rows = try connection.query(
                """
                INSERT INTO \(table("bases")) AS base (document, number, upload, parts, kept)
                VALUES ($1, $2, $3, $4, now())
                ON CONFLICT (document) DO UPDATE SET number = excluded.number,
                    upload = excluded.upload, parts = excluded.parts, kept = excluded.kept
                WHERE base.number < excluded.number RETURNING \(PostgresSharedLog.durable)
                """, [.int(id), .int(number), .int(upload), .int(count)])
            guard rows.count == 1 else {
                try connection.run("ROLLBACK")
                return false
            }
            try connection.run("COMMIT")
            return true
        }

        /// Forgets some parts of former bases, also of those whose successor was kept by somebody who then died; returns
        /// whether there may be more to forget.
        ///
        /// Parts of others who are adding theirs can't be seen from here, and stay.
        fileprivate func forgetFormerBases(_ connection: Connection) throws -> Bool {
            let (parts, count) = (table("base_parts"), 100)
            let isFormer = """
                document = $1
                AND upload <> (SELECT upload FROM \(table("bases")) WHERE document = $1)
                """
            let rows = try connection.query(
                """
                WITH former AS (
                    SELECT upload, position FROM \(parts) WHERE \(isFormer)
                    ORDER BY upload, position LIMIT \(count)
                ), forgotten AS (
                    DELETE FROM \(parts) AS part USING former WHERE part.document = $1
                        AND part.upload = former.upload AND part.position = former.position
                    RETURNING part.position
                )
                SELECT count(*) FROM forgotten
                """, [.int(id)])
            if try rows.int(0, 0) == count { return true }
            // Who has begun to read a former base must not find it whole, but without its values.
            try connection.query(
                """
                DELETE FROM \(table("base_values")) AS former WHERE \(isFormer) AND NOT EXISTS (
                    SELECT FROM \(parts) AS part
                    WHERE part.document = $1 AND part.upload = former.upload)
                """, [.int(id)])
            return false
        }

        /// Forgets some of the first commits; returns whether there may be more to forget.
        ///
        /// The server's clock may go back, so a commit that is younger keeps all later ones, whatever their age.
        fileprivate func forget(
            before number: Int, olderThan age: Duration, _ connection: Connection
        ) throws -> Bool {
            let rows = try connection.query(
                """
                WITH first AS (
                    SELECT number, added FROM \(table("commits"))
                    WHERE document = $1 AND number < $2 AND number < 1000 +
                        (SELECT min(number) FROM \(table("commits")) WHERE document = $1)
                ), kept AS (
                    SELECT min(number) AS number FROM first
                    WHERE added >= now() - $3 * interval '1 microsecond'
                ), forgotten AS (
                    DELETE FROM \(table("commits")) AS commits USING first, kept
                    WHERE commits.document = $1 AND commits.number = first.number
                        AND commits.number < coalesce(kept.number, $2)
                    RETURNING commits.number
                ), unreferenced AS (
                    DELETE FROM \(table("commit_values")) AS found USING forgotten
                    WHERE found.document = $1 AND found.number = forgotten.number
                )
                SELECT count(*) FROM forgotten
                """, [.int(id), .int(number), .int(age.wholeMicroseconds)])
            return try rows.int(0, 0) == 1_000
        }
    }

    /// Counts what was pulled.
    private final class Position: Sendable {
        private let value = Atomic(0)

        func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
    }

    extension Duration {
        /// In a range that the server can reckon with: three hundred years.
        var wholeMicroseconds: Int {
            let longest = Duration.seconds(10_000_000_000)
            let (seconds, attoseconds) = min(max(self, .zero), longest).components
            return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
        }
    }
#endif
