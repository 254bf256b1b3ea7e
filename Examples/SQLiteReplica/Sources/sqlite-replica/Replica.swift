import Foundation
import PlacesGraph

/// A document's objects in SQLite: a table for each entity, and beside them one of the commits, so that
/// each commit is in it once, whenever the process dies.
///
/// It is as small as can be: many-to-many relationships, and entities that inherit, are left out.
final class Replica {
    let database: Database
    /// Whether all was copied, because the document's files did not reach back far enough.
    private(set) var isCopied = false

    /// Makes the tables of a schema, unless they are there.
    init(at path: String, of schema: Schema) throws {
        database = try Database(at: path)
        // A commit that came twice would be refused.
        try database.run("CREATE TABLE IF NOT EXISTS commits (number INTEGER PRIMARY KEY)")
        for entity in schema.entities {
            let columns = schema.columns(of: entity).map { ", \($0.quoted)" }.joined()
            try database.run(
                "CREATE TABLE IF NOT EXISTS \(entity.name.quoted) (id INTEGER PRIMARY KEY\(columns))"
            )
        }
    }

    /// The last commit that the tables have; `nil` where they have none.
    func lastCommit() throws -> Int? {
        let rows = try database.run("SELECT MAX(number) FROM commits")
        guard case .integer(let number)? = rows.first?.first else { return nil }
        return Int(number)
    }

    /// Follows a document until it is closed, on the caller's actor, which is free while nothing comes.
    nonisolated(nonsending) func follow(_ document: ManagedDocument) async throws {
        do {
            try await apply(document.changes(since: try lastCommit() ?? 0))
        } catch HistoryError.notKept {
            // The files do not reach back so far, so all is copied, and followed from there on.
            try await copy(document)
            try await apply(document.changes(since: try lastCommit() ?? 0))
        }
    }

    private nonisolated(nonsending) func apply(
        _ changes: AsyncThrowingStream<ChangeRecord, any Error>
    ) async throws {
        for try await change in changes {
            try database.transaction {
                for id in change.deleted { try delete(id) }
                for object in change.inserted { try write(object) }
                for object in change.updated { try write(object) }
                try add(change.commit)
            }
        }
    }

    /// Takes what the document's files hold in place of what there is.
    private nonisolated(nonsending) func copy(_ document: ManagedDocument) async throws {
        isCopied = true
        let reader = try await DocumentReader.open(at: document.url)
        try database.transaction {
            for entity in reader.schema.entities {
                try database.run("DELETE FROM \(entity.name.quoted)")
                // What is exported has the form that the values of changes have.
                var json = Data()
                try reader.write(
                    RecordQuery("%K", entity.name),
                    keyPaths: ["id"] + reader.schema.columns(of: entity), as: .json
                ) { json += $0 }
                for values in try JSONDecoder().decode([[String: JSONValue]].self, from: json) {
                    try write(values, to: entity.name)
                }
            }
            try database.run("DELETE FROM commits")
            try add(reader.commit.number)
        }
    }

    // MARK: - Rows

    private func add(_ commit: Int) throws {
        try database.run("INSERT INTO commits VALUES (?)", [.integer(Int64(commit))])
    }

    private func write(_ object: ChangeRecord.Object) throws {
        var values = object.values
        values["id"] = .integer(object.id.number)
        try write(values, to: object.id.entity)
    }

    /// Makes a row, or changes some columns of one that is there.
    private func write(_ values: [String: JSONValue], to table: String) throws {
        let names = values.keys.sorted()
        let columns = names.map(\.quoted).joined(separator: ", ")
        let places = names.map { _ in "?" }.joined(separator: ", ")
        let changes = names.map { "\($0.quoted) = excluded.\($0.quoted)" }.joined(separator: ", ")
        try database.run(
            """
            INSERT INTO \(table.quoted) (\(columns)) VALUES (\(places)) \
            ON CONFLICT (id) DO UPDATE SET \(changes)
            """, names.map { Value(values[$0] ?? .null) })
    }

    private func delete(_ id: ObjectID) throws {
        try database.run("DELETE FROM \(id.entity.quoted) WHERE id = ?", [.integer(id.number)])
    }
}

extension Schema {
    /// The properties of an entity that are columns: all but to-many relationships, of which the other
    /// end tells, and what follows from others.
    func columns(of entity: EntityDescription) -> [String] {
        lineage(of: entity).flatMap(\.properties).compactMap { property in
            if let relationship = property.relationship {
                relationship.isToMany ? nil : relationship.name
            } else {
                property.attribute?.derivation == nil ? property.name : nil
            }
        }
    }
}

extension Value {
    /// A value of a journal.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .integer(value ? 1 : 0)
        case .integer(let value): self = .integer(value)
        case .unsigned(let value): self = .text(String(value))
        case .number(let value): self = .real(value)
        case .string(let value): self = .text(value)
        case .array, .object: self = .text((try? value.text) ?? "")
        }
    }
}

extension JSONValue {
    fileprivate var text: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}

extension String {
    /// The name as SQL has it.
    var quoted: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
