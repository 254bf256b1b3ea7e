#if Postgres
    import Foundation
    import PlacesGraph
    @testable import PlacesPostgres
    import Testing

    extension PostgresTests {
        /// A server that has to wait for a standby, and is told not to: what it has then may be lost when the standby takes
        /// over, though the server takes it for committed.
        @Suite struct ReplicationTests {
            /// Makes a log with three commits.
            private func log(
                _ settings: String = ""
            ) async throws -> (PostgresSharedLog, document: String) {
                let document = UUID().uuidString
                let log = try TestServer.log(
                    "application_name=waiting \(settings)", document: document)
                #expect(try await log.append(SharedCommit.after(0, 3), after: 0))
                return (log, document)
            }

            /// The same log for somebody else, who does not wait for long.
            private func impatientLog(_ document: String) throws -> PostgresSharedLog {
                try TestServer.log(document: document) { $0.timeout = .milliseconds(500) }
            }

            /// Adds the fourth commit while the server is told not to wait; returns by which failure that ends.
            private func appendWithoutWaiting(to log: PostgresSharedLog) async throws -> String? {
                async let failure = nameOfFailure {
                    _ = try await log.append(SharedCommit.after(3), after: 3)
                }
                try await cancelWait()
                return await failure
            }

            /// Runs a test while no standby is there for which the server waits.
            private func withoutStandby(_ body: () async throws -> Void) async throws {
                try await waitFor("'nobody'")
                do { try await body() } catch {
                    try await waitFor("''")
                    throw error
                }
                try await waitFor("''")
            }

            private func waitFor(_ standbys: String) async throws {
                try TestServer.run("ALTER SYSTEM SET synchronous_standby_names = \(standbys)")
                try TestServer.run("SELECT pg_reload_conf()")
                try await eventually("the server's setting") {
                    try TestServer.run(
                        "SELECT current_setting('synchronous_standby_names') = \(standbys)"
                    ).bool(0, 0)
                }
            }

            /// Tells the server not to wait any longer for what the log has asked for.
            private func cancelWait() async throws {
                let process = try await waitingProcess()
                try TestServer.run("SELECT pg_cancel_backend($1::int)", [.int(process)])
            }

            /// The process of the server that waits for a standby with what the log has asked for.
            private func waitingProcess(not former: Int = 0) async throws -> Int {
                var process = 0
                try await eventually("a wait for a standby") {
                    let rows = try TestServer.run(
                        """
                        SELECT pid FROM pg_stat_activity WHERE application_name = 'waiting'
                        AND wait_event = 'SyncRep' AND pid <> $1
                        """, [.int(former)])
                    if rows.count > 0 { process = try rows.int(0, 0) }
                    return process != 0
                }
                return process
            }

            /// Waits until no request waits for a standby.
            private func endOfWaits() async throws {
                try await eventually("the end of all waits") {
                    try TestServer.run(
                        """
                        SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
                        AND backend_type = 'client backend'
                        """
                    ).int(0, 0) == 0
                }
            }

            @Test(arguments: ["", "options='-c client_min_messages=error'"])
            func `an append is not acknowledged if the wait for a standby was cancelled`(
                settings: String
            ) async throws {
                let (log, _) = try await log(settings)
                try await withoutStandby {
                    let failure = try await appendWithoutWaiting(to: log)
                    #expect(failure == "notReplicated")
                }
                // It is there nevertheless.
                #expect(try await !log.append(SharedCommit.after(3), after: 3))
                #expect(try await log.commits(after: 0).count == 4)
            }

            @Test func `a commit that no standby has is not read, also by others`() async throws {
                let (log, document) = try await log()
                let other = try impatientLog(document)
                try await withoutStandby {
                    _ = try await appendWithoutWaiting(to: log)
                    for _ in 0..<2 {
                        #expect(
                            await nameOfFailure { _ = try await other.commits(after: 3) }
                                == "noAnswer")
                    }
                    #expect(try await other.commits(after: 4).isEmpty)
                }
                #expect(try await other.commits(after: 3) == SharedCommit.after(3))
            }

            @Test func `reads that are given up leave nothing behind at the server`() async throws {
                let (log, document) = try await log()
                let other = try impatientLog(document)
                try await withoutStandby {
                    _ = try await appendWithoutWaiting(to: log)
                    for _ in 0..<3 {
                        #expect(
                            await nameOfFailure { _ = try await other.commits(after: 3) }
                                == "noAnswer")
                    }
                    let reading = Task { try await log.commits(after: 3) }
                    _ = try await waitingProcess()
                    reading.cancel()
                    await #expect(throws: CancellationError.self) { try await reading.value }
                    try await endOfWaits()
                }
                #expect(try await other.commits(after: 3) == SharedCommit.after(3))
            }

            @Test func `who opens a document while no standby is there leaves nothing behind`()
                async throws
            {
                _ = try await log()
                let document = UUID().uuidString
                try await withoutStandby {
                    #expect(
                        await nameOfFailure {
                            _ = try await impatientLog(document).claimRange()
                        } == "noAnswer")
                    try await endOfWaits()
                }
                #expect(try await impatientLog(document).claimRange() > 0)
            }

            @Test func `what a killed server had and no standby has is not read when it is back`()
                async throws
            {
                let (log, document) = try await log()
                let other = try impatientLog(document)
                try await withoutStandby {
                    async let failure = nameOfFailure {
                        _ = try await log.append(SharedCommit.after(3), after: 3)
                    }
                    _ = try await waitingProcess()
                    try await TestServer.restart()
                    #expect(await failure == "connectionLost")
                    #expect(
                        await nameOfFailure { _ = try await other.commits(after: 3) } == "noAnswer")
                }
                #expect(try await other.commits(after: 3) == SharedCommit.after(3))
            }

            @Test func `a base that no standby has is not read`() async throws {
                let (log, document) = try await log()
                let other = try impatientLog(document)
                let base = SharedBase(
                    number: 3, parts: AsyncThrowingStream { $0.finish() }, values: [])
                try await withoutStandby {
                    async let failure = nameOfFailure {
                        try await log.keep(base, forgettingAfter: .seconds(100))
                    }
                    try await cancelWait()
                    #expect(await failure == "notReplicated")
                    #expect(
                        await nameOfFailure { _ = try await other.base(after: 0) } == "noAnswer")
                }
                #expect(try await other.base(after: 0)?.number == 3)
            }

            @Test func `a range is claimed anew if the wait for a standby was cancelled`()
                async throws
            {
                let (log, _) = try await log()
                var range: Task<Int, any Error>?
                try await withoutStandby {
                    range = Task { try await log.claimRange() }
                    let process = try await waitingProcess()
                    try await cancelWait()
                    // By now it waits for another one.
                    _ = try await waitingProcess(not: process)
                }
                // One is lost, for nobody knows whether somebody else will be given it.
                #expect(try await range?.value == 2)
            }
        }
    }
#endif
