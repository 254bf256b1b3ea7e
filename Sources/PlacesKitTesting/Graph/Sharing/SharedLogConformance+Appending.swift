import PlacesGraph

extension SharedLogConformance {
    /// Checks that commits come back in their order from any number on, over each connection.
    func checkOrder(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let logs = [try await connect(), try await connect()]
        var commits: [SharedCommit] = []
        for (index, count) in [1, 2, 5, 1, 3].enumerated() {
            let added = SharedCommit.following(commits.count, count, by: index)
            let isAdded = try await logs[index % 2].append(added, after: commits.count)
            findings.expect(isAdded, "\(count) commits are not added after the last one")
            commits += added
            for (connection, log) in zip(["one connection", "another"], logs) {
                try await findings.expect(log, has: commits, connection)
            }
        }
        for log in logs + [try await connect()] {
            for number in 1...commits.count + 2 {
                try await findings.expect(
                    log, has: commits.dropFirst(number), after: number, "read from a number on")
            }
        }
    }

    /// Checks that nothing of a batch is added that does not follow the last commit.
    func checkConditions(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let logs = [try await connect(), try await connect()]
        let (first, second) = (SharedCommit.following(0, 3), SharedCommit.following(3, 2))
        for (index, batch) in [first, second].enumerated() {
            let isAdded = try await logs[0].append(batch, after: index * 3)
            findings.expect(isAdded, "commits are not added after the last one")
        }
        for log in logs {
            for number in [0, 1, 2, 3, 4, 6, 7, 100] {
                let batch = SharedCommit.following(number, 4, by: 2)
                let isAdded = try await log.append(batch, after: number)
                findings.expect(!isAdded, "says that it added commits after \(number) of 5")
                try await findings.expect(
                    log, has: first + second, "after commits that were refused")
            }
            for (batch, number) in [(first, 0), (second, 3)] {
                let isAdded = try await log.append(batch, after: number)
                findings.expect(!isAdded, "says that it added commits that it has")
            }
        }
        let third = SharedCommit.following(5, 2, by: 3)
        let isAdded = try await logs[1].append(third, after: 5)
        findings.expect(isAdded, "commits are not added after others were refused")
        try await findings.expect(logs[0], has: first + second + third, "at the end")
    }

    func checkEmptyBatch(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let log = try await connect()
        let commits = SharedCommit.following(0, 2)
        for number in [0, 2] {
            let isAdded = try await log.append([], after: number)
            findings.expect(isAdded, "is refused after the last commit")
            if number == 0 { _ = try await log.append(commits, after: 0) }
        }
        for number in [0, 1, 3] {
            let isAdded = try await log.append([], after: number)
            findings.expect(!isAdded, "is not refused after number \(number) of 2")
        }
        try await findings.expect(log, has: commits, "after nothing was added")
    }

    func checkLargeBatches(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let log = try await connect()
        var commits: [SharedCommit] = []
        for count in [3_000, 1] {
            let batch = SharedCommit.following(commits.count, count)
            let isAdded = try await log.append(batch, after: commits.count)
            findings.expect(isAdded, "\(count) commits are not added")
            commits += batch
        }
        try await findings.expect(log, has: commits, "the same connection")
        try await findings.expect(try await connect(), has: commits, "a new connection")
        try await findings.expect(
            log, has: commits.dropFirst(1_500), after: 1_500, "from within a batch")
    }

    /// Checks that of several who add commits after the same number one succeeds.
    func checkSimultaneousAppends(
        _ connect: @escaping Connect, _ findings: inout SharedLogFindings
    ) async throws {
        var logs: [any SharedLog] = []
        for _ in 0..<4 { logs.append(try await connect()) }
        var commits: [SharedCommit] = []
        for round in 0..<20 {
            let number = commits.count
            let added = try await withThrowingTaskGroup { group in
                for (index, log) in logs.enumerated() {
                    let batch = SharedCommit.following(number, index % 3 + 1, by: index + 1)
                    group.addTask { try await log.append(batch, after: number) ? [batch] : [] }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            guard added.count == 1 else {
                return findings.expect(
                    false, "\(added.count) of \(logs.count) added commits after the same number")
            }
            commits += added[0]
            try await findings.expect(
                logs[round % logs.count], has: commits.dropFirst(number), after: number,
                "after one was first")
        }
    }

    /// Checks that what several writers add for a while is there once, in the order in which it was added.
    func checkWriters(
        _ connect: @escaping Connect, _ findings: inout SharedLogFindings
    ) async throws {
        let added = try await withThrowingTaskGroup { group in
            for writer in 1...4 {
                let log = try await connect()
                group.addTask { try await write(12, by: writer, to: log) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }.sorted { $0.number < $1.number }
        findings.expect(
            added.map(\.number).elementsEqual(1..<added.count + 1),
            "two were told that they had added the same number")
        findings.expect(!added.isEmpty, "nobody could add anything")
        try await findings.expect(try await connect(), has: added, "after all have written")
    }

    /// Adds commits while others do, as a member does; returns those that were added.
    private func write(
        _ count: Int, by writer: Int, to log: any SharedLog
    ) async throws -> [SharedCommit] {
        var (added, last) = ([SharedCommit](), 0)
        // Each failure is another's success, so that a log that works needs no more attempts.
        for _ in 0..<4 * count where added.count < count {
            while let commit = try await log.commits(after: last).last, commit.number > last {
                last = commit.number
                // All writers together add fewer: the log makes them up, as is found afterwards.
                guard last < 1_000 else { return added }
            }
            let batch = SharedCommit.following(last, 1 + last % 2, by: writer)
            if try await log.append(batch, after: last) { added += batch }
        }
        return added
    }
}
