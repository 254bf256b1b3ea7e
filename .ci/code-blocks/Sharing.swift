@testable import PlacesGraphTesting
struct Database: Sendable {
    static func empty() async throws -> Database { given() }
}
struct MyLog: SharedLog {
    init(_ database: Database, document: String) {}
    func claimRange() async throws -> Int { given() }
    func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool { given() }
    func commits(after number: Int) async throws -> [SharedCommit] { given() }
    func arrivals() -> AsyncStream<Void> { given() }
}
nonisolated static var log: any SharedLog { given() }
nonisolated static var sharing: DocumentSharing { given() }
nonisolated static var commit: SharedCommit { given() }
