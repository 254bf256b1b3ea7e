public import Foundation
public import PlacesKit

/// A photo source whose calls go wrong according to a script.
///
/// Each call has the next fault of the script; the last fault is repeated forever.
public struct FaultyPhotoSource: PhotoSource {
    private let base: any PhotoSource
    private let script: FaultScript

    /// The name of the underlying source.
    public var name: String { base.name }
    /// The capabilities of the underlying source.
    public var capabilities: Set<PhotoSourceCapability> { base.capabilities }
    /// The caps of the underlying source.
    public var caps: PhotoSourceCaps { base.caps }
    /// The caching policy of the underlying source.
    public var cachingPolicy: PhotoCachingPolicy { base.cachingPolicy }

    /// Creates a faulty source over one that works.
    public init(
        _ base: any PhotoSource, faults: [Fault], clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.base = base
        script = FaultScript(faults, clock: clock)
    }

    /// Returns the places, with a fault.
    public func places() async throws -> [PlaceRecord] {
        let (places, fault) = try await script.perform { try await base.places() }
        return places.suffering(fault)
    }

    /// Returns the photos of a place, with a fault.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        let (photos, fault) = try await script.perform {
            try await base.photos(in: place, limit: limit)
        }
        return photos.suffering(fault)
    }

    /// Returns the recent photos, with a fault.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        let (photos, fault) = try await script.perform {
            try await base.recentPhotos(limit: limit)
        }
        return photos.suffering(fault)
    }

    /// Returns a page, with a fault.
    public func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage {
        var (found, fault) = try await script.perform {
            try await base.photos(in: area, page: page, perPage: perPage)
        }
        found.photos = found.photos.suffering(fault)
        return found
    }

    /// Returns the details, possibly late, or throws.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        try await script.perform { try await base.details(ofPhoto: identifier) }.value
    }

    /// Returns the names, possibly late, or throws.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        try await script.perform { try await base.placeNames(at: coordinate) }.value
    }

    /// Returns the names, possibly late, or throws.
    public func placeNames(of photo: PhotoRecord) async throws -> PlaceNames? {
        try await script.perform { try await base.placeNames(of: photo) }.value
    }

    /// Returns the sizes, with a fault.
    public func variants(of photo: PhotoRecord) async throws -> [PhotoVariant] {
        let (variants, fault) = try await script.perform { try await base.variants(of: photo) }
        return variants.suffering(fault)
    }

    /// Returns the picture, with a fault.
    public func data(for variant: PhotoVariant) async throws -> Data {
        let (data, fault) = try await script.perform { try await base.data(for: variant) }
        return data.suffering(fault)
    }
}
