import Foundation
import PlacesKit
import Synchronization

/// A photo source that keeps all promises until a test takes one of its answers for another.
struct SpoiltPhotoSource: PhotoSource {
    /// A world with 120 photos within 4 km of the middle of Paris.
    static let base = SamplePhotoSource(seed: 3, placeCount: 12, photosPerPlace: 120)

    var name = "Spoilt"
    var capabilities = Set(PhotoSourceCapability.allCases)
    var caps = PhotoSourceCaps(reach: 4_000)
    var cachingPolicy = PhotoCachingPolicy(requiresCredit: true, requiresPageLink: true)

    /// What is done to every list, page and details before they are handed out.
    var spoilPhotos: @Sendable ([PhotoRecord]) -> [PhotoRecord] = { $0 }
    var placesAnswer: @Sendable () async throws -> [PlaceRecord] = { try await base.places() }
    var placePhotos: @Sendable (PlaceRecord, Int) async throws -> [PhotoRecord] = {
        try await base.photos(in: $0, limit: $1)
    }
    var recent: @Sendable (Int) async throws -> [PhotoRecord] = {
        try await base.recentPhotos(limit: $0)
    }
    var page: @Sendable (CoordinateArea, Int, Int) async throws -> PhotoPage = {
        try await base.photos(in: $0, page: $1, perPage: $2)
    }
    var detailsAnswer: @Sendable (String) async throws -> PhotoRecord = {
        try await base.details(ofPhoto: $0)
    }
    var names: @Sendable (Coordinate) async throws -> PlaceNames? = {
        try await base.placeNames(at: $0)
    }
    var namesOfPhoto: @Sendable (PhotoRecord) async throws -> PlaceNames? = {
        try await base.placeNames(of: $0)
    }
    var sizes: @Sendable (PhotoRecord) async throws -> [PhotoVariant] = { $0.variants }
    var picture: @Sendable (PhotoVariant) async throws -> Data = { variant in
        try Task.checkCancellation()
        return .picture(variant.url.absoluteString)
    }

    func places() async throws -> [PlaceRecord] { try await placesAnswer() }

    func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        spoilPhotos(try await placePhotos(place, limit))
    }

    func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        spoilPhotos(try await recent(limit))
    }

    func photos(in area: CoordinateArea, page number: Int, perPage: Int) async throws -> PhotoPage {
        var answer = try await page(area, number, perPage)
        answer.photos = spoilPhotos(answer.photos)
        return answer
    }

    func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        let photo = try await detailsAnswer(identifier)
        return spoilPhotos([photo]).first ?? photo
    }

    func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        try await names(coordinate)
    }

    func placeNames(of photo: PhotoRecord) async throws -> PlaceNames? {
        try await namesOfPhoto(photo)
    }

    func variants(of photo: PhotoRecord) async throws -> [PhotoVariant] { try await sizes(photo) }

    func data(for variant: PhotoVariant) async throws -> Data { try await picture(variant) }
}

/// A number that counts up, for all who ask.
final class SharedCounter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
