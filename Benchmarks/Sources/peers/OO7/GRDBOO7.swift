import GRDB

/// GRDB in memory: Codable records, associations and the query interface, as its guides teach them.
final class GRDBOO7: OO7Contestant {
    let name = "grdb"
    private let world: OO7World
    private let queue: DatabaseQueue

    init(_ world: OO7World) throws {
        self.world = world
        queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(sql: SQLiteOO7.tables)
            for assembly in world.assemblies {
                try AssemblyRecord(
                    id: assembly.number, buildDate: assembly.buildDate, parent: assembly.parent
                ).insert(database)
            }
            for composite in world.composites { try Self.insert(composite, into: database) }
            try database.execute(sql: "ANALYZE")
        }
    }

    func trial(for workload: OO7Workload) -> Trial {
        switch workload {
        case .walk, .coldWalk, .observableWalk: walking { try $0.visitAll(from: $1) }
        case .rootWalk: walking { try $0.read($1) }
        case .update:
            walking(changing: { part in swap(&part.x, &part.y) }) { try $0.visitAll(from: $1) }
        case .indexedUpdate:
            walking(changing: { part in
                part.buildDate += part.buildDate.isMultiple(of: 2) ? 1 : -1
            }) { try $0.visitAll(from: $1) }
        case .lookup: lookUp
        case .documentUses: documentUses
        case .outdated: outdated
        case .documentedParts: documentedParts
        case .insertion: insert
        case .deletion: delete
        }
    }

    // MARK: - Walks

    private struct Walk {
        let database: Database
        let change: ((inout PartRecord) -> Void)?
        var checksum = Checksum()
        private var visited: Set<Int> = []

        init(_ database: Database, change: ((inout PartRecord) -> Void)? = nil) {
            self.database = database
            self.change = change
        }

        /// Visits the parts of a design, each once.
        mutating func visitAll(from root: Int) throws {
            visited.removeAll(keepingCapacity: true)
            try visit(root)
        }

        mutating func read(_ number: Int) throws {
            if let part = try PartRecord.fetchOne(database, key: number) { checksum.add(part.x) }
        }

        mutating func forEachRoot(
            below assembly: AssemblyRecord, _ body: (inout Walk, Int) throws -> Void
        ) throws {
            for child in try assembly.request(for: AssemblyRecord.children).fetchAll(database) {
                try forEachRoot(below: child, body)
            }
            for composite in try assembly.request(for: AssemblyRecord.composites).fetchAll(database)
            {
                try body(&self, composite.root)
            }
        }

        private mutating func visit(_ number: Int) throws {
            guard visited.insert(number).inserted,
                var part = try PartRecord.fetchOne(database, key: number)
            else { return }
            if let change {
                change(&part)
                try part.update(database)
            }
            checksum.add(part.x)
            for connection in try part.request(for: PartRecord.connections).fetchAll(database) {
                try visit(connection.destination)
            }
        }
    }

    private static func root(in database: Database) throws -> AssemblyRecord {
        guard let root = try AssemblyRecord.filter({ $0.parent == nil }).fetchOne(database) else {
            throw RecordError.recordNotFound(
                databaseTableName: AssemblyRecord.databaseTableName, key: [:])
        }
        return root
    }

    private func walking(
        changing change: ((inout PartRecord) -> Void)? = nil,
        _ visit: @escaping (inout Walk, Int) throws -> Void
    ) -> Trial {
        { [queue] round in
            func walk(_ database: Database) throws -> Checksum {
                var walk = Walk(database, change: change)
                try walk.forEachRoot(below: Self.root(in: database), visit)
                return walk.checksum
            }
            return try round.measure {
                try change == nil ? queue.read(walk) : queue.write(walk)
            }
        }
    }

    // MARK: - Queries

    private func lookUp(_ round: inout Round) throws -> Checksum {
        try round.measure {
            try queue.read { database in
                var checksum = Checksum()
                for number in world.lookedUpParts {
                    if let part = try PartRecord.fetchOne(database, key: number) {
                        checksum.add(part.x)
                    }
                }
                return checksum
            }
        }
    }

    private func documentUses(_ round: inout Round) throws -> Checksum {
        try round.measure {
            try queue.read { database in
                var checksum = Checksum()
                for title in world.lookedUpTitles {
                    let document = DocumentRecord.filter { $0.title == title }
                    guard let found = try document.fetchOne(database) else { continue }
                    let uses = UseRecord.filter { $0.composite == found.id }
                    for use in try uses.fetchAll(database) { checksum.add(use.assembly) }
                }
                return checksum
            }
        }
    }

    private func outdated(_ round: inout Round) throws -> Checksum {
        try round.measure {
            try queue.read { database in
                var checksum = Checksum()
                let assembly = TableAlias<AssemblyRecord>()
                let younger = AssemblyRecord.composites.filter {
                    $0.buildDate > assembly.buildDate
                }
                let request = AssemblyRecord.aliased(assembly).joining(required: younger)
                    .distinct()
                for base in try request.fetchAll(database) { checksum.add(base.id) }
                return checksum
            }
        }
    }

    private func documentedParts(_ round: inout Round) throws -> Checksum {
        try round.measure {
            try queue.read { database in
                var checksum = Checksum()
                let request = PartRecord.joining(required: PartRecord.mentioning)
                for part in try request.fetchAll(database) {
                    checksum.add(part.id &* part.document)
                }
                return checksum
            }
        }
    }

    // MARK: - Changes

    func insertAdditions() throws {
        try queue.write { database in
            for addition in world.additions { try Self.insert(addition, into: database) }
        }
    }

    func deleteAdditions() throws {
        try queue.write { database in
            for composite in world.additions {
                try ConnectionRecord.filter { composite.parts.map(\.id).contains($0.source) }
                    .deleteAll(database)
                try PartRecord.filter { $0.composite == composite.number }.deleteAll(database)
                try DocumentRecord.deleteOne(database, key: composite.number)
                try UseRecord.filter { $0.composite == composite.number }.deleteAll(database)
                try CompositeRecord.deleteOne(database, key: composite.number)
            }
        }
    }

    private static func insert(_ composite: OO7World.Composite, into database: Database) throws {
        try CompositeRecord(
            id: composite.number, buildDate: composite.buildDate, root: composite.parts[0].id
        ).insert(database)
        try DocumentRecord(
            id: composite.number, title: composite.title, text: composite.text
        ).insert(database)
        for part in composite.parts {
            try PartRecord(
                id: part.id, x: part.x, y: part.y, buildDate: part.buildDate,
                document: part.document, composite: composite.number
            ).insert(database)
            for other in part.connections {
                try ConnectionRecord(
                    length: other.length, source: part.id, destination: other.destination
                ).insert(database)
            }
        }
        for user in composite.users {
            try UseRecord(assembly: user, composite: composite.number).insert(database)
        }
    }

    func counts() throws -> [Int] {
        try queue.read { database in
            try [
                PartRecord.fetchCount(database), DocumentRecord.fetchCount(database),
                UseRecord.fetchCount(database),
            ]
        }
    }
}
