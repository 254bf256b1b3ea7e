import PlacesKit

/// Where the first records of a query are, for a map.
struct PlaceMarks: Encodable {
    struct Mark: Encodable {
        var id: String
        var title: String?
        var latitude: Double
        var longitude: Double
    }

    /// How many records are shown on a map at most.
    private static let limit = 2_000

    var edition: Int
    var marks: [Mark]
    /// How many records were looked at, and how many there are.
    var looked: Int
    var total: Int

    init(
        _ query: TableQuery, in edition: LiveDocument.Edition, _ found: FoundRecords
    ) throws {
        let reader = edition.reader
        let records = try found.records(query, in: edition)
        self.edition = edition.number
        total = records.count
        guard let names = reader.schema.coordinates(of: query.entity) else {
            (marks, looked) = ([], 0)
            return
        }
        let first = records.prefix(Self.limit)
        looked = first.count
        let title = reader.schema.title(of: query.entity)
        let values = try reader.values(
            of: [names.latitude, names.longitude] + (title.map { [$0] } ?? []), of: query.entity,
            for: first)
        marks = zip(first, values).compactMap { record, values in
            guard values.count > 1, let latitude = values[0].number,
                let longitude = values[1].number
            else { return nil }
            var mark = Mark(
                id: "\(record.id)", title: nil, latitude: latitude, longitude: longitude)
            if values.count > 2, case .attribute(let datum) = values[2] {
                mark.title = datum.title
            }
            return mark
        }
    }
}
