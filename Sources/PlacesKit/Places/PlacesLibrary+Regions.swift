import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// The largest number of regions in the list of top regions.
    package static let topRegionCount = 50

    /// The 50 regions in which most photographers take photos, live; ties are sorted by name.
    ///
    /// - Throws: `ContextError`.
    public func topRegions() throws -> ListController<Region> {
        try ListController<Region>(
            FetchRequest(
                predicate: #Predicate { $0.photographerCount > 0 },
                sortBy: [
                    SortDescriptor(\.photographerCount, order: .reverse),
                    SortDescriptor(stored: \.nameKey), SortDescriptor(stored: \.name),
                ],
                limit: Self.topRegionCount),
            title: \.name, subtitle: \.subtitle, searching: [\.name], in: context
        ).saying("No regions yet; fetch some photos.")
    }

    /// All photos of a region, live and by title.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, or `ContextError`.
    public func photos(in region: Region) throws -> ListController<Photo> {
        try check(region)
        let name = region.name
        return try photoList(
            FetchRequest(
                predicate: #Predicate { $0.region?.name == name },
                sortBy: Self.byTitle))
    }

    // MARK: - Finding regions

    /// The places with photos whose regions are not known yet, each with the photos to ask by: the next one where the
    /// one before is gone.
    ///
    /// Those that a source has just told of are the most likely to be there, then the newest.
    private func placesToName(
        knowing known: [String: PhotoRecord]
    ) throws -> [(place: Place, photos: [Photo])] {
        let unknown = FetchRequest<Place>(
            predicate: #Predicate { !$0.isRegionKnown && !$0.photos.isEmpty },
            sortBy: [SortDescriptor(stored: \.identifier)])
        return try context.fetch(unknown).compactMap { place in
            guard !work.placesBeingNamed.contains(place.objectID) else { return nil }
            let located = place.photos.filter { $0.coordinate != nil }
            func rank(_ photo: Photo) -> (Int, Date) {
                (known[photo.uniqueID] == nil ? 0 : 1, photo.dateUploaded ?? .distantPast)
            }
            let photos = (located.isEmpty ? Array(place.photos) : located)
                .sorted { rank($0) > rank($1) }
            let left = photos.filter { !work.gonePhotos.contains($0.uniqueID) }
            return (place, Array((left.isEmpty ? photos : left).prefix(Self.askedPhotos)))
        }
    }

    /// Asks the source for the regions of places, a few at a time, and saves each reply.
    ///
    /// If as many requests in a row as run at a time find the source out of reach, the others wait for the next fetch: each
    /// would take as long to fail.
    nonisolated(nonsending) func nameRegions(
        into fetch: inout RecentFetch, knowing records: [PhotoRecord]
    ) async throws {
        let known = Dictionary(records.map { ($0.identifier, $0) }) { first, _ in first }
        let requests = try placesToName(knowing: known)
        let photos = requests.map { _, photos in
            photos.map { photo in
                known[photo.uniqueID]
                    ?? PhotoRecord(identifier: photo.uniqueID, coordinate: photo.coordinate)
            }
        }
        work.placesBeingNamed.formUnion(requests.map(\.place.objectID))
        defer { work.placesBeingNamed.subtract(requests.map(\.place.objectID)) }
        let source = source
        let answers = ConcurrentWork(photos, limit: Self.namingLimit) { photos in
            try await source.placeNames(ofAnyOf: photos)
        }
        defer { answers.cancel() }
        activity.requestCount += 1
        defer { activity.requestCount -= 1 }
        var failuresInARow = 0
        for await event in answers.events {
            guard case .finished(let index, let result) = event else { continue }
            switch result {
            case .success(let names):
                failuresInARow = 0
                // Otherwise photos that are being added to the place meanwhile would not get its
                // region.
                try await inTurn {
                    context.refreshAllObjects()
                    try withoutUndo {
                        try setRegion(names, of: requests[index].place)
                        try context.save()
                    }
                }
                if names?.region?.isEmpty == false { fetch.namedPlaces += 1 }
                try await save(durability: .system)
            case .failure(let error as PhotoSourceError):
                fetch.namingFailure = error
                failuresInARow = error.isOutOfReach ? failuresInARow + 1 : 0
                // Then all of them are gone, and the next fetch asks by others.
                if case .gone = error {
                    work.gonePhotos.formUnion(photos[index].map(\.identifier))
                }
            case .failure(let error): throw error
            }
            if failuresInARow == Self.namingLimit { break }
        }
        try Task.checkCancellation()
    }

    private static let namingLimit = 4
    private static let askedPhotos = 3

    /// Moves a place and its photos to the region in its names, or to none if they have none.
    private func setRegion(_ names: PlaceNames?, of place: Place) throws {
        guard !place.isDeleted else { return }
        place.isRegionKnown = true
        if let names, place.name.isEmpty {
            place.update(from: PlaceRecord(identifier: place.identifier, name: names.fullName))
        }
        let name = names?.region ?? ""
        let region = name.isEmpty ? nil : try context.findOrInsert(Region.self, \.name, name)
        place.region = region
        for photo in Array(place.photos) { photo.region = region }
    }
}

extension PhotoSource {
    /// The names of the place where all of some photos were taken, by the first of them that leads to any: one may be
    /// gone, and the owner of another may have taken its position away.
    fileprivate func placeNames(ofAnyOf photos: [PhotoRecord]) async throws -> PlaceNames? {
        var (isAnswered, gone) = (false, PhotoSourceError?.none)
        for photo in photos {
            do {
                if let names = try await placeNames(of: photo) { return names }
                isAnswered = true
            } catch let error as PhotoSourceError {
                guard case .gone = error else { throw error }
                gone = error
            }
        }
        if let gone, !isAnswered { throw gone }
        return nil
    }
}
