import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// Makes a photo a favorite and keeps its picture on disk, or undoes both.
    ///
    /// If the photo already is what it should be, it stays as it is. If the picture cannot be
    /// fetched, the photo becomes a favorite anyway. Then a further call, or
    /// ``restoreFavoriteImages()``, fetches the picture.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, `ContextError`, `DocumentError`,
    ///   `ImageCacheError`, or what fetching the picture throws.
    public nonisolated(nonsending) func setFavorite(
        _ isFavorite: Bool, for photo: Photo
    ) async throws {
        try beginChange(of: photo)
        let isSettled =
            photo.isFavorite == isFavorite
            && (!isFavorite || favoriteImages?.contains(photo: photo.uniqueID) != false)
        guard !isSettled, !photo.isDeleted else { return }
        let request = photo.pictureRequest
        // The mark is saved before the file changes: after a crash in between it tells what to do.
        try step("\(isFavorite ? "Star" : "Unstar") “\(photo.title)”") {
            photo.isFavorite = isFavorite
        }
        try await save()
        // Another view may have decided otherwise meanwhile.
        context.refreshAllObjects()
        if isFavorite {
            guard photo.isFavorite, !photo.isDeleted else { return }
            // Without a wait in between, for the last call about a photo decides.
            activity.requestCount += 1
            defer { activity.requestCount -= 1 }
            let found = FoundRecords()
            defer { note(found) }
            try await favoriteImages?.add(
                request, priority: .visible, readdressing: readdress(found))
        } else if !photo.isFavorite {
            try await favoriteImages?.remove(photo: request.photo)
        }
    }

    /// Makes a photo a favorite if it is not one, else makes it an ordinary photo.
    ///
    /// - Throws: What ``setFavorite(_:for:)`` throws.
    public nonisolated(nonsending) func toggleFavorite(_ photo: Photo) async throws {
        try await setFavorite(!photo.isFavorite, for: photo)
    }

    /// Makes the pictures on disk those of the favorites, as after a crash or a failure.
    ///
    /// It removes other pictures, and fetches those that are missing, too old or from an address that
    /// the photo had before. If an address leads nowhere, the source tells the photo's present one.
    /// That may take long, as many pictures may be missing: lists are complete without it.
    ///
    /// - Returns: What was done, and what failed.
    /// - Throws: `ContextError`, or `DocumentError`.
    @discardableResult
    public nonisolated(nonsending) func restoreFavoriteImages() async throws
        -> FavoriteImages.Reconciliation
    {
        try await restoreFavoriteImages(renewing: true)
    }

    @discardableResult
    nonisolated(nonsending) func restoreFavoriteImages(
        renewing: Bool, of photos: Set<String>? = nil
    ) async throws -> FavoriteImages.Reconciliation {
        try document.checkIsWritable()
        guard let favoriteImages else { return .init() }
        // What other views saved counts too, and no wait may come between this list and its use:
        // that is why the requests are counted here, and not by `during`.
        let saved = ManagedObjectContext(document.store, isolation: nil)
        let favorites = try saved.fetch(Photo.self, where: Self.isFavorite)
            .map(\.pictureRequest)
        let (source, found) = (source, FoundRecords())
        activity.requestCount += 1
        let report = await favoriteImages.reconcile(
            with: favorites, renewing: renewing, of: photos
        ) {
            guard let present = try await source.presentRequest(insteadOf: $0) else { return nil }
            if let record = present.record { found.add(record) }
            return present.request
        }
        activity.requestCount -= 1
        try await takeAddresses(of: found.records)
        return report
    }

    private static var isFavorite: Predicate<Photo> { #Predicate { $0.isFavorite } }

    // MARK: - Lists

    /// The places of favorites or of all photos ever viewed, live and by name.
    ///
    /// - Throws: `ContextError`.
    public func places(_ scope: PlaceScope) throws -> ListController<Place> {
        var request = FetchRequest<Place>(
            sortBy: [
                SortDescriptor(stored: \.nameKey), SortDescriptor(stored: \.name),
                SortDescriptor(stored: \.identifier),
            ])
        switch scope {
        case .favorites: request.predicate = #Predicate { $0.hasFavorites }
        case .viewed: request.predicate = #Predicate { $0.lastViewed != nil }
        }
        return try ListController(request, title: \.name, searching: [\.name], in: context)
            .saying("No places yet.")
    }

    /// The favorites, or all photos ever viewed, in a place or in all places, live and by title.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, or `ContextError`.
    public func photos(
        _ scope: PlaceScope, of place: Place? = nil
    ) throws -> ListController<Photo> {
        var request = FetchRequest<Photo>(
            predicate: scope == .favorites ? Self.isFavorite : #Predicate { $0.lastViewed != nil },
            sortBy: Self.byTitle)
        request.format = try place.map {
            try check($0)
            return try PredicateFormat("takenAt.identifier == %@", $0.identifier)
        }
        return try photoList(request).saying("No photos yet.")
    }
}
