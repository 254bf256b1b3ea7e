import Foundation
import PlacesPhotos

extension PlacesLibrary {
    /// The top places of the source, by country and name, without adding them to the library.
    ///
    /// - Throws: `PhotoSourceError`, or `CancellationError`.
    public nonisolated(nonsending) func browsePlaces() async throws -> [PlaceRecord] {
        let places = try await activity.during { [source] in try await source.places() }
        func key(_ place: PlaceRecord) -> [String] {
            [
                Alphabet.key(place.section), place.section, Alphabet.key(place.title),
                Alphabet.key(place.name), place.name, place.identifier,
            ]
        }
        return places.map { (key: key($0), place: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.place)
    }

    /// The newest photos of a place, without adding them to the library.
    ///
    /// - Throws: `PhotoSourceError`, or `CancellationError`.
    public nonisolated(nonsending) func browsePhotos(
        of place: PlaceRecord, limit: Int = 50
    ) async throws -> [PhotoRecord] {
        try await recentPhotos(of: place, limit: limit)
    }

    nonisolated(nonsending) func recentPhotos(
        of place: PlaceRecord, limit: Int
    ) async throws -> [PhotoRecord] {
        try await activity.during { [source] in try await source.photos(in: place, limit: limit) }
    }
}
