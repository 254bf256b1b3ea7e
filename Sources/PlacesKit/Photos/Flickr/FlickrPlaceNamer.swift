import Foundation

/// Finds the names of places through photos that were taken there.
///
/// Flickr's own methods for places no longer return regions, but the location of a photo still
/// contains them. The names of each place are fetched once, and remembered.
struct FlickrPlaceNamer: Sendable {
    let client: FlickrClient
    private let memory = FlickrPlaceMemory()
    private let questions = SharedWork<FlickrPlaceKey, PlaceNames?>()

    /// The names of a place, from the location of one of its photos.
    ///
    /// They are nil if the photo was deleted, lost its location, or was taken where nothing has a
    /// name.
    func names(of key: FlickrPlaceKey, byPhoto identifier: String) async throws -> PlaceNames? {
        try Task.checkCancellation()
        if let known = await memory[key] { return known }
        return try await questions.value(for: key) {
            guard let names = try await location(ofPhoto: identifier) else { return nil }
            await memory.remember(names, for: key)
            return names
        }
    }

    /// The names of the place at a point, from the newest photos around it; nil if none has any.
    func names(at coordinate: Coordinate, photos: () async throws -> [PhotoRecord]) async throws
        -> PlaceNames?
    {
        let key = FlickrPlaceKey(cellOf: coordinate)
        try Task.checkCancellation()
        if let known = await memory[key] { return known }
        for photo in try await photos() {
            if let names = try await names(of: key, byPhoto: photo.identifier) { return names }
        }
        return nil
    }

    private func location(ofPhoto identifier: String) async throws -> PlaceNames? {
        do {
            let reply = try await client.call(
                "flickr.photos.geo.getLocation", [("photo_id", identifier)])
            return PlaceNames(flickr: try reply.content("photo")["location"])
        } catch PhotoSourceError.service(let failure)
            where [FlickrErrorCode.notFound, FlickrErrorCode.noLocation].map(String.init)
            .contains(failure.code)
        {
            return nil
        }
    }
}

/// Remembers the names of places.
private actor FlickrPlaceMemory {
    private static let capacity = 4_096
    private var names: [FlickrPlaceKey: PlaceNames] = [:]

    subscript(key: FlickrPlaceKey) -> PlaceNames? { names[key] }

    func remember(_ found: PlaceNames, for key: FlickrPlaceKey) {
        if names.count >= Self.capacity { names.removeAll() }
        names[key] = found
    }
}
