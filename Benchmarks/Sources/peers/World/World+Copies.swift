extension World {
    /// The same world in strings of its own, which whoever stores them alone keeps alive.
    func copied() -> World {
        func copy(_ text: String) -> String {
            String(decoding: ContiguousArray(text.utf8), as: UTF8.self)
        }
        return World(
            places: places.map { PlaceSample(name: copy($0.name), country: copy($0.country)) },
            photos: photos.map { photo in
                PhotoSample(
                    uniqueID: copy(photo.uniqueID), title: copy(photo.title),
                    subtitle: copy(photo.subtitle), url: copy(photo.url), views: photo.views,
                    rating: photo.rating, latitude: photo.latitude, longitude: photo.longitude,
                    isFavorite: photo.isFavorite, dateUploaded: photo.dateUploaded,
                    lastViewed: photo.lastViewed, photographer: copy(photo.photographer),
                    place: photo.place)
            },
            lookedUpIDs: [], photographers: [], namePrefixes: [])
    }
}
