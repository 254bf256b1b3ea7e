extension World {
    /// The same photos at only two places, turn by turn.
    func withTwoPlaces() -> World {
        World(
            places: [
                PlaceSample(name: "Here", country: "Norway"),
                PlaceSample(name: "There", country: "Peru"),
            ],
            photos: photos.enumerated().map { number, photo in
                PhotoSample(
                    uniqueID: photo.uniqueID, title: photo.title, subtitle: photo.subtitle,
                    url: photo.url, views: photo.views, rating: photo.rating,
                    latitude: photo.latitude, longitude: photo.longitude,
                    isFavorite: photo.isFavorite, dateUploaded: photo.dateUploaded,
                    lastViewed: photo.lastViewed, photographer: photo.photographer,
                    place: number % 2)
            },
            lookedUpIDs: lookedUpIDs, photographers: photographers, namePrefixes: namePrefixes)
    }

    /// The positions of the photos that `relate` moves and `update-derived` marks: up to 1,000 of the first place, far apart.
    var movedPhotos: [Int] {
        let count = min(1_000, (photos.count + 1) / 2)
        return (0..<count).map { $0 * ((photos.count + 1) / 2) / count * 2 }
    }
}
