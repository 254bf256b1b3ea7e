public import Foundation

/// Photos from an invented world of real cities, without network or key, the same in every run.
///
/// ```swift
/// let source = SamplePhotoSource()
/// let places = try await source.places()
/// let photos = try await source.photos(in: places[0], limit: 10)
/// ```
///
/// Everything is computed when asked for, from the seed and an index: a world of a hundred million photos
/// costs nothing until one looks at them. Sources of equal arguments are equal worlds.
public struct SamplePhotoSource: PhotoSource {
    /// How many of the newest photos around a point a search looks at.
    private static let searchDepth = 20_000
    /// How many of the photos around a point a search can reach.
    private static let searchReach = 4_000

    /// The moment just after the newest photo of a world that was given no other: 15 June 2025.
    public static let defaultReferenceDate = Date(timeIntervalSince1970: 1_749_945_600)

    /// "Sample".
    public var name: String { "Sample" }

    private let world: SampleWorld

    /// Creates a world.
    ///
    /// - Parameters:
    ///   - seed: What all else follows from.
    ///   - placeCount: How many places there are. The first 126 are real cities, further ones districts of them.
    ///   - photosPerPlace: How many photos each place has.
    ///   - photographerCount: How many photographers took them, at least one.
    ///   - referenceDate: The moment from which upload dates count back, over about two years.
    public init(
        seed: UInt64 = 1,
        placeCount: Int = 126,
        photosPerPlace: Int = 60,
        photographerCount: Int = 200,
        referenceDate: Date = defaultReferenceDate
    ) {
        let placeCount = max(0, placeCount)
        world = SampleWorld(
            seed: seed,
            placeCount: placeCount,
            photosPerPlace: min(max(0, photosPerPlace), Int.max / max(1, placeCount)),
            photographerCount: max(1, photographerCount),
            referenceDate: referenceDate)
    }

    /// How many photos there are in all.
    public var photoCount: Int { world.photoCount }

    /// The photo of a number, counted from 0 for the newest; nil if there are not so many.
    ///
    /// - Complexity: O(1).
    public func photo(at index: Int) -> PhotoRecord? {
        (0..<world.photoCount).contains(index) ? world.photo(at: index) : nil
    }

    /// All places.
    public func places() async throws -> [PlaceRecord] {
        try Task.checkCancellation()
        return (0..<world.placeCount).map(world.place)
    }

    /// The newest photos of a place; none if this world has no such place.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        try Task.checkCancellation()
        guard let index = world.placeIndex(identifier: place.identifier) else { return [] }
        return (0..<min(max(0, limit), world.photosPerPlace)).map {
            world.photo(at: $0 * world.placeCount + index)
        }
    }

    /// The newest photos of the world.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        try Task.checkCancellation()
        return (0..<min(max(0, limit), world.photoCount)).map(world.photo)
    }

    /// One page of the photos within so many kilometres of a point.
    ///
    /// It looks at the newest 20,000 photos of the places around and reaches the newest 4,000 that match.
    public func photos(
        near coordinate: Coordinate, radius kilometers: Double, page: Int, perPage: Int
    ) async throws -> PhotoPage {
        try Task.checkCancellation()
        guard coordinate.isValid, kilometers > 0, page > 0, perPage > 0 else {
            throw PhotoSourceError.invalidRequest(
                reason:
                    "a point of the Earth, a radius above 0 km, and page and size from 1 are needed"
            )
        }
        let matches = try matches(near: coordinate, radius: kilometers)
        let pageCount = matches.count / perPage + (matches.count % perPage == 0 ? 0 : 1)
        guard page <= pageCount else {
            return PhotoPage(page: page, usablePages: pageCount, photos: [])
        }
        let shown = matches.dropFirst((page - 1) * perPage).prefix(perPage)
        return PhotoPage(page: page, usablePages: pageCount, photos: shown.map(world.photo))
    }

    /// The picture of a variant, a BMP file of at most 64 by 48 pixels.
    ///
    /// - Throws: `PhotoSourceError.gone` if this world has no such photo.
    public func data(for variant: PhotoVariant) async throws -> Data {
        try Task.checkCancellation()
        guard let (size, index) = SampleSize.parse(variant.url) else {
            throw PhotoSourceError.invalidRequest(reason: "\(variant.url) is no sample picture")
        }
        guard (0..<world.photoCount).contains(index) else {
            throw PhotoSourceError.gone(what: "The sample picture \(variant.url)")
        }
        return world.picture(size, ofPhotoAt: index)
    }

    /// The numbers of the photos around a point, newest first.
    private func matches(near center: Coordinate, radius: Double) throws -> [Int] {
        let reach = radius + SampleWorld.scatter * 1.01
        let places = (0..<world.placeCount).filter {
            world.coordinate(ofPlaceAt: $0).distance(to: center) <= reach
        }
        guard !places.isEmpty else { return [] }
        try Task.checkCancellation()
        var matches: [Int] = []
        for layer in 0..<min(world.photosPerPlace, max(1, Self.searchDepth / places.count)) {
            for place in places {
                let index = layer * world.placeCount + place
                guard world.coordinate(ofPhotoAt: index).distance(to: center) <= radius else {
                    continue
                }
                matches.append(index)
                if matches.count == Self.searchReach { return matches }
            }
        }
        return matches
    }
}
