extension PhotoSource {
    /// No caps.
    public var caps: PhotoSourceCaps { PhotoSourceCaps() }

    /// Everything may be kept forever.
    public var cachingPolicy: PhotoCachingPolicy { PhotoCachingPolicy() }

    /// Throws, since this source does not know places.
    public func places() async throws -> [PlaceRecord] {
        throw notSupported(.places)
    }

    /// Throws, since this source does not know the photos of a place.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        throw notSupported(.photosOfPlaces)
    }

    /// Throws, since this source does not know recent photos.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        throw notSupported(.recentPhotos)
    }

    /// Throws, since this source does not search areas.
    public func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage {
        throw notSupported(area.capability)
    }

    /// Throws, since this source knows no more about a photo than its lists contain.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        throw notSupported(.details)
    }

    /// Throws, since this source does not know the names of places.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        throw notSupported(.placeNames)
    }

    /// The place names in the photo's record, else those of the point where it was taken.
    public func placeNames(of photo: PhotoRecord) async throws -> PlaceNames? {
        if let names = photo.placeNames { return names }
        guard let coordinate = photo.coordinate else { return nil }
        return try await placeNames(at: coordinate)
    }

    /// The sizes in the photo's record.
    public func variants(of photo: PhotoRecord) async throws -> [PhotoVariant] {
        photo.variants
    }

    /// The error for a capability that this source lacks.
    public func notSupported(_ capability: PhotoSourceCapability) -> PhotoSourceError {
        .unavailable(reason: .notSupported(provider: name, operation: capability.phrase))
    }

    /// The 50 newest photos taken in a place that this source returned.
    public func photos(in place: PlaceRecord) async throws -> [PhotoRecord] {
        try await photos(in: place, limit: 50)
    }

    /// One page of 21 photos taken in an area.
    public func photos(in area: CoordinateArea, page: Int = 1) async throws -> PhotoPage {
        try await photos(in: area, page: page, perPage: PhotoPage.standardLength)
    }

    /// One page of the photos taken at most so many kilometres away from a point.
    public func photos(
        near coordinate: Coordinate, kilometers: Double, page: Int = 1,
        perPage: Int = PhotoPage.standardLength
    ) async throws -> PhotoPage {
        try await photos(
            in: .circle(center: coordinate, kilometers: kilometers), page: page, perPage: perPage)
    }

    /// The pages of photos in an area, one after another, each photo once.
    ///
    /// ```swift
    /// for try await page in source.pages(of: .circle(center: paris, kilometers: 5)) {
    ///     list.append(page.photos)
    ///     if case .cap(let count) = page.ending { footer = "the first \(count)" }
    /// }
    /// ```
    ///
    /// - Services repeat photos, because their pages shift while they are read. Only the first
    ///   occurrence of a photo is returned; so a page may have few photos, or none.
    /// - The last page, and no other, has an `ending`. Five pages in a row without a new photo are
    ///   also an end; a page whose elements were all unusable does not count as one of them.
    /// - The sequence only remembers the identifiers of the photos that it returned: at most as
    ///   many as the source's `caps.reach`, if there is one.
    /// - If a page throws `PhotoSourceError` or `CancellationError`, the next step asks for it
    ///   again.
    public func pages(
        of area: CoordinateArea, perPage: Int = PhotoPage.standardLength
    ) -> some AsyncSequence<PhotoPage, any Error> & Sendable {
        PhotoPages(of: area, perPage: perPage, from: self)
    }
}
