import Foundation

/// Finds the names of places through photos that were taken there.
///
/// Flickr's own methods for places no longer return regions, but the location of a photo still
/// contains them. The names of each place are fetched once, and remembered.
struct FlickrPlaceNamer: Sendable {
    let client: FlickrClient
    private let memory = FlickrPlaceMemory()
    let questions = SharedWork<FlickrPlaceKey, FlickrPlaceAnswer>()

    /// The names of a place, from the location of one of its photos.
    ///
    /// They are nil if the photo lost its location, or was taken where nothing has a name. If it was deleted, this throws
    /// `PhotoSourceError.gone`: another photo can tell.
    func names(of key: FlickrPlaceKey, byPhoto identifier: String) async throws -> PlaceNames? {
        let answer = try await questions.value(for: key) {
            // Looked up here, or an answer that came since the look would be asked for again.
            if let known = await memory[key] { return .names(known) }
            let answer = try await location(ofPhoto: identifier)
            if case .names(let names?) = answer { await memory.remember(names, for: key) }
            return answer
        }
        switch answer {
        case .names(let names): return names
        case .lost(identifier): return nil
        case .gone(identifier): throw PhotoSourceError.gone(what: "Photo \(identifier)")
        // Who asked first did so by this other photo.
        case .lost, .gone: return try await names(of: key, byPhoto: identifier)
        }
    }

    /// The names of the place at a point, from the newest photos around it; nil if none has any.
    func names(at coordinate: Coordinate, photos: () async throws -> [PhotoRecord]) async throws
        -> PlaceNames?
    {
        let key = FlickrPlaceKey(cellOf: coordinate)
        try Task.checkCancellation()
        if let known = await memory[key] { return known }
        return try await names(of: key, byAnyOf: photos())
    }

    /// The names of a place, from the first of some of its photos that is still there and tells any; nil if none is.
    func names(of key: FlickrPlaceKey, byAnyOf photos: [PhotoRecord]) async throws -> PlaceNames? {
        for photo in photos {
            do {
                if let names = try await names(of: key, byPhoto: photo.identifier) { return names }
            } catch PhotoSourceError.gone {}
        }
        return nil
    }

    private func location(ofPhoto identifier: String) async throws -> FlickrPlaceAnswer {
        do {
            let reply = try await client.call(
                "flickr.photos.geo.getLocation", aboutPhoto: identifier)
            return .names(PlaceNames(flickr: try reply.content("photo")["location"]))
        } catch PhotoSourceError.gone {
            return .gone(identifier)
        } catch PhotoSourceError.service(let failure)
            where failure.code == "\(FlickrErrorCode.noLocation)"
        {
            return .lost(identifier)
        }
    }
}

/// What the location of a photo says of its place.
enum FlickrPlaceAnswer: Sendable {
    /// How it is called; nil if nothing has a name there.
    case names(PlaceNames?)
    /// Nothing, for this photo has no location any more.
    case lost(String)
    /// Nothing, for this photo was deleted.
    case gone(String)
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
