import Foundation
import GRDB

/// A photo as GRDB's guides write a record, but for dates, which are numbers as in the C API.
struct PhotoRecord: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "photo"
    static let place = belongsTo(PlaceRecord.self)

    var id: Int64?
    var uniqueID: String
    var title: String
    var subtitle: String
    var url: String
    var views: Int
    var rating: Int
    var latitude: Double
    var longitude: Double
    var isFavorite: Bool
    var dateUploaded: Date
    var lastViewed: Date?
    var photographer: String
    var placeID: Int64?

    enum Columns {
        static let uniqueID = Column(CodingKeys.uniqueID)
        static let views = Column(CodingKeys.views)
        static let dateUploaded = Column(CodingKeys.dateUploaded)
        static let photographer = Column(CodingKeys.photographer)
        static let placeID = Column(CodingKeys.placeID)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) {
        id = inserted.rowID
    }

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSinceReferenceDate
    }

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSinceReferenceDate
    }
}

extension PhotoRecord {
    init(_ sample: PhotoSample) {
        uniqueID = sample.uniqueID
        title = sample.title
        subtitle = sample.subtitle
        url = sample.url
        views = sample.views
        rating = sample.rating
        latitude = sample.latitude
        longitude = sample.longitude
        isFavorite = sample.isFavorite
        dateUploaded = sample.dateUploaded
        lastViewed = sample.lastViewed
        photographer = sample.photographer
        placeID = Int64(sample.place + 1)
    }
}
