import PlacesKit
import Synchronization

/// The records that the last few queries found, so that scrolling through them does not look for them again.
final class FoundRecords: Sendable {
    private struct Found {
        var edition: Int
        var query: TableQuery
        var records: ObjectRecords
    }

    /// How many queries are remembered, each with four bytes a record.
    private static let limit = 16

    private let found = Mutex<[Found]>([])

    /// The records of a query, in an edition of the document.
    func records(_ query: TableQuery, in edition: LiveDocument.Edition) throws -> ObjectRecords {
        let known = found.withLock { found in
            found.first { $0.edition == edition.number && $0.query == query }?.records
        }
        if let known { return known }
        let records = try query.records(in: edition.reader)
        found.withLock { found in
            // What there was before is never asked for again, and would keep the old document in memory.
            let latest = max(edition.number, found.last?.edition ?? 0)
            found.removeAll { $0.edition < latest }
            if edition.number == latest {
                found.append(Found(edition: latest, query: query, records: records))
            }
            if found.count > Self.limit { found.removeFirst() }
        }
        return records
    }
}
