import PlacesKit
import WebSupport

/// A part of the rows of a query, as a page is sent it.
struct Table: Encodable {
    /// How many rows are sent at a time at most.
    private static let windowLimit = 200

    /// The edition of the document that the rows are of.
    var edition: Int
    /// How many records the query finds.
    var total: Int
    /// The position of the first row that is sent.
    var offset: Int
    var rows: [RecordRow]

    /// Makes the part that a page asks for: from a position on, moved along by as much as the row that it shows at
    /// its top has moved.
    init(
        _ query: TableQuery, _ request: WebRequest, in edition: LiveDocument.Edition,
        _ found: FoundRecords
    ) throws {
        let records = try found.records(query, in: edition)
        self.edition = edition.number
        total = records.count
        var offset = request["offset"].flatMap(Int.init) ?? 0
        if let anchor = request["anchor"].flatMap(ObjectID.init),
            let former = request["place"].flatMap(Int.init), former >= 0,
            let place = records.place(of: anchor, near: former)
        {
            offset = offset.addingReportingOverflow(place - former).partialValue
        }
        let count = min(request["limit"].flatMap(Int.init) ?? 100, Self.windowLimit)
        let start = min(max(0, offset), max(0, records.count - 1))
        self.offset = start
        let window = records[start..<min(records.count, start + max(0, count))]
        rows = try RowMaker(edition.reader, query.entity).rows(window)
    }
}

extension ObjectRecords {
    /// Where a record is now; it is looked for from where it was, but not everywhere.
    fileprivate func place(of id: ObjectID, near former: Int) -> Int? {
        guard !isEmpty else { return nil }
        let middle = Swift.min(Swift.max(0, former), count - 1)
        for distance in 0..<Swift.min(count, 10_000) {
            if middle >= distance, self[middle - distance].id == id { return middle - distance }
            if middle + distance < count, self[middle + distance].id == id {
                return middle + distance
            }
        }
        return nil
    }
}
