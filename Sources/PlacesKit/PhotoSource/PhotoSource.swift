public import Foundation

/// Somewhere photos come from: a web service, a folder, an invented world.
///
/// All lists are newest first. A source reports its failures as `PhotoSourceError` and a cancelled task
/// as `CancellationError`, and nothing else; "nothing found" is an empty list, but a source that cannot
/// know answers `PhotoSourceError.unavailable`. Calls may run at the same time.
public protocol PhotoSource: Sendable {
    /// The name to show users, such as "Flickr".
    var name: String { get }

    /// The places where most photos are taken at present.
    func places() async throws -> [PlaceRecord]

    /// The newest photos taken in a place that this source has named.
    func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord]

    /// The newest photos from anywhere that say where they were taken.
    func recentPhotos(limit: Int) async throws -> [PhotoRecord]

    /// One page of the photos taken within so many kilometres of a point.
    ///
    /// Pages count from 1. A page past the last usable one is answered with the last usable page or with
    /// an empty one; `PhotoPage.page` tells.
    func photos(
        near coordinate: Coordinate, radius kilometers: Double, page: Int, perPage: Int
    ) async throws -> PhotoPage

    /// The encoded picture of a variant that this source has handed out.
    func data(for variant: PhotoVariant) async throws -> Data
}

extension PhotoSource {
    /// The 50 newest photos taken in a place that this source has named.
    public func photos(in place: PlaceRecord) async throws -> [PhotoRecord] {
        try await photos(in: place, limit: 50)
    }

    /// One page of 21 photos taken within so many kilometres of a point.
    public func photos(
        near coordinate: Coordinate, radius kilometers: Double, page: Int = 1
    ) async throws -> PhotoPage {
        try await photos(near: coordinate, radius: kilometers, page: page, perPage: 21)
    }
}
