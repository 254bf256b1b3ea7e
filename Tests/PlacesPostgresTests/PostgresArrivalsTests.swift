#if Postgres
    import Foundation
    import PlacesGraph
    import PlacesPostgres
    import Synchronization
    import Testing

    extension PostgresTests {
        /// How one hears of commits.
        @Suite struct ArrivalsTests {
            /// Counts how often a log tells of something, until it is cancelled.
            private final class Listening: Sendable {
                private let count = Atomic(0)
                private let task: Task<Void, Never>

                init(_ log: PostgresSharedLog) {
                    let arrivals = log.arrivals()
                    let told = Mutex(nil as (@Sendable () -> Void)?)
                    task = Task {
                        for await _ in arrivals { told.withLock { $0 }?() }
                    }
                    told.withLock { told in
                        told = { [weak self] in _ = self?.count.add(1, ordering: .relaxed) }
                    }
                }

                var value: Int { count.load(ordering: .relaxed) }

                func end() async {
                    task.cancel()
                    await task.value
                }
            }

            @Test func `each batch of others is told of, once`() async throws {
                let document = UUID().uuidString
                let log = try TestServer.log(document: document)
                let other = try TestServer.log(document: document)
                _ = try await log.claimRange()
                let listening = Listening(other)
                try await eventually("the first notice") { listening.value == 1 }
                for round in 0..<3 {
                    _ = try await log.append(SharedCommit.after(round * 50, 50), after: round * 50)
                    try await eventually("notice \(round)") { listening.value == round + 2 }
                }
                _ = try await TestServer.log().append(SharedCommit.after(0), after: 0)
                try await Task.sleep(for: .milliseconds(100))
                #expect(listening.value == 4, "another document is none of its business")
                await listening.end()
            }

            @Test(arguments: [true, false])
            func `who hears nothing asks now and then`(whoListens: Bool) async throws {
                let document = UUID().uuidString
                let log = try TestServer.log(document: document) { $0.notifies = false }
                let other = try TestServer.log(document: document) {
                    $0.listens = whoListens
                    $0.pollingPeriod = .milliseconds(50)
                }
                _ = try await log.claimRange()
                let listening = Listening(other)
                try await eventually("the first notice") { listening.value == 1 }
                _ = try await log.append(SharedCommit.after(0), after: 0)
                try await eventually("a notice") { listening.value == 2 }
                try await Task.sleep(for: .milliseconds(200))
                #expect(listening.value == 2)
                await listening.end()
            }

            @Test func `what comes while nobody can hear is told of afterwards`() async throws {
                let proxy = try LoopbackProxy(to: TestServer.port)
                defer { proxy.close() }
                let document = UUID().uuidString
                let log = try TestServer.log(document: document)
                let other = try TestServer.log(proxy.connection, document: document) {
                    $0.timeout = .milliseconds(300)
                    $0.pollingPeriod = .milliseconds(100)
                }
                _ = try await log.claimRange()
                let listening = Listening(other)
                try await eventually("the first notice") { listening.value == 1 }
                proxy.cut()
                try await eventually("a notice after the cut") { listening.value >= 2 }
                proxy.set(.swallows)
                _ = try await log.append(SharedCommit.after(0), after: 0)
                try await Task.sleep(for: .seconds(1))
                let known = listening.value
                proxy.set(.passes)
                try await eventually("a notice after the silence") { listening.value > known }
                let before = listening.value
                try await TestServer.restart()
                try await eventually("a notice after the restart") { listening.value > before }
                await listening.end()
            }

            #if os(Linux)
                @Test func `who stops listening leaves no thread and no open file behind`()
                    async throws
                {
                    let log = try TestServer.log()
                    _ = try await log.commits(after: 0)
                    for round in 0..<2 {
                        let before = try Self.usage()
                        for _ in 0..<5 {
                            let listening = Listening(log)
                            try await eventually("the first notice") { listening.value == 1 }
                            await listening.end()
                        }
                        // What the runtime makes once, it makes in the first round.
                        guard round == 1 else { continue }
                        try await eventually("as many threads and files as before") {
                            let now = try Self.usage()
                            return now.files <= before.files && now.threads <= before.threads
                        }
                    }
                }

                private static func usage() throws -> (files: Int, threads: Int) {
                    let files = FileManager.default
                    return (
                        try files.contentsOfDirectory(atPath: "/proc/self/fd").count,
                        try files.contentsOfDirectory(atPath: "/proc/self/task").filter { task in
                            let name = try? String(
                                contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
                            return name == "shared log\n"
                        }.count
                    )
                }
            #endif
        }
    }
#endif
