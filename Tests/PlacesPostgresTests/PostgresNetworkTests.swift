#if Postgres
    import Foundation
    import PlacesGraph
    import PlacesPostgres
    import Testing

    extension PostgresTests {
        /// What a network does, and a server that dies.
        @Suite struct NetworkTests {
            private typealias Failure = PostgresSharedLog.Failure

            /// Runs a test with a log that is reached through a proxy, and has three commits.
            private func withProxy(
                timeout: Duration = .seconds(10),
                _ body: (PostgresSharedLog, LoopbackProxy) async throws -> Void
            ) async throws {
                let proxy = try LoopbackProxy(to: TestServer.port)
                defer { proxy.close() }
                let log = try TestServer.log(proxy.connection) { $0.timeout = timeout }
                #expect(try await log.append(SharedCommit.after(0, 3), after: 0))
                try await body(log, proxy)
            }

            @Test func `a network that swallows everything is an error in time`() async throws {
                try await withProxy(timeout: .milliseconds(300)) { log, proxy in
                    proxy.set(.swallows)
                    let start = ContinuousClock.now
                    #expect(
                        await nameOfFailure {
                            _ = try await log.append(SharedCommit.after(3), after: 3)
                        }
                            == "noAnswer")
                    #expect(ContinuousClock.now - start < .seconds(5))
                    // Now nobody answers who connects.
                    #expect(
                        await nameOfFailure { _ = try await log.commits(after: 0) }
                            == "notConnected")
                    proxy.set(.passes)
                    let commits = try await log.commits(after: 0)
                    #expect(commits.count >= 3)
                }
            }

            @Test func `a server is reached, however long it may take to answer`() async throws {
                let log = try TestServer.log { $0.timeout = .seconds(1 << 40) }
                #expect(try await log.claimRange() == 1)
            }

            private func failure(raising code: String) async -> String? {
                let raising = "BEGIN RAISE EXCEPTION USING ERRCODE = '\(code)'; END"
                return await nameOfFailure { _ = try TestServer.run("DO $$ \(raising) $$") }
            }

            @Test(arguments: ["57P01", "57P02", "57P03", "57P05", "08006"])
            func `what ends a connection is no refusal of what was asked`(code: String) async {
                #expect(await failure(raising: code) == "connectionLost")
            }

            @Test(arguments: ["57P04", "08P01"])
            func `a database that is gone, and what a pooler says, are told with their reason`(
                code: String
            ) async {
                #expect(await failure(raising: code) == "refused")
            }

            @Test func `a cancelled call ends at once, while it waits and while it connects`()
                async throws
            {
                try await withProxy(timeout: .seconds(60)) { log, proxy in
                    proxy.set(.swallows)
                    for _ in 0..<2 {
                        let start = ContinuousClock.now
                        let task = Task { try await log.commits(after: 0) }
                        try await Task.sleep(for: .milliseconds(200))
                        task.cancel()
                        await #expect(throws: CancellationError.self) { try await task.value }
                        #expect(ContinuousClock.now - start < .seconds(5))
                        // What did not come to an answer is given up, and then made anew.
                        try await Task.sleep(for: .milliseconds(200))
                    }
                    proxy.cut()
                    proxy.set(.passes)
                    #expect(try await log.commits(after: 0).count == 3)
                }
            }

            @Test func `what is asked after the connection was closed is asked over another`()
                async throws
            {
                try await withProxy { log, proxy in
                    proxy.cut()
                    try await Task.sleep(for: .milliseconds(100))
                    #expect(try await log.append(SharedCommit.after(3), after: 3))
                    proxy.cut()
                    #expect(try await log.commits(after: 0).count == 4)
                    #expect(try await log.claimRange() == 1)
                }
            }

            @Test func `an append whose answer is lost throws, and is not tried again`()
                async throws
            {
                try await withProxy { log, proxy in
                    proxy.set(.losesAnswers)
                    #expect(
                        await nameOfFailure {
                            _ = try await log.append(SharedCommit.after(3), after: 3)
                        }
                            == "connectionLost")
                    proxy.set(.passes)
                    try await eventually("what was appended") {
                        try await log.commits(after: 0).count == 4
                    }
                    #expect(try await !log.append(SharedCommit.after(3), after: 3))
                }
            }

            @Test func `a network that is cut again and again loses and repeats nothing`()
                async throws
            {
                try await withProxy { log, proxy in
                    let cutting = Task {
                        while !Task.isCancelled {
                            try? await Task.sleep(for: .milliseconds(Int.random(in: 5...60)))
                            proxy.cut()
                        }
                    }
                    var (acknowledged, failures) = (3, 0)
                    for _ in 0..<200 {
                        do {
                            let batch = SharedCommit.after(acknowledged, 2)
                            if try await log.append(batch, after: acknowledged) {
                                acknowledged += 2
                            }
                        } catch {
                            failures += 1
                        }
                        if let commits = try? await log.allCommits() {
                            #expect(commits.count >= acknowledged)
                            acknowledged = commits.count
                        }
                    }
                    cutting.cancel()
                    try await Task.sleep(for: .milliseconds(100))
                    let commits = try await log.allCommits()
                    #expect(commits == SharedCommit.after(0, commits.count))
                    #expect(commits.count >= acknowledged && failures > 0)
                }
            }

            @Test func `a server that is killed forgets nothing, and is found again`() async throws
            {
                let log = try TestServer.log()
                let writing = Task {
                    var (last, acknowledged) = (0, 0)
                    while !Task.isCancelled {
                        do {
                            if try await log.append(SharedCommit.after(last), after: last) {
                                acknowledged = last + 1
                            }
                            last = try await log.commits(after: last).last?.number ?? last
                        } catch {
                            try? await Task.sleep(for: .milliseconds(20))
                            last = await (try? log.allCommits().count) ?? last
                        }
                    }
                    return acknowledged
                }
                for _ in 0..<2 {
                    try await Task.sleep(for: .milliseconds(300))
                    try await TestServer.restart()
                }
                try await Task.sleep(for: .milliseconds(300))
                writing.cancel()
                let acknowledged = await writing.value
                let commits = try await log.allCommits()
                #expect(commits.count >= acknowledged && acknowledged > 0)
                #expect(commits == SharedCommit.after(0, commits.count))
            }
        }
    }
#endif
