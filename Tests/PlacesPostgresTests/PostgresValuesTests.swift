#if Postgres
    import Foundation
    import PlacesGraph
    @testable import PlacesPostgres
    import Synchronization
    import Testing

    extension PostgresTests {
        /// Bytes to which commits and bases refer.
        @Suite struct ValuesTests {
            private func value(
                _ bytes: Data, onAsking: @escaping @Sendable () async throws -> Void = {}
            ) -> SharedValue {
                let digest = bytes.withUnsafeBytes(SharedValue.digest)
                return SharedValue(digest: digest, byteCount: bytes.count) {
                    try await onAsking()
                    return bytes
                }
            }

            private func commit(_ number: Int, _ values: [SharedValue]) -> SharedCommit {
                SharedCommit(
                    opening: 1, sequence: Int64(number), number: number, change: "\(number)",
                    values: values)
            }

            private func base(at number: Int, _ values: [SharedValue]) -> SharedBase {
                SharedBase(number: number, [0x30], values: values)
            }

            /// The first bytes of all values of a log's document that the database has, as text.
            private func stored(_ document: String) throws -> [String] {
                let rows = try TestServer.run(
                    """
                    SELECT substring(bytes for 1) FROM placeskit.stored_values
                    JOIN placeskit.documents ON document = id WHERE name = $1 ORDER BY 1
                    """, [.text(document)])
                return (0..<rows.count).map { rows.text($0, 0) }
            }

            @Test func `the database has values as long as a commit or the base refers to them`()
                async throws
            {
                let name = UUID().uuidString
                let log = try TestServer.log(document: name)
                let values = ["a", "b", "c", "d"].map { value(Data($0.utf8)) }
                for (index, value) in values.enumerated() {
                    #expect(try await log.append([commit(index + 1, [value])], after: index))
                }
                // What somebody brought who then died; nobody refers to it.
                try TestServer.run(
                    """
                    INSERT INTO placeskit.stored_values (document, digest, added, bytes)
                    SELECT id, 'x', now() - interval '1 day', 'x' FROM placeskit.documents
                    WHERE name = $1
                    """, [.text(name)])
                try await log.keep(base(at: 3, [values[0]]), forgettingAfter: .seconds(3_600))
                #expect(try stored(name) == ["a", "b", "c", "d"])
                try await log.keep(base(at: 4, [values[1]]), forgettingAfter: .zero)
                #expect(try stored(name) == ["b", "d"])
            }

            @Test func `much that nobody refers to goes in parts`() async throws {
                let name = UUID().uuidString
                let log = try TestServer.log(document: name)
                let large = (0..<4).map { value(Data(repeating: $0, count: 7_000_000)) }
                let small = (0..<1_200).map { value(Data("small \($0)".utf8)) }
                #expect(try await log.append([commit(1, large + small)], after: 0))
                #expect(try await log.append([commit(2, [])], after: 1))
                #expect(try stored(name).count == 1_204)
                try await log.keep(base(at: 2, []), forgettingAfter: .zero)
                #expect(try stored(name).isEmpty)
            }

            @Test func `a value that is forgotten while others are brought comes again`()
                async throws
            {
                let name = UUID().uuidString
                let (log, other) = (
                    try TestServer.log(document: name), try TestServer.log(document: name)
                )
                let asked = Atomic(0)
                let old = value(Data("old".utf8)) { asked.add(1, ordering: .relaxed) }
                #expect(try await log.append([commit(1, [old])], after: 0))
                #expect(try await log.append([commit(2, [])], after: 1))
                let new = value(Data("new".utf8)) {
                    // Nothing refers to the old one by now, nor yet.
                    try await other.keep(base(at: 2, []), forgettingAfter: .zero)
                }
                #expect(try await log.append([commit(3, [old, new])], after: 2))
                #expect(asked.load(ordering: .relaxed) == 2)
                #expect(try stored(name) == ["n", "o"])
                let found = try await other.commits(after: 2)
                for (value, text) in zip(found.flatMap(\.values), ["old", "new"]) {
                    #expect(try await value.bytes() == Data(text.utf8))
                }
            }

            @Test func `who was slower brings values in vain, and adds nothing`() async throws {
                let name = UUID().uuidString
                let (log, other) = (
                    try TestServer.log(document: name), try TestServer.log(document: name)
                )
                let bytes = value(Data("a".utf8)) {
                    _ = try await other.append([commit(1, [])], after: 0)
                }
                #expect(try await !log.append([commit(1, [bytes])], after: 0))
                #expect(try await log.allCommits() == [commit(1, [])])
                #expect(try await log.append([commit(2, [bytes])], after: 1))
            }

            @Test func `tables of the first version get what they lack, and keep what they have`()
                async throws
            {
                let namespace = "test-\(UUID().uuidString.prefix(8))"
                let schema = LogTables.quoted(namespace)
                func log() throws -> PostgresSharedLog {
                    try TestServer.log(document: "a") { $0.namespace = namespace }
                }
                #expect(try await log().append(SharedCommit.after(0, 3), after: 0))
                try await log().keep(base(at: 2, []), forgettingAfter: .seconds(60))
                for table in ["stored_values", "commit_values", "base_values"] {
                    try TestServer.run("DROP TABLE \(schema).\(table)")
                }
                try TestServer.run("ALTER TABLE \(schema).documents DROP COLUMN sweeps")
                try TestServer.run("UPDATE \(schema).version SET version = 1")
                let found = try log()
                #expect(try await found.allCommits() == SharedCommit.after(0, 3))
                #expect(try await found.base(after: 0)?.number == 2)
                let value = value(Data("a".utf8))
                #expect(try await found.append([commit(4, [value])], after: 3))
                let bytes = try await found.commits(after: 3).first?.values.first?.bytes()
                #expect(bytes == Data("a".utf8))
                try TestServer.run("DROP SCHEMA \(schema) CASCADE")
            }
        }
    }
#endif
