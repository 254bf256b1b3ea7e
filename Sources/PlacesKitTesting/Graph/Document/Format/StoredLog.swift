package import Foundation
package import PlacesGraph

/// What the commits of a shared log make, one after the other, according to their lines alone.
///
/// It follows <doc:DocumentFormat> with the slow code that checks documents, and shares nothing with that by which
/// members take commits in.
package struct StoredLog {
    private var graph: StoredGraph
    /// The bytes of all values to which lines referred, by their digests.
    private var values: [String: Data] = [:]
    /// The number of the last commit.
    package private(set) var number: Int64 = 0

    /// Begins without objects.
    ///
    /// - Parameter journal: The journal of any member, which has the schema.
    /// - Throws: ``StoredDocumentError``, or an error of the decoder.
    package init(journal: [UInt8]) throws {
        graph = StoredGraph(try StoredJournal(Data(journal)).schema)
    }

    /// Makes the next commit.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - bytes: The bytes that the log has, by their digests.
    /// - Throws: ``StoredDocumentError`` if the line is not that of the next commit or can't be made, if the log lacks
    ///   bytes to which it refers, or if the objects then contradict the schema.
    package mutating func apply(_ line: Data, _ bytes: [String: Data]) throws {
        guard line.last == UInt8(ascii: "\n"), let members = StoredJournal.line(line.dropLast())
        else { throw StoredDocumentError("the line after commit \(number) is damaged") }
        guard members["commit"] == .integer(number + 1) else {
            throw StoredDocumentError("the line after commit \(number) is of another commit")
        }
        for value in members["values"]?.list ?? [] {
            guard let digest = value.list?.first?.text, let found = bytes[digest],
                value.list?.last == .integer(Int64(found.count))
            else {
                throw StoredDocumentError("commit \(number + 1) refers to bytes that are missing")
            }
            values[digest] = found
        }
        number += 1
        try graph.apply(members)
        let violations = graph.violations
        guard violations.isEmpty else { throw StoredDocumentError(violations: violations) }
    }

    /// What a member holds differently, whose order in relationships that have none does not matter.
    package func differences(from snapshot: GraphSnapshot) throws -> [String] {
        try graph.differences(from: snapshot.records, isOrderGiven: false) { reference in
            guard let digest = reference["sha256"]?.text, let bytes = values[digest] else {
                throw StoredDocumentError("commit \(number) refers to other bytes than it says")
            }
            return bytes
        }
    }

    /// How many objects of an entity have a text as the value of an attribute.
    package func count(of entity: String, with attribute: String, _ text: String) -> Int {
        graph.objects.values.count {
            $0.entity == entity && $0.values[attribute] == .text(text)
        }
    }
}
