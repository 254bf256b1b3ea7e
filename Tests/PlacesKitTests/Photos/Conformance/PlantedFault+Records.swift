import Foundation
import PlacesKit

extension PlantedFault {
    static let records: [PlantedFault] = [
        inPhotos("photos have no identifiers") { $0.identifier = "" },
        inPhotos("photos have other identifiers each time") { $0.identifier = UUID().uuidString },
        inPhotos("latitudes lie beyond the pole") { $0.coordinate?.latitude = 90.5 },
        inPhotos("longitudes count to 360") { $0.coordinate?.longitude = 357.6 },
        inPhotos("coordinates are no numbers") { $0.coordinate?.latitude = .nan },
        inPhotos("latitude and longitude are exchanged") { photo in
            photo.coordinate = photo.coordinate.map {
                Coordinate(latitude: $0.longitude, longitude: $0.latitude)
            }
        },
        inPhotos("unknown points are 0, 0") {
            $0.coordinate = Coordinate(latitude: 0, longitude: 0)
        },
        inPhotos("dates in milliseconds are read as seconds") { photo in
            photo.uploaded = photo.uploaded.map {
                Date(timeIntervalSince1970: $0.timeIntervalSince1970 * 1_000)
            }
        },
        inPhotos("dates in seconds are read as milliseconds") { photo in
            photo.uploaded = photo.uploaded.map {
                Date(timeIntervalSince1970: $0.timeIntervalSince1970 / 1_000)
            }
        },
        inPhotos("a missing date is 1970") { $0.uploaded = Date(timeIntervalSince1970: 0) },
        inPhotos("a missing date is long ago") { $0.uploaded = .distantPast },
        inPhotos("seconds since 2001 are read as since 1970, from the year before") { photo in
            photo.uploaded = photo.uploaded.map {
                Date(timeIntervalSinceReferenceDate: $0.timeIntervalSince1970)
            }
        },
        inPhotos("photos were taken in the year 0001") { $0.taken = LocalDate(year: 1) },
        inPhotos("photos will be taken") { $0.taken = LocalDate(year: 9_999) },
        inPhotos("the instant of a photo is no number") { photo in
            photo.taken = LocalDate(year: 2020, month: 5, day: 1)
            photo.takenInstant = Date(timeIntervalSince1970: .nan)
        },
        inPhotos("the instant of a photo is days from its local time") { photo in
            photo.taken = LocalDate(year: 2020, month: 5, day: 1)
            photo.takenInstant = Date(timeIntervalSince1970: 1_588_636_800)
        },
        inPhotos("photos have no credit line") { $0.creditLine = "" },
        inPhotos("photos have no page") { $0.pageURL = nil },
        inPhotos("photos link to a script") { $0.pageURL = URL(string: "javascript:alert(1)") },
        inPhotos("photos link to a path") { $0.pageURL = URL(string: "/photos/1") },
        inPhotos("sizes are largest first") { $0.variants.reverse() },
        inPhotos("two sizes have the same name") { photo in
            for index in photo.variants.indices { photo.variants[index].name = "size" }
        },
        inPhotos("a size is no pixel wide") { photo in
            if !photo.variants.isEmpty { photo.variants[0].width = 0 }
        },
        inPhotos("the longest edge is shorter than the width") { photo in
            if !photo.variants.isEmpty { photo.variants[0].longestEdge = 1 }
        },
        inPhotos("a size has no address") { photo in
            if !photo.variants.isEmpty { photo.variants[0].url = URL(filePath: "x").relative }
        },
        inPhotos("all photos have the pictures of the first") { photo in
            photo.variants = base.photo(at: 0)?.variants ?? []
        },
    ]
}

extension URL {
    /// An address of nothing but a path.
    fileprivate var relative: URL { URL(string: lastPathComponent) ?? self }
}
