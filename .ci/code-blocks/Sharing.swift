@testable import PlacesGraphTesting
struct Database: Sendable {
    static func empty() async throws -> Database { given() }
    func bytes(of digest: String) async throws -> Data { given() }
}
struct MyLog: SharedLog {
    init(_ database: Database, document: String) {}
    func claimRange() async throws -> Int { given() }
    func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool { given() }
    func commits(after number: Int) async throws -> [SharedCommit] { given() }
    func arrivals() -> AsyncStream<Int?> { given() }
    func base(after number: Int) async throws -> SharedBase? { given() }
    func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {}
}
nonisolated static var log: any SharedLog { given() }
nonisolated static var sharing: DocumentSharing { given() }
nonisolated static var commit: SharedCommit { given() }
// The modules that blocks are compiled against are built without the trait Postgres, which has the true one.
final class PostgresSharedLog: SharedLog {
    struct Options {}
    init(_ connection: String = "", document: String, options: Options = Options()) throws {}
    func claimRange() async throws -> Int { given() }
    func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool { given() }
    func commits(after number: Int) async throws -> [SharedCommit] { given() }
    func base(after number: Int) async throws -> SharedBase? { given() }
    func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {}
    func arrivals() -> AsyncStream<Int?> { given() }
}
nonisolated static var line: Data { given() }
nonisolated static var database: Database { given() }
