/// SQLite's C API in memory: prepared statements, and the indexes that a competent user adds.
final class SQLiteOO7: OO7Contestant {
    let name = "sqlite"
    private let world: OO7World
    private let connection: SQLiteConnection

    init(_ world: OO7World) throws {
        self.world = world
        connection = try SQLiteContestant.makeEmpty()
        try connection.execute(Self.tables)
        try connection.execute("BEGIN IMMEDIATE")
        for assembly in world.assemblies {
            try run(
                "INSERT INTO assembly VALUES (?, ?, ?)", assembly.number, assembly.buildDate,
                assembly.parent)
        }
        for composite in world.composites { try insert(composite) }
        try connection.execute("COMMIT; ANALYZE")
    }

    /// Tables for both databases.
    static let tables = """
        CREATE TABLE assembly (id INTEGER PRIMARY KEY, buildDate INTEGER, parent INTEGER);
        CREATE INDEX assembly_parent ON assembly (parent);
        CREATE TABLE composite (id INTEGER PRIMARY KEY, buildDate INTEGER, root INTEGER);
        CREATE TABLE document (id INTEGER PRIMARY KEY, title TEXT UNIQUE, text TEXT);
        CREATE TABLE use (
            assembly INTEGER, composite INTEGER, PRIMARY KEY (assembly, composite)
        ) WITHOUT ROWID;
        CREATE INDEX use_composite ON use (composite, assembly);
        CREATE TABLE part (
            id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, buildDate INTEGER, document INTEGER,
            composite INTEGER);
        CREATE INDEX part_buildDate ON part (buildDate);
        CREATE INDEX part_composite ON part (composite);
        CREATE TABLE connection (
            id INTEGER PRIMARY KEY, length INTEGER, source INTEGER, destination INTEGER);
        CREATE INDEX connection_source ON connection (source, destination);
        CREATE INDEX connection_destination ON connection (destination);
        """

    func trial(for workload: OO7Workload) -> Trial {
        switch workload {
        case .walk, .coldWalk, .observableWalk: walking { try $0.visitAll(from: $1) }
        case .rootWalk: walking { try $0.read($1) }
        case .update:
            walking(changing: "UPDATE part SET x = y, y = x WHERE id = ?") {
                try $0.visitAll(from: $1)
            }
        case .indexedUpdate:
            walking(
                changing: """
                    UPDATE part SET buildDate = buildDate + iif(buildDate % 2 = 0, 1, -1)
                    WHERE id = ?
                    """
            ) { try $0.visitAll(from: $1) }
        case .lookup: lookUp
        case .documentUses: documentUses
        case .outdated:
            summing(
                """
                SELECT sum(id) FROM assembly WHERE EXISTS (
                    SELECT 1 FROM use JOIN composite ON composite.id = use.composite
                    WHERE use.assembly = assembly.id AND composite.buildDate > assembly.buildDate)
                """)
        case .documentedParts:
            summing(
                "SELECT sum(part.id * document.id) FROM part JOIN document ON document.id = part.document"
            )
        case .insertion: insert
        case .deletion: delete
        }
    }

    // MARK: - Walks

    /// The statements of a walk, each prepared once.
    private struct Walk {
        private let children: SQLiteStatement
        private let composites: SQLiteStatement
        private let part: SQLiteStatement
        private let connections: SQLiteStatement
        private let change: SQLiteStatement?
        var checksum = Checksum()
        private var visited: Set<Int> = []

        init(_ connection: SQLiteConnection, change: String? = nil) throws {
            children = try connection.statement("SELECT id FROM assembly WHERE parent = ?")
            composites = try connection.statement(
                """
                SELECT composite.root FROM use JOIN composite ON composite.id = use.composite
                WHERE use.assembly = ?
                """)
            part = try connection.statement("SELECT x FROM part WHERE id = ?")
            connections = try connection.statement(
                "SELECT destination FROM connection WHERE source = ?")
            self.change = try change.map(connection.statement)
        }

        /// Visits the parts of a design, each once.
        mutating func visitAll(from root: Int) throws {
            visited.removeAll(keepingCapacity: true)
            try visit(root)
        }

        mutating func forEachRoot(
            below assembly: Int, _ body: (inout Walk, Int) throws -> Void
        ) throws {
            for child in try numbers(children, assembly) { try forEachRoot(below: child, body) }
            for root in try numbers(composites, assembly) { try body(&self, root) }
        }

