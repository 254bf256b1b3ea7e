import Foundation

/// All photos and places, for Foundation's coders.
struct StoredRows: Codable {
    struct Photo: Codable {
        let id: Int
        let uniqueID: String
        let title: String
        let subtitle: String
        let url: String
        let views: Int
        let rating: Int
        let latitude: Double
        let longitude: Double
        let isFavorite: Bool
        let dateUploaded: Date
        let lastViewed: Date?
        let photographer: String
        let takenAt: Int?
    }

    struct Place: Codable {
        let id: Int
        let name: String
        let country: String
    }

    let photos: [Photo]
    let places: [Place]

    init(_ world: World) {
        photos = world.photos.enumerated().map { id, photo in
            Photo(
                id: id, uniqueID: photo.uniqueID, title: photo.title, subtitle: photo.subtitle,
                url: photo.url, views: photo.views, rating: photo.rating,
                latitude: photo.latitude, longitude: photo.longitude,
                isFavorite: photo.isFavorite, dateUploaded: photo.dateUploaded,
                lastViewed: photo.lastViewed, photographer: photo.photographer,
                takenAt: photo.place)
        }
        places = world.places.enumerated().map { id, place in
            Place(id: id, name: place.name, country: place.country)
        }
    }

    var checksum: Checksum {
        var checksum = Checksum()
        for photo in photos {
            checksum.add(
                titleLength: photo.title.utf8.count, views: photo.views, latitude: photo.latitude)
        }
        return checksum
    }
}
