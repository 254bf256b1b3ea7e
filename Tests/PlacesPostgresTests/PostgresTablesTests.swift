#if Postgres
    import Foundation
    import PlacesGraph
    @testable import PlacesPostgres
    import Testing

    extension PostgresTests {
        /// Tables that create themselves, and what lies in them.
        @Suite struct TablesTests {
            private typealias Failure = PostgresSharedLog.Failure

            private func newNamespace() -> String { "test-\(UUID().uuidString.prefix(8))" }

            private func remove(_ namespace: String) throws {
                try TestServer.run("DROP SCHEMA \(LogTables.quoted(namespace)) CASCADE")
            }

            @Test func `eight that begin at once create the tables once`() async throws {
                for namespace in (0..<12).map({ _ in newNamespace() }) {
                    let ranges = try await withThrowingTaskGroup { group in
                        for _ in 0..<8 {
                            let log = try TestServer.log(document: "a") { $0.namespace = namespace }
                            group.addTask { try await log.claimRange() }
                        }
                        return try await group.reduce(into: Set()) { $0.insert($1) }
                    }
                    #expect(ranges == Set(1...8))
                    try remove(namespace)
                }
            }

            @Test func `a namespace can have any name`() async throws {
                let namespace = #"ö"'\ ;"# + newNamespace()
                for _ in 0..<2 {
                    let log = try TestServer.log(document: "a") { $0.namespace = namespace }
                    let commits = try await log.allCommits()
                    let batch = SharedCommit.after(commits.count, 2)
                    #expect(try await log.append(batch, after: commits.count))
                }
                try remove(namespace)
            }

            @Test func `documents with any names lie beside each other`() async throws {
                let names = ["a", "A", "a'", #"a""#, "ä", "a\u{308}", "🏔️", " a", "%s", "a\n"]
                let namespace = newNamespace()
                let logs = try names.map { name in
                    try TestServer.log(document: name) { $0.namespace = namespace }
                }
                for (index, log) in logs.enumerated() {
                    #expect(try await log.append(SharedCommit.after(0, index + 1), after: 0))
                }
                for (index, log) in logs.enumerated() {
                    #expect(try await log.allCommits().count == index + 1)
                }
                try remove(namespace)
            }

            @Test func `who has commits makes no tables in place of those that were removed`()
                async throws
            {
                let namespace = newNamespace()
                let log = try TestServer.log(document: "a") { $0.namespace = namespace }
                #expect(try await log.append(SharedCommit.after(0, 2), after: 0))
                var arrivals = log.arrivals().makeAsyncIterator()
                #expect(await arrivals.next() != nil)
                try remove(namespace)
                // The first one finds out over the connection that it has, and the second one over its own.
                #expect(await nameOfFailure { _ = try await log.commits(after: 2) } != nil)
                for _ in 0..<2 {
                    #expect(
                        await nameOfFailure { _ = try await log.commits(after: 2) }
                            == "documentRemoved")
                }
                let found = try TestServer.run(
                    "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = $1",
                    [.text(namespace)])
                #expect(try found.int(0, 0) == 0)
                let other = try TestServer.log(document: "a") { $0.namespace = namespace }
                #expect(try await other.claimRange() == 1)
                try remove(namespace)
            }

            @Test
            func
                `who was just started and has commits makes no tables in place of those that were removed`()
                async throws
            {
                let namespace = newNamespace()
                func newLog() throws -> PostgresSharedLog {
                    try TestServer.log(document: "a") { $0.namespace = namespace }
                }
                #expect(try await newLog().append(SharedCommit.after(0, 2), after: 0))
                try remove(namespace)
                let listener = try newLog()
                var arrivals = listener.arrivals().makeAsyncIterator()
                let calls: [(PostgresSharedLog) async throws -> Void] = [
                    { _ = try await $0.commits(after: 1) },
                    { _ = try await $0.append(SharedCommit.after(2), after: 2) },
                    { _ = try await $0.base(after: 2) },
                ]
                for call in calls {
                    let log = try newLog()
                    for _ in 0..<2 {
                        #expect(await nameOfFailure { try await call(log) } == "documentRemoved")
                    }
                    #expect(
                        await nameOfFailure { _ = try await log.claimRange() } == "documentRemoved")
                }
                let found = try TestServer.run(
                    "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = $1",
                    [.text(namespace)])
                #expect(try found.int(0, 0) == 0)
                // Who has none of them may begin anew, and then others hear of it.
                #expect(try await newLog().commits(after: 0).isEmpty)
                #expect(await arrivals.next() != nil)
                try remove(namespace)
            }

            @Test func `tables of a newer version are left alone`() async throws {
                let namespace = newNamespace()
                let log = try TestServer.log(document: "a") { $0.namespace = namespace }
                _ = try await log.claimRange()
                try TestServer.run(
                    "UPDATE \(LogTables.quoted(namespace)).version SET version = 99")
                let late = try TestServer.log(document: "a") { $0.namespace = namespace }
                #expect(await nameOfFailure { _ = try await late.claimRange() } == "newerTables")
                try remove(namespace)
            }

            @Test func `who may only read and write rows can use tables that are there`()
                async throws
            {
                let namespace = newNamespace()
                let quoted = LogTables.quoted(namespace)
                _ = try await TestServer.log(document: "a") { $0.namespace = namespace }
                    .claimRange()
                try TestServer.run("DROP ROLE IF EXISTS guest")
                try TestServer.run("CREATE ROLE guest LOGIN PASSWORD 'guest'")
                try TestServer.run("GRANT USAGE ON SCHEMA \(quoted) TO guest")
                try TestServer.run(
                    """
                    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(quoted) TO guest
                    """)
                try TestServer.run("GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(quoted) TO guest")
                let log = try TestServer.log("user=guest password=guest", document: "b") {
                    $0.namespace = namespace
                }
                #expect(try await log.append(SharedCommit.after(0, 3), after: 0))
                try await log.keep(.of(["x"], at: 3), forgettingAfter: .zero)
                #expect(try await log.allCommits().map(\.number) == [3])
                try remove(namespace)
                try TestServer.run("DROP ROLE guest")
            }

            @Test func `the end of a line is read without the rest of it`() async throws {
                let namespace = newNamespace()
                let log = try TestServer.log(document: "a") { $0.namespace = namespace }
                _ = try await log.claimRange()
                let rows = try TestServer.run(
                    """
                    SELECT count(*) FILTER (WHERE attstorage = 'e'), count(*)
                    FROM pg_catalog.pg_attribute AS column_
                    JOIN pg_catalog.pg_class AS table_ ON table_.oid = column_.attrelid
                    JOIN pg_catalog.pg_namespace AS schema ON schema.oid = table_.relnamespace
                    WHERE schema.nspname = $1 AND table_.relname LIKE 'commits%' AND attname = 'line'
                    """, [.text(namespace)])
                // The table, and its parts.
                #expect(try (rows.int(0, 0), rows.int(0, 1)) == (17, 17))
                try remove(namespace)
            }

            @Test func `pages are bounded, but a commit of any size comes`() async throws {
                let log = try TestServer.log()
                #expect(try await log.append(SharedCommit.after(0, 2_500), after: 0))
                #expect(try await log.commits(after: 0).count == 1_000)
                let text = String(repeating: "0123456789abcdef", count: 1 << 18)
                var last = 2_500
                for _ in 0..<3 {
                    let commits = SharedCommit.after(last, 2, text: text)
                    #expect(try await log.append(commits, after: last))
                    last += 2
                }
                #expect(try await log.commits(after: 2_500).count <= 2)
                let large = SharedCommit.after(last, text: String(repeating: text, count: 6))
                #expect(try await log.append(large, after: last))
                #expect(try await log.commits(after: last) == large)
                let commits = try await log.allCommits()
                #expect(commits.map(\.number).elementsEqual(1...2_507))
            }
        }
    }

    extension SharedBase {
        /// A base with parts that are there already.
        static func of(_ parts: [String], at number: Int) -> SharedBase {
            SharedBase(
                number: number,
                parts: AsyncThrowingStream { continuation in
                    for part in parts { continuation.yield(Data(part.utf8)) }
                    continuation.finish()
                }, values: [])
        }
    }
#endif