        private mutating func visit(_ number: Int) throws {
            guard visited.insert(number).inserted else { return }
            if let change {
                change.bind(number, at: 1)
                try change.run()
            }
            try read(number)
            for destination in try numbers(connections, number) { try visit(destination) }
        }

        mutating func read(_ number: Int) throws {
            part.bind(number, at: 1)
            if try part.step() { checksum.add(part.integer(0)) }
            part.reset()
        }

        private func numbers(_ statement: SQLiteStatement, _ number: Int) throws -> [Int] {
            var numbers: [Int] = []
            statement.bind(number, at: 1)
            while try statement.step() { numbers.append(statement.integer(0)) }
            statement.reset()
            return numbers
        }
    }

    private func root() throws -> Int {
        let statement = try connection.statement("SELECT id FROM assembly WHERE parent IS NULL")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    private func walking(
        changing change: String? = nil, _ visit: @escaping (inout Walk, Int) throws -> Void
    ) -> Trial {
        { [self] round in
            let root = try root()
            return try round.measure {
                try connection.execute(change == nil ? "BEGIN" : "BEGIN IMMEDIATE")
                var walk = try Walk(connection, change: change)
                try walk.forEachRoot(below: root, visit)
                try connection.execute("COMMIT")
                return walk.checksum
            }
        }
    }

    // MARK: - Queries

    private func lookUp(_ round: inout Round) throws -> Checksum {
        let part = try connection.statement("SELECT x FROM part WHERE id = ?")
        return try round.measure {
            var checksum = Checksum()
            for number in world.lookedUpParts {
                part.bind(number, at: 1)
                if try part.step() { checksum.add(part.integer(0)) }
                part.reset()
            }
            return checksum
        }
    }

    private func documentUses(_ round: inout Round) throws -> Checksum {
        let uses = try connection.statement(
            """
            SELECT use.assembly FROM document JOIN use ON use.composite = document.id
            WHERE document.title = ?
            """)
        return try round.measure {
            var checksum = Checksum()
            for title in world.lookedUpTitles {
                uses.bind(title, at: 1)
                while try uses.step() { checksum.add(uses.integer(0)) }
                uses.reset()
            }
            return checksum
        }
    }

    private func summing(_ query: String) -> Trial {
        { [connection] round in
            let sum = try connection.statement(query)
            return try round.measure {
                var checksum = Checksum()
                if try sum.step() { checksum.add(sum.integer(0)) }
                sum.reset()
                return checksum
            }
        }
    }

    // MARK: - Changes

    func insertAdditions() throws {
        try connection.execute("BEGIN IMMEDIATE")
        for addition in world.additions { try insert(addition) }
        try connection.execute("COMMIT")
    }

    func deleteAdditions() throws {
        let statements = try [
            "DELETE FROM connection WHERE source IN (SELECT id FROM part WHERE composite = ?)",
            "DELETE FROM part WHERE composite = ?", "DELETE FROM document WHERE id = ?",
            "DELETE FROM use WHERE composite = ?", "DELETE FROM composite WHERE id = ?",
        ].map(connection.statement)
        try connection.execute("BEGIN IMMEDIATE")
        for addition in world.additions {
            for statement in statements {
                statement.bind(addition.number, at: 1)
                try statement.run()
            }
        }
        try connection.execute("COMMIT")
    }

    private func insert(_ composite: OO7World.Composite) throws {
        try run(
            "INSERT INTO composite VALUES (?, ?, ?)", composite.number, composite.buildDate,
            composite.parts[0].id)
        let document = try connection.statement("INSERT INTO document VALUES (?, ?, ?)")
        document.bind(composite.number, at: 1)
        document.bind(composite.title, at: 2)
        document.bind(composite.text, at: 3)
        try document.run()
        for part in composite.parts {
            try run(
                "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", part.id, part.x, part.y,
                part.buildDate, part.document, composite.number)
            for other in part.connections {
                try run(
                    "INSERT INTO connection VALUES (NULL, ?, ?, ?)", other.length, part.id,
                    other.destination)
            }
        }
        for user in composite.users {
            try run("INSERT INTO use VALUES (?, ?)", user, composite.number)
        }
    }

    private func run(_ sql: String, _ numbers: Int?...) throws {
        let statement = try connection.statement(sql)
        for (index, number) in numbers.enumerated() { statement.bind(number, at: Int32(index) + 1) }
        try statement.run()
    }

    func counts() throws -> [Int] {
        try ["part", "document", "use"].map { table in
            let count = try connection.statement("SELECT count(*) FROM \(table)")
            defer { count.reset() }
            return try count.step() ? count.integer(0) : 0
        }
    }
}
