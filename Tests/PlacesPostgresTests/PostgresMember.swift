#if Postgres
    import Foundation
    import PlacesGraph
    import PlacesGraphTesting
    import PlacesPostgres

    /// What members of a shared document write in tests.
    final class Note: ManagedObject {
        @Attribute(.unique) var name = ""
        @Attribute var value = 0
        @Relationship(inverse: \Notebook.notes) var notebook: Notebook?
    }

    final class Notebook: ManagedObject {
        @Attribute(.unique) var name = ""
        @Relationship var notes: ObjectSet<Note>
    }

    /// One of several processes that share a document in PostgreSQL.
    enum PostgresMember {
        static func open(
            _ url: URL, document: String, connection: String = "",
            timeout: Duration = .seconds(10)
        ) async throws -> ManagedDocument {
            let log = try TestServer.log(connection, document: document) { $0.timeout = timeout }
            return try await ManagedDocument.open(
                at: url, model: [Note.self, Notebook.self], sharing: log)
        }

        /// Everything that a document holds, in an order that is the same for all who hold the same.
        static func content(_ document: ManagedDocument) throws -> [String] {
            let snapshot = document.store.snapshot()
            try snapshot.checkIntegrity()
            return snapshot.records.map { record in
                let values = record.propertyNames.map { name in
                    guard case .objects(let members)? = record[name] else {
                        return "\(name): \(record[name]?.description ?? "")"
                    }
                    return "\(name): \(members.map(\.description).sorted())"
                }
                return "\(record.id) \(values)"
            }.sorted()
        }

        /// Writes until the process kills itself; each number that all others will have is in a file before the next is
        /// written.
        ///
        /// Each member has a note whose value counts up, and they all change some that they have in common.
        static func writeUntilKilled(
            _ url: URL, _ document: String, name: String, acknowledged: URL, after delay: UInt32
        ) async throws {
            let shared = try await open(url, document: document)
            let file = try FileHandle(forWritingTo: acknowledged)
            var value = Int(try file.seekToEnd() / 8)
            Thread.detachNewThread {
                usleep(delay)
                kill(getpid(), SIGKILL)
            }
            while true {
                value += 1
                try await share(value, name, in: shared)
                try file.write(contentsOf: Data(count: 8))
                try file.synchronize()
            }
        }

        /// Writes a number, and returns when all others will have it.
        static func share(
            _ value: Int, _ name: String, in shared: ManagedDocument
        ) async throws {
            while true {
                do {
                    try write(value, name, in: shared.viewContext)
                    break
                } catch is ContextError {
                    // Others have just written the same.
                    shared.viewContext.rollback()
                }
            }
            try await whenReached { try await shared.save(durability: .shared) }
        }

        /// Does something, again and again as long as the log can't be reached.
        @discardableResult
        static func whenReached<Value>(_ body: () async throws -> Value) async throws -> Value {
            while true {
                do {
                    return try await body()
                } catch is PostgresSharedLog.Failure {
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
        }

        private static func write(
            _ value: Int, _ name: String, in context: ManagedObjectContext
        ) throws {
            try context.findOrInsert(Note.self, \.name, name).value = value
            let common = try context.findOrInsert(Note.self, \.name, "common \(value % 5)")
            common.value += 1
            common.notebook = try context.findOrInsert(
                Notebook.self, \.name, "book \(value % 3)")
            try context.save()
        }
    }
#endif
