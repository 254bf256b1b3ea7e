import GRDB

/// A place as GRDB's guides write a record.
struct PlaceRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "place"

    var id: Int64
    var name: String
    var country: String

    enum Columns {
        static let name = Column(CodingKeys.name)
    }
}
