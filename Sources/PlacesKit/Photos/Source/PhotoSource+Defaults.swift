extension PhotoSource {
    /// No caps.
    public var caps: PhotoSourceCaps { PhotoSourceCaps() }

    /// Everything may be kept for ever.
    public var cachingPolicy: PhotoCachingPolicy { PhotoCachingPolicy() }

    /// Throws, as this source does not know places.
    public func places() async throws -> [PlaceRecord] {
        throw notSupported(.places)
    }

    /// Throws, as this source does not know the photos of a place.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        throw notSupported(.photosOfPlaces)
    }

    /// Throws, as this source does not know recent photos.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        throw notSupported(.recentPhotos)
    }

    /// Throws, as this source does not search areas.
    public func photos(in area: PhotoArea, page: Int, perPage: Int) async throws -> PhotoPage {
        throw notSupported(area.capability)
    }

    /// Throws, as this source says no more of a photo than lists do.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        throw notSupported(.details)
    }

    /// Throws, as this source does not name points.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        throw notSupported(.placeNames)
    }

    /// The names that came with the photo, else those of the point where it was taken.
    public func placeNames(of photo: PhotoRecord) async throws -> PlaceNames? {
        if let names = photo.placeNames { return names }
        guard let coordinate = photo.coordinate else { return nil }
        return try await placeNames(at: coordinate)
    }

    /// The sizes that came with the photo.
    public func variants(of photo: PhotoRecord) async throws -> [PhotoVariant] {
        photo.variants
    }

    /// The error for what this source cannot do.
    public func notSupported(_ capability: PhotoSourceCapability) -> PhotoSourceError {
        .unavailable(reason: .notSupported(provider: name, operation: capability.phrase))
    }
}

extension PhotoSource {
    /// The 50 newest photos taken in a place that this source has named.
    public func photos(in place: PlaceRecord) async throws -> [PhotoRecord] {
        try await photos(in: place, limit: 50)
    }

    /// One page of 21 photos taken in an area.
    public func photos(in area: PhotoArea, page: Int = 1) async throws -> PhotoPage {
        try await photos(in: area, page: page, perPage: PhotoPage.standardLength)
    }

    /// One page of the photos taken within so many kilometres of a point.
    public func photos(
        near coordinate: Coordinate, radius kilometers: Double, page: Int = 1,
        perPage: Int = PhotoPage.standardLength
    ) async throws -> PhotoPage {
        try await photos(
            in: .circle(center: coordinate, radius: kilometers), page: page, perPage: perPage)
    }

    /// The pages of an area, one after another, each photo once.
    public func pages(
        of area: PhotoArea, perPage: Int = PhotoPage.standardLength
    ) -> PhotoPages {
        PhotoPages(of: area, perPage: perPage, from: self)
    }
}
