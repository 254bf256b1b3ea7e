import PlacesKit

/// A way to a log that hands on what is asked of it, but for what its own methods are there for.
protocol LogRelay: SharedLog {
    var log: any SharedLog { get }
}

extension LogRelay {
    func claimRange() async throws -> Int { try await log.claimRange() }

    func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
        try await log.append(commits, after: number)
    }

    func commits(after number: Int) async throws -> [SharedCommit] {
        try await log.commits(after: number)
    }

    func arrivals() -> AsyncStream<Int?> { log.arrivals() }

    func base(after number: Int) async throws -> SharedBase? { try await log.base(after: number) }

    func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {
        try await log.keep(base, forgettingAfter: age)
    }
}
