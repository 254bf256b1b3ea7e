/// The same graph in a database, walked by a recursive common table expression.
struct ReachedRows {
    private let connection: SQLiteConnection

    init(_ workload: ReachWorkload) throws {
        connection = try SQLiteConnection()
        // The primary key has all that a step reads, and what was reached stays in memory.
        try connection.execute(
            """
            PRAGMA temp_store = MEMORY;
            CREATE TABLE link (origin INTEGER, target INTEGER, PRIMARY KEY (origin, target))
            WITHOUT ROWID;
            BEGIN
            """)
        let link = try connection.statement("INSERT OR IGNORE INTO link VALUES (?, ?)")
        for (from, to) in workload.links.sorted(by: { $0 < $1 }) {
            link.bind(from, at: 1)
            link.bind(to, at: 2)
            try link.run()
        }
        try connection.execute("COMMIT; ANALYZE")
    }

    /// How many nodes are reached from the first.
    func walk(_ round: inout Round) throws -> Int {
        let count = try connection.statement(
            """
            WITH RECURSIVE reached (id) AS (
                SELECT target FROM link WHERE origin = 0
                UNION SELECT target FROM link JOIN reached ON origin = id
            ) SELECT COUNT(*) FROM reached
            """)
        return try round.measure {
            defer { count.reset() }
            return try count.step() ? count.integer(0) : 0
        }
    }
}
