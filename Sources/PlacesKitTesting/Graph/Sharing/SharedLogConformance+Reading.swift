import PlacesGraph

extension SharedLogConformance {
    func checkEmptyLog(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let log = try await connect()
        for number in [0, 1, 7] {
            let commits = try await log.commits(after: number)
            findings.expect(commits.isEmpty, "commits(after: \(number)) is not empty")
        }
        let isAdded = try await log.append(SharedCommit.following(1, 1), after: 1)
        findings.expect(!isAdded, "commits are added after number 1, which is not there")
        try await findings.expect(log, has: [], "after commits that were refused")
    }

    /// Checks that two logs know nothing of each other.
    func checkSeparation(
        _ connect: Connect, _ connectOther: Connect, _ findings: inout SharedLogFindings
    ) async throws {
        let (log, other) = (try await connect(), try await connectOther())
        let commits = SharedCommit.following(0, 2)
        let isAdded = try await log.append(commits, after: 0)
        findings.expect(isAdded, "commits are not added")
        try await findings.expect(other, has: [], "a log after commits came into another")
        let otherCommits = SharedCommit.following(0, 1, by: 2)
        let isOtherAdded = try await other.append(otherCommits, after: 0)
        findings.expect(isOtherAdded, "commits are not added to an empty log beside another")
        try await findings.expect(log, has: commits, "a log after commits came into another")
        try await findings.expect(other, has: otherCommits, "the other log")
    }

    func checkRanges(_ connect: @escaping Connect, _ findings: inout SharedLogFindings) async throws
    {
        var ranges: [Int] = []
        let logs = [try await connect(), try await connect()]
        for _ in 0..<5 {
            for log in logs { ranges.append(try await log.claimRange()) }
        }
        findings.expect(
            zip(ranges, ranges.dropFirst()).allSatisfy { $0 < $1 },
            "gives out a number that is not greater than the one before")
        ranges += try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                let log = try await connect()
                group.addTask {
                    var ranges: [Int] = []
                    for _ in 0..<5 { ranges.append(try await log.claimRange()) }
                    return ranges
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        findings.expect(ranges.allSatisfy { $0 > 0 }, "gives out a number below 1")
        findings.expect(Set(ranges).count == ranges.count, "gives out a number twice")
        _ = try await logs[0].append(SharedCommit.following(0, 2), after: 0)
        try await logs[1].keep(base(of: 2), forgettingAfter: .zero)
        // Who has claimed some knows of those that others claimed, and forgets nothing of them with commits.
        for log in logs + [try await connect()] {
            let range = try await log.claimRange()
            findings.expect(
                ranges.allSatisfy { $0 < range },
                "gives out a number again, or an earlier one, after a base was kept")
            ranges.append(range)
        }
    }

    /// Checks the text that others might store in another way than it was written.
    func checkText(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let changes = [
            #"{ "b" : 1.0 ,"a":1e2, "a":-0,"c":[ ] }"#,
            #"{"name":"Ko\u0308ln K\u00f6ln Köln 東京 👩‍👩‍👧‍👦 \u0000 \/ \\ \" \u2028 '' $1 %s \\x00 NULL"}"#,
            #"{"number":12345678901234567890.123456789012345678901234567890}"#,
            #"{"text":"\#(String(repeating: "ß", count: 100_000))"}"#,
        ]
        let log = try await connect()
        let commits = changes.enumerated().map { index, change in
            SharedCommit(opening: .max, sequence: .min, number: index + 1, change: change)
        }
        let isAdded = try await log.append(commits, after: 0)
        findings.expect(isAdded, "commits are not added")
        try await findings.expect(log, has: commits, "the same connection")
        try await findings.expect(try await connect(), has: commits, "a new connection")
    }
}
