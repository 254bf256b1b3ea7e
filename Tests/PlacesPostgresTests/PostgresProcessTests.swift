#if Postgres
    import Foundation
    import PlacesGraph
    import PlacesGraphTesting
    import PlacesPostgres
    import Testing

    extension PostgresTests {
        /// Documents that are shared, and processes that die.
        @Suite struct ProcessTests {
            @Test func `members of a document converge`() async throws {
                try await withFolder { folder in
                    let document = UUID().uuidString
                    var members: [ManagedDocument] = []
                    for name in ["a", "b", "c"] {
                        members.append(
                            try await PostgresMember.open(
                                folder.appending(path: name), document: document))
                    }
                    for round in 0..<10 {
                        for (index, member) in members.enumerated() {
                            let note = try member.viewContext.findOrInsert(
                                Note.self, \.name, "note \(round % 4)")
                            note.value += index
                            note.notebook = try member.viewContext.findOrInsert(
                                Notebook.self, \.name, "book \(index)")
                            try member.viewContext.save()
                        }
                    }
                    for member in members { try await member.save(durability: .shared) }
                    // Without being asked to.
                    try await eventually("the same content everywhere") {
                        try Set(members.map(PostgresMember.content)).count == 1
                    }
                    #expect(try PostgresMember.content(members[0]).count == 7)
                    for member in members { try await member.close() }
                }
            }

            @Test
            func `a process that is killed at any instant loses nothing that was acknowledged`()
                async throws
            {
                try await withFolder { folder in
                    let document = UUID().uuidString
                    let report = folder.appending(path: "acknowledged")
                    try Data().write(to: report)
                    for delay in [1_000, 7_000, 20_000] as [UInt32] {
                        await #expect(processExitsWith: .signal(SIGKILL)) {
                            [
                                document = document as String, report = report as URL,
                                delay = delay as UInt32
                            ] in
                            let log = try PostgresSharedLog(document: document)
                            var last = try await log.allCommits().count
                            Thread.detachNewThread {
                                usleep(delay)
                                kill(getpid(), SIGKILL)
                            }
                            let file = try FileHandle(forWritingTo: report)
                            try file.seekToEnd()
                            while try await log.append(SharedCommit.after(last, 4), after: last) {
                                last += 4
                                try file.write(contentsOf: Data("\(last)\n".utf8))
                            }
                        }
                        let acknowledged =
                            try String(contentsOf: report, encoding: .utf8)
                            .split(separator: "\n").compactMap { Int($0) }.last ?? 0
                        let commits = try await TestServer.log(document: document).allCommits()
                        #expect(commits.count >= acknowledged && commits.count % 4 == 0)
                        #expect(commits == SharedCommit.after(0, commits.count))
                    }
                }
            }

            /// Eight members that are killed at random, while the server is killed twice.
            @Test func `members that are killed lose nothing that all have, and end as equals`()
                async throws
            {
                let seconds = TestServer.environment["PLACESKIT_POSTGRES_SECONDS"].flatMap(Int.init)
                let duration = Duration.seconds(seconds ?? 10)
                try await withFolder { folder in
                    let document = UUID().uuidString
                    let end = ContinuousClock.now + duration
                    try await withThrowingTaskGroup { group in
                        for member in 0..<8 {
                            let report = folder.appending(path: "acknowledged \(member)")
                            try Data().write(to: report)
                            group.addTask {
                                try await write(
                                    member, until: end, folder.appending(path: "\(member)"),
                                    report, document)
                            }
                        }
                        for _ in 0..<2 {
                            try await Task.sleep(for: duration / 3)
                            try await TestServer.restart()
                        }
                        try await group.waitForAll()
                    }
                    try await compare(folder, document)
                }
            }

            private func write(
                _ member: Int, until end: ContinuousClock.Instant, _ url: URL, _ report: URL,
                _ document: String
            ) async throws {
                while ContinuousClock.now < end {
                    let delay = UInt32.random(in: 100_000..<2_500_000)
                    await #expect(processExitsWith: .signal(SIGKILL)) {
                        [
                            url = url as URL, report = report as URL, document = document as String,
                            member = member as Int, delay = delay as UInt32
                        ] in
                        while true {
                            do {
                                try await PostgresMember.writeUntilKilled(
                                    url, document, name: "member \(member)", acknowledged: report,
                                    after: delay)
                            } catch PostgresSharedLog.Failure.connectionLost,
                                PostgresSharedLog.Failure.notConnected
                            {
                                // The first time a folder is opened, the log has to be in reach.
                                try await Task.sleep(for: .milliseconds(100))
                            }
                        }
                    }
                }
            }

            /// Opens all members again, and checks that they have the same, with all that was acknowledged.
            private func compare(_ folder: URL, _ document: String) async throws {
                var contents: [[String]] = []
                var total = 0
                for member in 0..<8 {
                    let shared = try await PostgresMember.open(
                        folder.appending(path: "\(member)"), document: document)
                    // What it had saved and not shared, it shares now.
                    try await shared.sharing?.synchronize()
                    #expect(shared.sharing?.conflicts.isEmpty == true)
                    try await shared.close()
                }
                for member in 0..<8 {
                    let shared = try await PostgresMember.open(
                        folder.appending(path: "\(member)"), document: document)
                    try await shared.sharing?.synchronize()
                    contents.append(try PostgresMember.content(shared))
                    let report = folder.appending(path: "acknowledged \(member)")
                    let acknowledged = try Data(contentsOf: report).count / 8
                    total += acknowledged
                    let note = try shared.viewContext.find(Note.self, \.name, "member \(member)")
                    // One more may have been shared, and the process killed before it wrote that down; the next process
                    // then writes the same number again.
                    let value = note?.value ?? 0
                    #expect((acknowledged...acknowledged + 1).contains(value))
                    try await shared.close()
                }
                #expect(Set(contents).count == 1)
                let commits = try await TestServer.log(document: document).allCommits()
                #expect(commits.map(\.number).elementsEqual(1..<commits.count + 1))
                #expect(Set(commits.map(\.id)).count == commits.count)
                #expect(commits.count >= total && total > 0)
                print(
                    "\(total) saves of eight members were acknowledged, in \(commits.count) commits"
                )
            }
        }
    }
#endif
