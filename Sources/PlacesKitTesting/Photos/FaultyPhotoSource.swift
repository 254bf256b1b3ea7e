public import Foundation
public import PlacesKit

/// A photo source whose calls go wrong as scripted.
///
/// Each call takes the next fault; the last one holds for all further ones.
public struct FaultyPhotoSource: PhotoSource {
    private let base: any PhotoSource
    private let script: FaultScript

    /// The name of the source below.
    public var name: String { base.name }
    /// The capabilities of the source below.
    public var capabilities: Set<PhotoSourceCapability> { base.capabilities }
    /// The caps of the source below.
    public var caps: PhotoSourceCaps { base.caps }
    /// The policy of the source below.
    public var cachingPolicy: PhotoCachingPolicy { base.cachingPolicy }

    /// Creates a faulty source over one that works.
    public init(
        _ base: any PhotoSource, faults: [Fault], clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.base = base
        script = FaultScript(faults, clock: clock)
    }

    /// The places, spoilt.
    public func places() async throws -> [PlaceRecord] {
        let (places, fault) = try await script.perform { try await base.places() }
        return places.suffering(fault)
    }

    /// The photos of a place, spoilt.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        let (photos, fault) = try await script.perform {
            try await base.photos(in: place, limit: limit)
        }
        return photos.suffering(fault)
    }

    /// The recent photos, spoilt.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        let (photos, fault) = try await script.perform {
            try await base.recentPhotos(limit: limit)
        }
        return photos.suffering(fault)
    }

    /// A page, spoilt.
    public func photos(in area: PhotoArea, page: Int, perPage: Int) async throws -> PhotoPage {
        var (found, fault) = try await script.perform {
            try await base.photos(in: area, page: page, perPage: perPage)
        }
        found.photos = found.photos.suffering(fault)
        return found
    }

    /// The details, late or not at all.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        try await script.perform { try await base.details(ofPhoto: identifier) }.value
    }

    /// The names, late or not at all.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        try await script.perform { try await base.placeNames(at: coordinate) }.value
    }

    /// The names, late or not at all.
    public func placeNames(of photo: PhotoRecord) async throws -> PlaceNames? {
        try await script.perform { try await base.placeNames(of: photo) }.value
    }

    /// The sizes, spoilt.
    public func variants(of photo: PhotoRecord) async throws -> [PhotoVariant] {
        let (variants, fault) = try await script.perform { try await base.variants(of: photo) }
        return variants.suffering(fault)
    }

    /// The picture, spoilt.
    public func data(for variant: PhotoVariant) async throws -> Data {
        let (data, fault) = try await script.perform { try await base.data(for: variant) }
        return data.suffering(fault)
    }
}
