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
nonisolated static var url: URL { given() }
nonisolated static var model: [ManagedObject.Type] { given() }
