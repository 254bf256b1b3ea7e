#if Postgres
    import Foundation
    import PlacesGraph
    @testable import PlacesPostgres
    import Testing

    extension PostgresTests {
        /// What is wrong, told without what nobody may see.
        @Suite struct FailureTests {
            private typealias Failure = PostgresSharedLog.Failure
            private static let secret = "xyzzy-plugh"

            /// The failure of a log, which does not tell the secret.
            private func failure(
                _ connection: String, document: String = "trips"
            ) async throws -> Failure? {
                let error = await #expect(throws: Failure.self) {
                    _ = try await TestServer.log(connection, document: document) {
                        $0.timeout = .seconds(2)
                    }.commits(after: 0)
                }
                let texts = [
                    error?.description, error?.localizedDescription, error.map { "\($0)" },
                ]
                .compactMap(\.self)
                for text in texts + [error.debugDescription, String(reflecting: error)] {
                    #expect(!text.contains("plugh") && !text.contains(TestServer.password))
                }
                return error
            }

            @Test(arguments: [
                "password=\(secret)", "host=127.0.0.1 password=\(secret)",
                "postgresql://owner:\(secret)@127.0.0.1:\(TestServer.port)/postgres",
                "user=\(secret) password=\(secret)", "dbname=\(secret) password=\(secret)",
            ])
            func `a wrong password is told of without it`(connection: String) async throws {
                guard case .notConnected(let place, let reason)? = try await failure(connection)
                else {
                    Issue.record("it is no such failure")
                    return
                }
                #expect(place.host == "127.0.0.1" && place.port == TestServer.port)
                #expect(reason.contains("authentication failed"))
            }

            @Test(arguments: [
                "password=\(secret) x", "postgresql://owner:\(secret)@[x", "password='\(secret)",
                "\(secret)=1", "postgresql://host/db?\(secret)=%ZZ", "host=127.0.0.1\0\(secret)",
                "dbname=postgresql://owner:\(secret)@host/db", "dbname='postgres://a:\(secret)@b'",
                "dbname='host=b password=\(secret)'", "dbname=' postgres://a:\(secret)@b'",
            ])
            func `a connection string that is none is told of without it`(
                connection: String
            ) async throws {
                #expect(try await failure(connection) == .unreadableConnection)
            }

            @Test func `nobody there is told of with the place`() async throws {
                let found = try await failure("port=1 dbname=places password=\(Self.secret)")
                #expect(
                    found?.description.contains(
                        "“trips” in the database “places” at 127.0.0.1:1 can't be reached")
                        == true, "\(found.debugDescription)")
                let hosts = try await failure("host=127.0.0.1,127.0.0.1 port=1,2")
                #expect(hosts?.description.contains("127.0.0.1,127.0.0.1:1,2") == true)
            }

            @Test func `a server that is not written is told of`() async throws {
                let settings = "options='-c default_transaction_read_only=on'"
                _ = try await TestServer.log().commits(after: 0)
                guard case .notConnected? = try await failure(settings) else {
                    Issue.record("libpq finds nobody else")
                    return
                }
                let document = UUID().uuidString
                _ = try await TestServer.log(document: document).commits(after: 0)
                let log = try TestServer.log(
                    settings + " target_session_attrs=any", document: document)
                #expect(
                    await nameOfFailure {
                        _ = try await log.append(SharedCommit.after(0), after: 0)
                    }
                        == "readOnly")
            }

            @Test func `a database that has no right for us is told of`() async throws {
                try TestServer.run("DROP ROLE IF EXISTS stranger")
                try TestServer.run("CREATE ROLE stranger LOGIN PASSWORD '\(Self.secret)'")
                _ = try await TestServer.log().commits(after: 0)
                let found = try await failure("user=stranger password=\(Self.secret)")
                guard case .refused(_, "42501", _)? = found else {
                    Issue.record("\(found.debugDescription)")
                    return
                }
            }

            @Test func `names that no server can keep are told of at once`() throws {
                for document in ["", "a\0b"] {
                    #expect(throws: Failure.self) { try PostgresSharedLog(document: document) }
                }
                #expect(throws: Failure.self) {
                    try TestServer.log { $0.namespace = String(repeating: "é", count: 21) }
                }
            }

            @Test func `a damaged line is told of with its number`() async throws {
                let document = UUID().uuidString
                let log = try TestServer.log(document: document)
                _ = try await log.append(SharedCommit.after(0, 3), after: 0)
                try TestServer.run(
                    """
                    UPDATE placeskit.commits SET line = 'x' WHERE number = 2 AND document =
                        (SELECT id FROM placeskit.documents WHERE name = $1)
                    """, [.text(document)])
                #expect(await nameOfFailure { _ = try await log.commits(after: 0) } == "damaged")
                #expect(try await log.commits(after: 2).map(\.number) == [3])
            }

            @Test func `a document that was removed is told of`() async throws {
                let document = UUID().uuidString
                let log = try TestServer.log(document: document)
                let other = try TestServer.log(document: document)
                _ = try await log.append(SharedCommit.after(0, 3), after: 0)
                _ = try await other.claimRange()
                try TestServer.run(
                    "DELETE FROM placeskit.documents WHERE name = $1", [.text(document)])
                #expect(try await !log.append(SharedCommit.after(3), after: 3))
                #expect(
                    await nameOfFailure { _ = try await log.commits(after: 3) }
                        == "documentRemoved")
                #expect(
                    await nameOfFailure { _ = try await other.claimRange() } == "documentRemoved")
                // Who knows commits of it puts no other one in its place.
                #expect(
                    await nameOfFailure { _ = try await log.claimRange() } == "documentRemoved")
            }

            @Test func `a service file and a password file lead to the server`() async throws {
                try await withFolder { folder in
                    let service = folder.appending(path: "services")
                    try Data(
                        """
                        [places]
                        host=127.0.0.1
                        port=\(TestServer.port)
                        user=owner
                        dbname=postgres
                        """.utf8
                    ).write(to: service)
                    let passwords = folder.appending(path: "passwords")
                    try Data("*:*:*:*:\(TestServer.password)\n".utf8).write(to: passwords)
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o600], ofItemAtPath: passwords.path())
                    await #expect(processExitsWith: .success) {
                        [
                            service = service.path() as String,
                            passwords = passwords.path() as String
                        ] in
                        for name in ["PGHOST", "PGPORT", "PGUSER", "PGDATABASE", "PGPASSWORD"] {
                            unsetenv(name)
                        }
                        setenv("PGSERVICEFILE", service, 1)
                        let log = try PostgresSharedLog(
                            "service=places passfile=\(passwords)", document: "served")
                        _ = try await log.claimRange()
                    }
                }
            }

            @Test(.enabled(if: TestServer.environment["PLACESKIT_POSTGRES_ROOT"] != nil))
            func `a server's certificate is checked as libpq does it`() async throws {
                let root = TestServer.environment["PLACESKIT_POSTGRES_ROOT"] ?? ""
                let log = try TestServer.log("sslmode=verify-full sslrootcert=\(root)")
                _ = try await log.append(SharedCommit.after(0, 3), after: 0)
                let found = try await failure("sslmode=verify-full sslrootcert=system-is-none")
                guard case .notConnected(_, let reason)? = found else {
                    Issue.record("\(found.debugDescription)")
                    return
                }
                #expect(reason.contains("certificate"))
            }
        }
    }
#endif
