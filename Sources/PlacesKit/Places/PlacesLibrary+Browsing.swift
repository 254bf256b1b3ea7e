import Foundation
import PlacesPhotos

extension PlacesLibrary {
    /// The top places of the source, by country and name, without adding them to the library.
    ///
    /// - Throws: `PhotoSourceError`, or `CancellationError`.
    public nonisolated(nonsending) func browsePlaces() async throws -> [PlaceRecord] {
        let places = try await activity.during { try await source.places() }
        return places.sorted {
            ($0.section, $0.title, $0.name, $0.identifier)
                < ($1.section, $1.title, $1.name, $1.identifier)
        }
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
        try await activity.during { try await source.photos(in: place, limit: limit) }
    }
}
