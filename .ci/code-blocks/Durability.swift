struct Database {
    func transaction(_ body: () throws -> Void) throws {}
}
nonisolated static var database: Database { Database() }
nonisolated static func lastCommit() throws -> Int? { nil }
nonisolated static func copy(_ document: ManagedDocument) async throws {}
nonisolated static func write(_ object: some Any) throws {}
nonisolated static func delete(_ identifier: some Any) throws {}
nonisolated static func add(_ commit: some Any) throws {}
