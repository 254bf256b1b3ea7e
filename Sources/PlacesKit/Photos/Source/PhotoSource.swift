public import Foundation

/// A source of photos: a web service, a folder, an invented world.
///
/// A source lists what it can do in `capabilities`. Any other call throws
/// `PhotoSourceError.unavailable`. A capability that the service no longer answers throws the same
/// error, whereas a search that finds nothing returns an empty list. You only have to write what
/// every source can do: the rest has defaults that throw. `PhotoSourceConformance` in
/// PlacesKitTesting checks all of the following.
///
/// - Lists of photos are newest first, unless the source can only sort them by distance or rank.
///   The same question has the same answer until something is published or removed: a shorter list
///   is the beginning of a longer one, and pages of any length contain the same photos, each once.
/// - Coordinates are points on the Earth, and dates are those of real days. A value that a service
///   leaves out, or writes as zero, is nil.
/// - Failures are thrown as `PhotoSourceError`, a cancelled task as `CancellationError`, and
///   nothing else is thrown.
/// - Calls may run at the same time. A cancelled call does not affect other callers.
public protocol PhotoSource: Sendable {
    /// The name to show users, such as "Flickr".
    var name: String { get }

    /// What this source can do.
    var capabilities: Set<PhotoSourceCapability> { get }

    /// How far one request and one search reach.
    var caps: PhotoSourceCaps { get }

    /// How long the source allows its replies to be kept, and what those who show them have to do.
    var cachingPolicy: PhotoCachingPolicy { get }

    /// The places where most photos are taken at present.
    func places() async throws -> [PlaceRecord]

    /// The newest photos taken in a place that this source returned; none for a limit below 1.
    func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord]

    /// The newest photos from anywhere that have a position; none for a limit below 1.
    func recentPhotos(limit: Int) async throws -> [PhotoRecord]

    /// One page of the photos taken in an area.
    ///
    /// Pages count from 1. For a page past the last usable one, the source returns the last usable
    /// page or an empty one; `PhotoPage.page` tells which.
    func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage

    /// All that the source knows about a photo; `PhotoSourceError.gone` if it has no such photo.
    func details(ofPhoto identifier: String) async throws -> PhotoRecord

    /// The names of the place at a point; nil if the source knows none.
    ///
    /// Throws `PhotoSourceError.invalidRequest` if the coordinate is not a point on the Earth.
    func placeNames(at coordinate: Coordinate) async throws -> PlaceNames?

    /// The names of the place of a photo; nil if it has no place, or the source knows no names.
    ///
    /// If the source has to look at the photo, and has it no more, it throws `PhotoSourceError.gone`: another photo of the
    /// place may tell.
    func placeNames(of photo: PhotoRecord) async throws -> PlaceNames?

    /// The sizes that a photo can be fetched in, smallest first.
    func variants(of photo: PhotoRecord) async throws -> [PhotoVariant]

    /// The encoded picture of a variant that this source returned.
    func data(for variant: PhotoVariant) async throws -> Data
}
