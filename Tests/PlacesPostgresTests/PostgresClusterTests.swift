#if Postgres
    import Foundation
    import PlacesGraph
    @testable import PlacesPostgres
    import Testing

    /// What befalls a cluster of servers, of which one is a synchronous standby.
    @Suite(.serialized, .enabled(if: TestCluster.isThere)) struct PostgresClusterTests {
        /// Four members write and two read, in two processes that live through everything.
        @Test(.enabled(if: TestCluster.process == nil))
        func `members live through fail-overs, lose nothing acknowledged, and end as equals`()
            async throws
        {
            try await withFolder { folder in
                let document = UUID().uuidString
                let members = PostgresClusterMember.all(folder, document)
                try await withThrowingTaskGroup { group in
                    for process in 0..<2 {
                        group.addTask { try await run(process, folder, document) }
                    }
                    do {
                        try await goOn(members, after: [:], "everybody began")
                        let end = ContinuousClock.now + TestCluster.duration
                        repeat {
                            for fault in TestCluster.Fault.allCases {
                                try await live(through: fault, members)
                            }
                        } while ContinuousClock.now < end
                    } catch {
                        Issue.record(error)
                    }
                    try Data().write(to: PostgresClusterMember.ending(folder))
                    try await group.waitForAll()
                }
                try await compare(members, document)
            }
        }

        /// Runs half of the members in a process like this one, in which the next test runs alone.
        ///
        /// NB: An exit test would keep a thread waiting for it, and there may be no more of them than there are such tests.
        private func run(_ process: Int, _ folder: URL, _ document: String) async throws {
            try await TestServer.run(
                CommandLine.arguments[0], Array(CommandLine.arguments.dropFirst()),
                adding: [
                    "PLACESKIT_CLUSTER_PROCESS": "\(process)",
                    "PLACESKIT_CLUSTER_FOLDER": folder.path(percentEncoded: false),
                    "PLACESKIT_CLUSTER_DOCUMENT": document,
                ])
        }

        @Test(.enabled(if: TestCluster.process != nil))
        func `half of the members live in a process of their own`() async throws {
            let environment = TestServer.environment
            let folder = URL(
                filePath: try #require(environment["PLACESKIT_CLUSTER_FOLDER"]),
                directoryHint: .isDirectory)
            let document = try #require(environment["PLACESKIT_CLUSTER_DOCUMENT"])
            try await withThrowingTaskGroup { group in
                let members = PostgresClusterMember.all(folder, document)
                    .filter { $0.number / 3 == TestCluster.process }
                for member in members { group.addTask { try await member.live() } }
                // If one of the others fails, nobody waits for it.
                group.addTask { try await PostgresClusterMember.endInTime(folder) }
                for _ in members { try await group.next() }
                group.cancelAll()
            }
        }

        private func live(
            through fault: TestCluster.Fault, _ members: [PostgresClusterMember]
        ) async throws {
            let clock = ContinuousClock()
            let start = clock.now
            try await TestCluster.run(fault.rawValue)
            let before = progress(members)
            switch fault {
            case .killLeader, .cutLeader, .cutStandby: break
            case .cutLeaderWithMembers:
                try await TestCluster.run("elect")
                try await TestCluster.run("heal")
            case .cutMembersFromLeader:
                // Nobody else can be written, so only the network helps.
                try await eventually("that nobody is reached") {
                    await nameOfFailure {
                        _ = try await TestServer.log { $0.timeout = .seconds(2) }.claimRange()
                    } != nil
                }
                try await TestCluster.run("heal")
            }
            try await goOn(members, after: before, fault.rawValue)
            let seconds = Int(((clock.now - start) / .seconds(1)).rounded())
            print("\(fault.rawValue): all go on after \(seconds) s")
            try await TestCluster.run("heal")
        }

        private func progress(_ members: [PostgresClusterMember]) -> [Int: Int] {
            Dictionary(uniqueKeysWithValues: members.map { ($0.number, $0.progress) })
        }

        /// Waits until each member does what it does several times.
        private func goOn(
            _ members: [PostgresClusterMember], after before: [Int: Int], _ fault: String
        ) async throws {
            for member in members {
                // One more may have been on its way.
                let enough = before[member.number, default: 0] + 3
                let goesOn = try await eventually(
                    "that \(member.name) goes on (\(fault))", within: .seconds(60)
                ) { member.progress >= enough }
                guard goesOn else { throw GoesNotOn() }
            }
        }

        private struct GoesNotOn: Error {}

        private func compare(
            _ members: [PostgresClusterMember], _ document: String
        ) async throws {
            #expect(members.allSatisfy { $0.content != nil })
            #expect(Set(members.map(\.content)).count == 1)
            #expect(members.first?.content?.contains("conflict") == false)
            try await withFolder { folder in
                let reader = try await PostgresMember.open(folder, document: document)
                try await reader.sharing?.synchronize()
                let content = try PostgresMember.content(reader).joined(separator: "\n")
                #expect(content == members.first?.content)
                let context = reader.store.snapshot().context()
                for member in members where member.writes {
                    let note = try context.find(Note.self, \.name, member.name)
                    #expect(note?.value == member.progress)
                }
                try await reader.close()
            }
            let commits = try await TestServer.log(document: document).allCommits()
            #expect(commits.map(\.number).elementsEqual(1..<commits.count + 1))
            #expect(Set(commits.map(\.id)).count == commits.count)
            let total = members.filter(\.writes).map(\.progress).reduce(0, +)
            #expect(commits.count >= total)
            try await eventually("the same commits on all servers") {
                try Set(TestCluster.hosts.map { try digest(document, at: $0) }).count == 1
            }
            print(
                "\(total) saves of four members were acknowledged, in \(commits.count) commits")
        }

        /// What a server has of a document.
        private func digest(_ document: String, at host: Substring) throws -> String {
            try TestServer.run(
                """
                SELECT md5(string_agg(number || encode(line, 'escape'), '' ORDER BY number))
                FROM placeskit.commits WHERE document =
                    (SELECT id FROM placeskit.documents WHERE name = $1)
                """, [.text(document)], in: "host=\(host) target_session_attrs=any"
            ).text(0, 0)
        }
    }

    /// The servers that `.ci/check-postgres-cluster` has started.
    enum TestCluster {
        /// What may befall them.
        enum Fault: String, CaseIterable {
            /// The leader and its Patroni are killed.
            case killLeader = "kill-leader"
            /// Nobody reaches the leader.
            case cutLeader = "cut-leader"
            /// Only the members reach the leader, until there is another one.
            case cutLeaderWithMembers = "cut-leader-with-members"
            /// Nobody reaches the synchronous standby.
            case cutStandby = "cut-standby"
            /// The members reach everybody else, and everybody else the leader.
            case cutMembersFromLeader = "cut-members-from-leader"
        }

        static let isThere = TestServer.environment["PLACESKIT_POSTGRES_CLUSTER"] != nil
        static var hosts: [Substring] {
            (TestServer.environment["PGHOST"] ?? "").split(separator: ",")
        }
        static var duration: Duration {
            .seconds(TestServer.environment["PLACESKIT_CLUSTER_SECONDS"].flatMap(Int.init) ?? 0)
        }

        /// Which of the processes with members this is, if it is one.
        static var process: Int? {
            TestServer.environment["PLACESKIT_CLUSTER_PROCESS"].flatMap(Int.init)
        }

        static func run(_ command: String) async throws {
            try await TestServer.run(
                TestServer.environment["PLACESKIT_POSTGRES_CLUSTER"] ?? "", [command])
        }
    }
#endif
