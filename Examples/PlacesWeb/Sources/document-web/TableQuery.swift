import Foundation
import PlacesKit
import WebSupport

/// Which records a page shows, and in which order.
struct TableQuery: Hashable, Sendable {
    /// Whose members are meant, and not all records of the entity.
    struct Owner: Hashable, Sendable {
        var record: ObjectID
        var relationship: String

        /// The owner that is written as `Place/3/photos`.
        init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 2).map(String.init)
            guard parts.count == 3, let record = ObjectID("\(parts[0])/\(parts[1])") else {
                return nil
            }
            (self.record, relationship) = (record, parts[2])
        }
    }

    var entity: String
    /// A condition in the language of predicate formats; all records where it is empty.
    var filter: String
    /// The column that rows are sorted by.
    var sort: String?
    var isDescending: Bool
    var owner: Owner?

    /// The longest condition that is read.
    private static let filterLimit = 4_000

    /// The query that a page asks for.
    init(_ request: WebRequest) throws {
        entity = request["entity"] ?? ""
        filter = request["where"] ?? ""
        if filter.allSatisfy(\.isWhitespace) { filter = "" }
        guard filter.utf8.count <= Self.filterLimit else {
            throw QueryMistake("A condition may have \(Self.filterLimit) bytes at most.")
        }
        sort = request["sort"].flatMap { $0.isEmpty ? nil : $0 }
        isDescending = request["descending"] == "true"
        owner = request["of"].flatMap(Owner.init)
    }

    /// The query as a person would write it.
    var text: String {
        let membership = owner.map { "one of \($0.record)’s \($0.relationship)" }
        let conditions = [membership, filter.isEmpty ? nil : filter].compactMap(\.self)
        return entity
            + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
            + (sort.map { " SORT \($0)" + (isDescending ? " DESC" : "") } ?? "")
    }

    // MARK: - Asking

    /// The records in a document.
    func records(in reader: DocumentReader) throws -> ObjectRecords {
        try asking(reader) { try reader.records($0) }
    }

    /// How the records are found in a document.
    func explanation(in reader: DocumentReader) throws -> QueryExplanation {
        try asking(reader) { try reader.explain($0) }
    }

    private func asking<Value>(
        _ reader: DocumentReader, _ body: (RecordQuery) throws -> Value
    ) throws -> Value {
        guard reader.schema.entity(named: entity) != nil else {
            throw QueryMistake("There is no entity “\(entity)” in this document.")
        }
        do {
            // By itself first: else what follows it in the query would be taken for a part of it.
            if !filter.isEmpty { _ = try PredicateFormat(filter) }
        } catch {
            throw QueryMistake(error, behind: 0)
        }
        let membership = try membership(in: reader)
        var text = "%K"
        var conditionStart = 0
        if let membership { text += " WHERE \(membership.condition)" }
        if !filter.isEmpty {
            text += membership == nil ? " WHERE (" : " AND ("
            conditionStart = text.count
            text += filter + ")"
        }
        if let column = try sortColumn(in: reader.schema) {
            text += " SORT \(column)" + (isDescending ? " DESC" : "")
        }
        do {
            return try body(
                try membership.map { try RecordQuery(text, entity, $0.argument) }
                    ?? RecordQuery(text, entity))
        } catch let error as PredicateFormatError {
            throw QueryMistake(error, behind: conditionStart, length: filter.count)
        }
    }

    private func sortColumn(in schema: Schema) throws -> String? {
        guard let sort else { return nil }
        guard let path = schema.columns(of: entity).first(where: { $0.name == sort })?.sortPath
        else { throw QueryMistake("Rows cannot be sorted by “\(sort)”.") }
        return path
    }

    /// The condition that only members of a relationship satisfy, and its argument.
    private func membership(
        in reader: DocumentReader
    ) throws -> (condition: String, argument: Any)? {
        guard let owner else { return nil }
        let columns = reader.schema.columns(of: owner.record.entity)
        guard let relationship = columns.first(where: { $0.name == owner.relationship }),
            let destination = relationship.destination
        else { throw QueryMistake("\(owner.record) has no relationship “\(owner.relationship)”.") }
        guard let inverse = relationship.inverse,
            let back = reader.schema.columns(of: destination).first(where: { $0.name == inverse })
        else {
            return ("SELF IN %@", try reader.members(of: owner.relationship, of: owner.record))
        }
        let path = inverse.asKeyPath
        return (back.kind == .records ? "ANY \(path) == %@" : "\(path) == %@", owner.record)
    }
}

extension DocumentReader {
    /// The record of an identifier.
    func record(_ id: ObjectID) throws -> ObjectRecord? {
        guard schema.entity(named: id.entity) != nil else { return nil }
        return try records(RecordQuery("%K WHERE SELF == %@", id.entity, id)).first
    }

    /// The members of a to-many relationship.
    func members(of relationship: String, of id: ObjectID) throws -> [ObjectID] {
        guard case .objects(let members)? = try record(id)?[relationship] else { return [] }
        return members
    }
}

/// What is wrong with what a page asked for, and in which column of the condition.
struct QueryMistake: Error {
    var text: String
    /// Where the mistake begins in the condition, in characters from 1.
    var column: Int?

    init(_ text: String) { self.text = text }

    /// A mistake in a text of which so many characters are the program's own.
    init(_ error: PredicateFormatError, behind start: Int, length: Int = .max) {
        var shown = error
        shown.column -= start
        // What is wrong, without the query that the page shows anyway.
        let line = shown.description.prefix { !$0.isNewline }
        let end = line.range(of: ", in column ", options: .backwards)?.lowerBound
        text = String(line[..<(end ?? line.endIndex)])
        if shown.column >= 1, shown.column - 1 <= length { column = shown.column }
    }
}
