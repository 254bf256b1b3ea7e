#if Postgres
    import Foundation
    import PlacesGraph
    @testable import PlacesPostgres
    import Testing

    extension PostgresTests {
        /// What is kept in place of old commits.
        @Suite struct BasesTests {
            private typealias Failure = PostgresSharedLog.Failure

            private func log(with count: Int) async throws -> PostgresSharedLog {
                let log = try TestServer.log()
                #expect(try await log.append(SharedCommit.after(0, count), after: 0))
                return log
            }

            /// The newest base and its content.
            private func base(
                of log: PostgresSharedLog, after number: Int = 0
            ) async throws -> [String]? {
                guard let base = try await log.base(after: number) else { return nil }
                var content = Data()
                for try await part in base.parts { content += part }
                return ["\(base.number)", String(decoding: content, as: UTF8.self)]
            }

            @Test func `a base is there with all its bytes for who has older commits`() async throws
            {
                let log = try await log(with: 10)
                #expect(try await log.base(after: 0) == nil)
                let parts = [
                    "", "Köln", String(repeating: "0123456789", count: 400_000), "\0", "end",
                ]
                try await log.keep(.of(parts, at: 4), forgettingAfter: .seconds(3_600))
                #expect(try await base(of: log) == ["4", parts.joined()])
                #expect(try await base(of: log, after: 3) == ["4", parts.joined()])
                #expect(try await base(of: log, after: 4) == nil)
                #expect(try await log.allCommits().count == 10)
                try await log.keep(.of([], at: 5), forgettingAfter: .seconds(3_600))
                #expect(try await base(of: log) == ["5", ""])
            }

            @Test func `a base that is not newer, or of a commit that is not there, does nothing`()
                async throws
            {
                let log = try await log(with: 10)
                try await log.keep(.of(["a"], at: 4), forgettingAfter: .seconds(3_600))
                for number in [-1, 0, 3, 4, 11] {
                    try await log.keep(.of(["b"], at: number), forgettingAfter: .zero)
                }
                #expect(try await base(of: log) == ["4", "a"])
                #expect(try await log.allCommits().count == 10)
            }

            @Test func `old commits before the base are forgotten, and no others`() async throws {
                let log = try await log(with: 2_500)
                try await Task.sleep(for: .milliseconds(600))
                #expect(try await log.append(SharedCommit.after(2_500, 500), after: 2_500))
                try await log.keep(.of(["a"], at: 2_800), forgettingAfter: .milliseconds(500))
                #expect(try await log.commits(after: 0).first?.number == 2_501)
                try await log.keep(.of(["b"], at: 2_900), forgettingAfter: .zero)
                #expect(try await log.commits(after: 7).map(\.number).elementsEqual(2_900...3_000))
                #expect(try await log.commits(after: 2_899).count == 101)
                #expect(try await log.commits(after: 3_000).isEmpty)
                #expect(try await log.append(SharedCommit.after(3_000), after: 3_000))
                #expect(try await !log.append(SharedCommit.after(3), after: 3))
            }

            @Test func `an interrupted base leaves the former one, and all commits`() async throws {
                struct Broken: Error {}
                let log = try await log(with: 10)
                try await log.keep(.of(["a"], at: 4), forgettingAfter: .seconds(3_600))
                let broken = SharedBase(
                    number: 8,
                    parts: AsyncThrowingStream { continuation in
                        continuation.yield(Data(count: 3 << 20))
                        continuation.finish(throwing: Broken())
                    }, values: [])
                await #expect(throws: Broken.self) {
                    try await log.keep(broken, forgettingAfter: .zero)
                }
                let endless = SharedBase(
                    number: 8,
                    parts: AsyncThrowingStream {
                        try await Task.sleep(for: .milliseconds(1))
                        return Data(count: 300_000)
                    }, values: [])
                let task = Task { try await log.keep(endless, forgettingAfter: .zero) }
                try await Task.sleep(for: .milliseconds(300))
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(try await base(of: log) == ["4", "a"])
                #expect(try await log.allCommits().count == 10)
                try await log.keep(.of(["b"], at: 8), forgettingAfter: .zero)
                #expect(try await base(of: log) == ["8", "b"])
            }

            @Test func `a server that is killed meanwhile has the former base`() async throws {
                let log = try await log(with: 10)
                try await log.keep(.of(["a"], at: 4), forgettingAfter: .seconds(3_600))
                let restart = Task {
                    try await Task.sleep(for: .milliseconds(200))
                    try await TestServer.restart()
                }
                let cut = SharedBase(
                    number: 8,
                    parts: AsyncThrowingStream { continuation in
                        Task {
                            continuation.yield(Data(count: 3 << 20))
                            try await restart.value
                            continuation.yield(Data(count: 3 << 20))
                            continuation.finish()
                        }
                    }, values: [])
                await #expect(throws: Failure.self) {
                    try await log.keep(cut, forgettingAfter: .zero)
                }
                // The connection may end before the server is there again.
                try await restart.value
                #expect(try await base(of: log) == ["4", "a"])
            }

            @Test func `of several bases at once the newest stays`() async throws {
                let log = try await log(with: 40)
                try await withThrowingTaskGroup { group in
                    for number in 1...20 {
                        group.addTask {
                            let parts = [String](repeating: "\(number),", count: 1_000)
                            try await log.keep(.of(parts, at: number), forgettingAfter: .zero)
                        }
                    }
                    try await group.waitForAll()
                }
                let content = String(repeating: "20,", count: 1_000)
                #expect(try await base(of: log) == ["20", content])
                #expect(try await log.allCommits().map(\.number).elementsEqual(20...40))
            }

            @Test func `parts of former bases go, also those that somebody left who was killed`()
                async throws
            {
                let document = UUID().uuidString
                let log = try TestServer.log(document: document)
                #expect(try await log.append(SharedCommit.after(0, 10), after: 0))
                try await log.keep(.of(["a"], at: 4), forgettingAfter: .zero)
                try TestServer.run(
                    """
                    INSERT INTO placeskit.base_parts (document, upload, position, bytes)
                    SELECT id, 0, part, 'x' FROM placeskit.documents, generate_series(1, 250) part
                    WHERE name = $1
                    """, [.text(document)])
                try await log.keep(.of(["b"], at: 8), forgettingAfter: .zero)
                let rows = try TestServer.run(
                    """
                    SELECT count(*) FROM placeskit.base_parts
                    JOIN placeskit.documents ON document = id WHERE name = $1
                    """, [.text(document)])
                #expect(try rows.int(0, 0) == 1)
                #expect(try await base(of: log) == ["8", "b"])
            }

            @Test func `who reads a base that is replaced meanwhile is told`() async throws {
                let log = try await log(with: 10)
                let parts = [String](repeating: String(repeating: "x", count: 1 << 20), count: 3)
                try await log.keep(.of(parts, at: 4), forgettingAfter: .zero)
                var read = try #require(try await log.base(after: 0)).parts.makeAsyncIterator()
                #expect(try await read.next()?.count == 1 << 20)
                try await log.keep(.of(["b"], at: 8), forgettingAfter: .zero)
                #expect(
                    await nameOfFailure { while try await read.next() != nil {} } == "baseReplaced")
            }
        }
    }
#endif
