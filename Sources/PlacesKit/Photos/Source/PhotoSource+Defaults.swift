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
    ///
    /// ```swift
    /// for try await page in source.pages(of: .circle(center: paris, radius: 5)) {
    ///     list.append(page.photos)
    ///     if case .cap(let count) = page.ending { footer = "the first \(count)" }
    /// }
    /// ```
    ///
    /// - Services shift their pages while they are read and repeat photos. Of a photo that stands twice on a page, or
    ///   again on a later one, the first comes; so a page may have few photos, or none.
    /// - The last page, and only that one, has an `ending`. Five empty pages in a row are an end, too; a page whose
    ///   elements were all unusable is not empty.
    /// - A walk remembers the identifiers of the photos that it has handed out, and nothing else of them: at most
    ///   as many as the source's `caps.reach`, if it has one.
    /// - A page that throws `PhotoSourceError` or `CancellationError` is asked for again by the next step.
    public func pages(
        of area: PhotoArea, perPage: Int = PhotoPage.standardLength
    ) -> some AsyncSequence<PhotoPage, any Error> & Sendable {
        PhotoPages(of: area, perPage: perPage, from: self)
    }
}
