public import Foundation

/// Somewhere photos come from: a web service, a folder, an invented world.
///
/// A source names what it can do in `capabilities`, and what it is asked beyond that throws
/// `PhotoSourceError.unavailable`; so does an ability that exists but answers nothing, whereas "nothing
/// found" is an empty list. Only what every source can do has to be written: the rest has defaults that
/// throw. `PhotoSourceConformance` in PlacesKitTesting checks all that is said here.
///
/// - Lists of photos are newest first, unless the source can only sort them by distance or rank. The same
///   question has the same answer until something is published or removed: a list of fewer photos is the
///   beginning of one of more, and pages of any length show the same photos, each once.
/// - Coordinates are points of the Earth, and dates those of real days; what a service leaves out, or writes
///   as zero, is nil.
/// - Failures are thrown as `PhotoSourceError`, a cancelled task as `CancellationError`, nothing else.
/// - Calls may run at the same time, and being cancelled concerns only the caller who was.
public protocol PhotoSource: Sendable {
    /// The name to show users, such as "Flickr".
    var name: String { get }

    /// What this source can do.
    var capabilities: Set<PhotoSourceCapability> { get }

    /// How far one request and one search reach.
    var caps: PhotoSourceCaps { get }

    /// For how long the source allows its answers to be kept, and what it asks of those who show them.
    var cachingPolicy: PhotoCachingPolicy { get }

    /// The places where most photos are taken at present.
    func places() async throws -> [PlaceRecord]

    /// The newest photos taken in a place that this source has named; none for a limit below 1.
    func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord]

    /// The newest photos from anywhere that say where they were taken; none for a limit below 1.
    func recentPhotos(limit: Int) async throws -> [PhotoRecord]

    /// One page of the photos taken in an area.
    ///
    /// Pages count from 1. A page past the last usable one is answered with the last usable page or with
    /// an empty one; `PhotoPage.page` tells.
    func photos(in area: PhotoArea, page: Int, perPage: Int) async throws -> PhotoPage

    /// All the source says of one photo; `PhotoSourceError.gone` if it has none of that identifier.
    func details(ofPhoto identifier: String) async throws -> PhotoRecord

    /// What the place at a point is called; nil where the source knows no name, and
    /// `PhotoSourceError.invalidRequest` for what is no point of the Earth.
    func placeNames(at coordinate: Coordinate) async throws -> PlaceNames?

    /// What the place of a photo is called; nil if it has none, or none that the source knows.
    func placeNames(of photo: PhotoRecord) async throws -> PlaceNames?

    /// The sizes that a photo can be fetched in, smallest first.
    func variants(of photo: PhotoRecord) async throws -> [PhotoVariant]

    /// The encoded picture of a variant that this source has handed out.
    func data(for variant: PhotoVariant) async throws -> Data
}
