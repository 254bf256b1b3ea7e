public import Foundation
public import PlacesPhotos

/// Photos from an invented world of real cities, without network or key, the same in every run.
///
/// ```swift
/// let source = SamplePhotoSource()
/// let places = try await source.places()
/// let photos = try await source.photos(in: places[0], limit: 10)
/// ```
///
/// Every photo is computed on request, from the seed and an index: a world of a hundred million
/// photos costs nothing until you look at them. Sources with equal arguments have equal photos.
public struct SamplePhotoSource: PhotoSource {
    /// How many of the newest photos around a point a search examines.
    private static let searchDepth = 20_000
    /// How many of the photos around a point a search can return.
    private static let searchReach = 4_000

    /// The default reference date, just after the newest photo: 15 June 2025.
    public static let defaultReferenceDate = Date(timeIntervalSince1970: 1_749_945_600)

    /// "Sample".
    public var name: String { "Sample" }

    /// All capabilities.
    public var capabilities: Set<PhotoSourceCapability> { Set(PhotoSourceCapability.allCases) }

    /// Searches of 4,000 photos.
    public var caps: PhotoSourceCaps { PhotoSourceCaps(reach: Self.searchReach) }

    private let world: SampleWorld

    /// Creates a world.
    ///
    /// - Parameters:
    ///   - seed: The number from which everything else is computed.
    ///   - placeCount: How many places there are. The first 126 are real cities, further ones are
    ///     districts of these cities.
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

    /// How many photos there are in total.
    public var photoCount: Int { world.photoCount }

    /// The photo with a number, counted from 0 for the newest; nil if there are fewer photos.
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

    /// One page of the photos in an area.
    ///
    /// The search examines the newest 20,000 photos of the places around, and returns at most the
    /// newest 4,000 that match.
    public func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try Task.checkCancellation()
        try caps.validate(area, page: page, perPage: perPage)
        let (matches, isCapped) = try matches(in: area)
        let (shown, pageCount) = matches.page(page, of: perPage)
        return PhotoPage(
            page: page, usablePages: pageCount, photos: shown.map(world.photo),
            cap: isCapped ? matches.count : nil)
    }

    /// The photo with an identifier.
    ///
    /// - Throws: `PhotoSourceError.gone` if this world has no such photo.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        try Task.checkCancellation()
        guard let index = world.photoIndex(identifier: identifier) else {
            throw PhotoSourceError.gone(what: "The sample photo “\(identifier)”")
        }
        return world.photo(at: index)
    }

    /// The names of the nearest place within 40 km.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        try Task.checkCancellation()
        try coordinate.validate()
        let distances = (0..<world.placeCount).lazy.map {
            (place: $0, distance: world.coordinate(ofPlaceAt: $0).distance(to: coordinate))
        }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }),
            nearest.distance <= 40
        else { return nil }
        return world.placeNames(at: nearest.place)
    }

    /// The picture of a variant, a PNG file.
    ///
    /// - Complexity: O(n) in the number of its pixels.
    /// - Throws: `PhotoSourceError.gone` if this world has no such photo.
    public func data(for variant: PhotoVariant) async throws -> Data {
        try Task.checkCancellation()
        guard let (size, index) = SampleSize.parse(variant.url) else {
            throw PhotoSourceError.invalidRequest(reason: "\(variant.url) is no sample picture")
        }
        guard (0..<world.photoCount).contains(index) else {
            throw PhotoSourceError.gone(what: "The sample picture \(variant.url)")
        }
        return world.scene(ofPhotoAt: index).picture(size)
    }

    /// The numbers of the photos in an area, newest first, and whether there may be more.
    private func matches(in area: CoordinateArea) throws -> (numbers: [Int], isCapped: Bool) {
        let places = (0..<world.placeCount).filter { mayHavePhotos(in: area, place: $0) }
        guard !places.isEmpty else { return ([], false) }
        try Task.checkCancellation()
        var matches: [Int] = []
        let depth = max(1, Self.searchDepth / places.count)
        for layer in 0..<min(world.photosPerPlace, depth) {
            for place in places {
                let index = layer * world.placeCount + place
                guard area.contains(world.coordinate(ofPhotoAt: index)) else { continue }
                matches.append(index)
                if matches.count == Self.searchReach { return (matches, true) }
            }
        }
        return (matches, world.photosPerPlace > depth)
    }

    /// Whether a place is near enough to an area to have photos in it.
    private func mayHavePhotos(in area: CoordinateArea, place: Int) -> Bool {
        let middle = world.coordinate(ofPlaceAt: place)
        let reach = SampleWorld.scatter * 1.01
        switch area {
        case .circle(let center, let radius):
            return middle.distance(to: center) <= radius + reach
        case .box(let box):
            return box.expanded(by: reach).contains(middle)
        }
    }
}
