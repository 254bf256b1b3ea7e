#if Postgres
    import Foundation
    import PlacesGraph
    @testable import PlacesPostgres
    import Testing

    extension PostgresTests {
        /// A server that has lost commits, as after a backup was restored.
        @Suite struct LossTests {
            /// Takes the last commits out of a document's log.
            private func lose(commitsAfter number: Int, of document: String) throws {
                try TestServer.run(
                    """
                    DELETE FROM placeskit.commits USING placeskit.documents
                    WHERE document = id AND name = $1 AND number > $2
                    """, [.text(document), .int(number)])
                try TestServer.run(
                    "UPDATE placeskit.documents SET last = $2 WHERE name = $1",
                    [.text(document), .int(number)])
            }

            /// A log whose connection stays, as by a pooler, while its server loses two of five commits and gets others;
            /// and somebody else's, who knows nothing of that.
            private func logs(
                gettingOthers count: Int
            ) async throws -> (log: PostgresSharedLog, other: PostgresSharedLog) {
                let document = UUID().uuidString
                let log = try TestServer.log(document: document)
                #expect(try await log.append(SharedCommit.after(0, 5), after: 0))
                try lose(commitsAfter: 3, of: document)
                let other = try TestServer.log(document: document)
                #expect(try await other.append(SharedCommit.after(3, count, by: 2), after: 3))
                return (log, other)
            }

            @Test(arguments: 0...3)
            func `who goes on over the same connection is told that the log lost commits`(
                others: Int
            ) async throws {
                let (log, other) = try await logs(gettingOthers: others)
                // Also on top of as many commits.
                #expect(try await !log.append(SharedCommit.after(5), after: 5))
                for _ in 0..<2 {
                    #expect(
                        await nameOfFailure { _ = try await log.commits(after: 5) }
                            == "lostCommits")
                }
                #expect(try await other.allCommits().count == 3 + others)
            }

            @Test func `what is known of the latest commit keeps no more of it in memory`() {
                var latest = LatestCommit()
                let commit = SharedCommit.after(0, text: String(repeating: "a", count: 1_000))[0]
                latest.note(commit)
                guard case .bytes(let end)? = latest.parameters.last else {
                    Issue.record("there is no end of a line")
                    return
                }
                #expect(end == commit.line.suffix(LatestCommit.endLength))
                #expect(end.startIndex == 0)
            }

            /// Takes rows of commits out of a document's log, which goes on to count those as its own.
            private func loseRows(of document: String, from number: Int = 1) throws {
                try TestServer.run(
                    """
                    DELETE FROM placeskit.commits USING placeskit.documents
                    WHERE document = id AND name = $1 AND number >= $2
                    """, [.text(document), .int(number)])
            }

            @Test(arguments: [1, 4, 5])
            func `who has commits whose rows are gone is told, and adds nothing after them`(
                first: Int
            ) async throws {
                let document = UUID().uuidString
                let log = try TestServer.log(document: document)
                #expect(try await log.append(SharedCommit.after(0, 5), after: 0))
                try loseRows(of: document, from: first)
                #expect(try await !log.append(SharedCommit.after(5), after: 5))
                #expect(
                    await nameOfFailure { _ = try await log.commits(after: 5) } == "lostCommits")
                #expect(
                    await nameOfFailure {
                        try await log.keep(.of(["lost"], at: 5), forgettingAfter: .zero)
                    } == "lostCommits")
            }

            @Test func `who has nothing of a log whose last commit is gone is told`() async throws {
                let document = UUID().uuidString
                let log = try TestServer.log(document: document)
                let other = try TestServer.log(document: document)
                #expect(try await other.claimRange() == 1)
                #expect(try await log.append(SharedCommit.after(0, 5), after: 0))
                try loseRows(of: document)
                for log in [other, try TestServer.log(document: document)] {
                    #expect(
                        await nameOfFailure { _ = try await log.commits(after: 0) }
                            == "lostCommits")
                    #expect(await nameOfFailure { _ = try await log.claimRange() } == "lostCommits")
                }
            }

            @Test func `commits that came before a base are forgotten, and not lost`() async throws
            {
                let document = UUID().uuidString
                let log = try TestServer.log(document: document)
                #expect(try await log.append(SharedCommit.after(0, 3), after: 0))
                let other = try TestServer.log(document: document)
                #expect(try await other.append(SharedCommit.after(3, 2), after: 3))
                try await other.keep(.of(["base"], at: 5), forgettingAfter: .zero)
                #expect(try await log.commits(after: 3).map(\.number) == [5])
                try loseRows(of: document)
                #expect(
                    await nameOfFailure { _ = try await other.commits(after: 5) } == "lostCommits")
            }

            @Test
            func
                `a member that has commits whose rows are gone shares no more, nor does who comes anew`()
                async throws
            {
                try await withFolder { folder in
                    let document = UUID().uuidString
                    let url = folder.appending(path: "a")
                    var member = try await PostgresMember.open(url, document: document)
                    for value in 1...3 { try await PostgresMember.share(value, "a", in: member) }
                    try loseRows(of: document)
                    try member.viewContext.findOrInsert(Note.self, \.name, "a").value = 4
                    let failure = await nameOfFailure {
                        try await member.save(durability: .shared)
                    }
                    #expect(failure == "lostCommits")
                    let content = try PostgresMember.content(member)
                    try await member.close()
                    member = try await PostgresMember.open(url, document: document)
                    #expect(
                        await nameOfFailure { try await member.sharing?.synchronize() }
                            == "lostCommits")
                    #expect(try PostgresMember.content(member) == content)
                    try await member.close()
                    let newcomer = await nameOfFailure {
                        _ = try await PostgresMember.open(
                            folder.appending(path: "b"), document: document)
                    }
                    #expect(newcomer == "lostCommits")
                }
            }

            @Test func `a member that is opened while its document is removed makes no other one`()
                async throws
            {
                try await withFolder { folder in
                    let document = UUID().uuidString
                    let url = folder.appending(path: "a")
                    var member = try await PostgresMember.open(url, document: document)
                    for value in 1...3 { try await PostgresMember.share(value, "a", in: member) }
                    try await member.close()
                    try TestServer.run(
                        "DELETE FROM placeskit.documents WHERE name = $1", [.text(document)])
                    member = try await PostgresMember.open(url, document: document)
                    #expect(
                        await nameOfFailure { try await member.sharing?.synchronize() }
                            == "documentRemoved")
                    try await member.close()
                    let found = try TestServer.run(
                        "SELECT count(*) FROM placeskit.documents WHERE name = $1",
                        [.text(document)])
                    #expect(try found.int(0, 0) == 0)
                }
            }

            @Test func `commits with values are not added to a log that lost some`() async throws {
                let (log, other) = try await logs(gettingOthers: 2)
                let bytes = Data("value".utf8)
                let value = SharedValue(
                    digest: bytes.withUnsafeBytes(SharedValue.digest), byteCount: bytes.count
                ) { bytes }
                let commit = SharedCommit(
                    opening: 1, sequence: 6, number: 6, change: "6", values: [value])
                #expect(
                    await nameOfFailure { _ = try await log.append([commit], after: 5) }
                        == "lostCommits")
                #expect(try await other.allCommits().count == 5)
            }

            @Test func `a base of lost commits is not kept in place of what the log has`()
                async throws
            {
                let (log, other) = try await logs(gettingOthers: 2)
                #expect(
                    await nameOfFailure {
                        try await log.keep(.of(["lost"], at: 5), forgettingAfter: .zero)
                    } == "lostCommits")
                #expect(try await other.base(after: 0) == nil)
                #expect(try await other.allCommits().count == 5)
            }

            @Test(arguments: [1, 2, 3, 6])
            func `a member that has commits which the log lost says so, and shares no more`(
                others: Int
            ) async throws {
                try await withFolder { folder in
                    let document = UUID().uuidString
                    let (url, other) = (
                        folder.appending(path: "a"), folder.appending(path: "b")
                    )
                    var member = try await PostgresMember.open(url, document: document)
                    for value in 1...3 { try await PostgresMember.share(value, "a", in: member) }
                    let second = try await PostgresMember.open(other, document: document)
                    try await second.sharing?.synchronize()
                    try await second.close()
                    for value in 4...5 { try await PostgresMember.share(value, "a", in: member) }

                    try lose(commitsAfter: 3, of: document)
                    try await TestServer.restart()
                    let third = try await PostgresMember.open(other, document: document)
                    for value in 1...others {
                        try await PostgresMember.share(value, "b", in: third)
                    }
                    let content = try PostgresMember.content(member)
                    let failure = await nameOfFailure { try await member.sharing?.synchronize() }
                    #expect(failure == "lostCommits")
                    try await member.close()

                    // Who opens it anew finds out, too, by the next save if not before.
                    member = try await PostgresMember.open(url, document: document)
                    #expect(try PostgresMember.content(member) == content)
                    member.viewContext.rollback()
                    let note = try member.viewContext.findOrInsert(Note.self, \.name, "a")
                    note.value = 6
                    let stopped = await nameOfFailure {
                        try await member.save(durability: .shared)
                    }
                    #expect(stopped == "differentLog")
                    try await third.sharing?.synchronize()
                    #expect(try third.viewContext.find(Note.self, \.name, "a")?.value == 3)
                    try await member.close()
                    try await third.close()
                }
            }
        }
    }
#endif
