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
            try Self.insertAssemblies(of: world, into: database)
            for composite in world.composites { try Self.insert(composite, into: database) }
            for base in world.bases {
                for composite in base.composites {
                    try UseRecord(assembly: base.number, composite: composite).insert(database)
                }
            }
            try database.execute(sql: "ANALYZE")
        }
    }

    func trial(for workload: OO7Workload) -> Trial {
        switch workload {
        case .walk, .coldWalk, .observableWalk: walk
        case .rootWalk: rootWalk
        case .update:
            { [self] in try update(&$0) { part in swap(&part.x, &part.y) } }
        case .indexedUpdate:
            { [self] in
                try update(&$0) { part in
                    part.buildDate += part.buildDate.isMultiple(of: 2) ? 1 : -1
                }
            }
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

        mutating func visitAll(below assembly: AssemblyRecord) throws {
            try forEachRoot(below: assembly) { walk, root in
                walk.visited.removeAll(keepingCapacity: true)
                try walk.visit(root)
            }
        }

        mutating func visitRoots(below assembly: AssemblyRecord) throws {
            try forEachRoot(below: assembly) { walk, root in
                if let part = try PartRecord.fetchOne(walk.database, key: root) {
                    walk.checksum.add(part.x)
                }
            }
        }

        private mutating func forEachRoot(
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

    private func walk(_ round: inout Round) throws -> Checksum {
        try round.measure {
            try queue.read { database in
                var walk = Walk(database)
                try walk.visitAll(below: Self.root(in: database))
                return walk.checksum
            }
        }
    }

    private func rootWalk(_ round: inout Round) throws -> Checksum {
        try round.measure {
            try queue.read { database in
                var walk = Walk(database)
                try walk.visitRoots(below: Self.root(in: database))
                return walk.checksum
            }
        }
    }

    private func update(
        _ round: inout Round, _ change: @escaping (inout PartRecord) -> Void
    ) throws -> Checksum {
        try round.measure {
            try queue.write { database in
                var walk = Walk(database, change: change)
                try walk.visitAll(below: Self.root(in: database))
                return walk.checksum
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

    private func insert(_ round: inout Round) throws -> Checksum {
        try round.measure { try insertAdditions() }
        try deleteAdditions()
        return try checksum()
    }

    private func delete(_ round: inout Round) throws -> Checksum {
        try insertAdditions()
        try round.measure { try deleteAdditions() }
        return try checksum()
    }

    private func insertAdditions() throws {
        try queue.write { database in
            for addition in world.additions {
                try Self.insert(addition.composite, into: database)
                for base in addition.bases {
                    try UseRecord(assembly: base, composite: addition.composite.number)
                        .insert(database)
                }
            }
        }
    }

    private func deleteAdditions() throws {
        try queue.write { database in
            for composite in world.additions.map(\.composite) {
                try ConnectionRecord.filter { composite.parts.map(\.id).contains($0.source) }
                    .deleteAll(database)
                try PartRecord.filter { $0.composite == composite.number }.deleteAll(database)
                try DocumentRecord.deleteOne(database, key: composite.number)
                try UseRecord.filter { $0.composite == composite.number }.deleteAll(database)
                try CompositeRecord.deleteOne(database, key: composite.number)
            }
        }
    }

    private static func insertAssemblies(of world: OO7World, into database: Database) throws {
        // As many levels as there are, each a third of the one before.
        var parents: [Int: Int] = [:]
        var (level, number) = (world.bases.map(\.number), world.bases.count)
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: OO7World.fan).map { first in
                defer { number += 1 }
                for child in level[first..<first + OO7World.fan] { parents[child] = number }
                return number
            }
        }
        for id in 0..<number {
            let buildDate = world.bases.indices.contains(id) ? world.bases[id].buildDate : 0
            try AssemblyRecord(id: id, buildDate: buildDate, parent: parents[id]).insert(database)
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
    }

    /// What is left after a change.
    private func checksum() throws -> Checksum {
        try queue.read { database in
            var checksum = Checksum()
            checksum.append(try PartRecord.fetchCount(database))
            checksum.append(try DocumentRecord.fetchCount(database))
            checksum.append(try UseRecord.fetchCount(database))
            return checksum
        }
    }
}
