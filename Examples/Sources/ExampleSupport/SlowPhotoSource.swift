import Foundation
import PlacesKit

/// A source that takes its time, so that one can see what a network does to a program.
struct SlowPhotoSource: PhotoSource {
    private let base: any PhotoSource
    private let delay: Duration

    init(_ base: any PhotoSource, delay: Duration) {
        self.base = base
        self.delay = delay
    }

    var name: String { base.name }
    var capabilities: Set<PhotoSourceCapability> { base.capabilities }
    var caps: PhotoSourceCaps { base.caps }
    var cachingPolicy: PhotoCachingPolicy { base.cachingPolicy }

    func places() async throws -> [PlaceRecord] {
        try await Task.sleep(for: delay)
        return try await base.places()
    }

    func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        try await Task.sleep(for: delay)
        return try await base.photos(in: place, limit: limit)
    }

    func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        try await Task.sleep(for: delay)
        return try await base.recentPhotos(limit: limit)
    }

    func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try await Task.sleep(for: delay)
        return try await base.photos(in: area, page: page, perPage: perPage)
    }

    func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        try await Task.sleep(for: delay)
        return try await base.details(ofPhoto: identifier)
    }

    func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        try await Task.sleep(for: delay)
        return try await base.placeNames(at: coordinate)
    }

    func placeNames(of photo: PhotoRecord) async throws -> PlaceNames? {
        try await Task.sleep(for: delay)
        return try await base.placeNames(of: photo)
    }

    func data(for variant: PhotoVariant) async throws -> Data {
        try await Task.sleep(for: delay)
        return try await base.data(for: variant)
    }
}
