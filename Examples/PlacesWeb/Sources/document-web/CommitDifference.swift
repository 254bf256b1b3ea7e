import Foundation
import PlacesKit

/// What a commit changed, as a page shows it.
struct CommitDifference: Encodable {
    struct Record: Encodable {
        var id: String
        var title: String?
        /// What changed of it.
        var changes: [Change]?
    }

    struct Change: Encodable {
        var name: String
        /// An attribute's value before and after, or whom a to-one relationship led to.
        var old: Cell?
        var new: Cell?
        /// The members of a to-many relationship that came and went.
        var inserted: [String]?
        var removed: [String]?
    }

    /// How many records of a kind, and members of a relationship, are shown at most.
    private static let limit = 200

    var commit: Int
    var inserted: [Record]
    var updated: [Record]
    var deleted: [Record]
    /// How many there are of each, shown or not.
    var counts: [Int]

    init(from old: DocumentReader, to new: DocumentReader) throws {
        let changes = new.changes(since: old)
        commit = new.commit.number
        counts = [changes.inserted.count, changes.updated.count, changes.deleted.count]
        func records(_ ids: [ObjectID], _ reader: DocumentReader) throws -> [Record] {
            let shown = Array(ids.prefix(Self.limit))
            let titles = try reader.titles(of: shown)
            return shown.map { Record(id: "\($0)", title: titles[$0]) }
        }
        inserted = try records(changes.inserted, new)
        deleted = try records(changes.deleted, old)
        updated = try records(changes.updated.map(\.object), new)
        for (position, change) in changes.updated.prefix(Self.limit).enumerated() {
            updated[position].changes = change.properties.map(Change.init)
        }
    }
}

extension CommitDifference.Change {
    private static let textLimit = 300
    private static let memberLimit = 20

    fileprivate init(_ change: PropertyChange) {
        name = change.name
        switch change.values {
        case .attribute(let old, let new):
            (self.old, self.new) = (Self.cell(old), Self.cell(new))
        case .toOne(let old, let new):
            (self.old, self.new) = (Cell(), Cell())
            self.old?.record = old?.description
            self.new?.record = new?.description
        case .toMany(let inserted, let removed):
            self.inserted = inserted.prefix(Self.memberLimit).map(\.description)
            self.removed = removed.prefix(Self.memberLimit).map(\.description)
        }
    }

    private static func cell(_ datum: Datum) -> Cell {
        guard case .data(let data) = datum else { return Cell(datum, limit: textLimit) }
        var cell = Cell()
        cell.count = data.count
        return cell
    }
}
