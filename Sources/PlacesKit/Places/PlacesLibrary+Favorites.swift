import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// Makes a photo a favorite, or no longer; its picture is then on disk, or no longer.
    ///
    /// A photo that is already what it is to be stays as it is. If the picture cannot be fetched the
    /// photo is a favorite all the same; making it one again, or ``restoreFavoriteImages()``, fetches the
    /// picture.
    ///
    /// - Throws: `ContextError`, `DocumentError`, `ImageCacheError`, or what fetching the picture throws.
    public nonisolated(nonsending) func setFavorite(
        _ isFavorite: Bool, for photo: Photo
    ) async throws {
        try document.checkIsWritable()
        let isSettled =
            photo.isFavorite == isFavorite
            && (!isFavorite || favoriteImages?.contains(photo: photo.uniqueID) != false)
        guard !isSettled, !photo.isDeleted else { return }
        photo.isFavorite = isFavorite
        let request = photo.pictureRequest
        // First the mark, then the file: after a crash in between the mark says what to do.
        try await save()
        if isFavorite {
            guard photo.isFavorite, !photo.isDeleted else { return }
            try await activity.during {
                try await favoriteImages?.add(request, priority: .visible)
            }
        } else if !photo.isFavorite {
            try await favoriteImages?.remove(photo: request.photo)
        }
    }

    /// Makes a photo a favorite if it is none, and the other way round.
    ///
    /// - Throws: What ``setFavorite(_:for:)`` throws.
    public nonisolated(nonsending) func toggleFavorite(_ photo: Photo) async throws {
        try await setFavorite(!photo.isFavorite, for: photo)
    }

    /// Makes the pictures on disk those of the favorites, as after a crash or a failure: others go, and
    /// what is missing is fetched.
    ///
    /// - Returns: What was done, and what could not be.
    /// - Throws: `ContextError`, or `DocumentError.readOnly`.
    @discardableResult
    public nonisolated(nonsending) func restoreFavoriteImages() async throws
        -> FavoriteImages.Reconciliation
    {
        try document.checkIsWritable()
        let favorites = try context.fetch(FetchRequest<Photo>(predicate: Self.isFavorite))
            .map(\.pictureRequest)
        return await favoriteImages?.reconcile(with: favorites) ?? .init()
    }

    private static var isFavorite: Predicate<Photo> { #Predicate { $0.isFavorite } }

    // MARK: - Lists

    /// The places of favorites, or all that were ever viewed, live and by name.
    ///
    /// - Throws: `ContextError`.
    public func places(_ scope: PlaceScope) throws -> ListController<Place> {
        var request = FetchRequest<Place>(
            sortBy: [SortDescriptor(\.name), SortDescriptor(\.identifier)])
        switch scope {
        case .favorites: request.predicate = #Predicate { $0.hasFavorites }
        case .viewed: request.predicate = #Predicate { $0.lastViewed != nil }
        }
        let list = try ListController(request, title: \.name, searching: [\.name], in: context)
        list.emptyMessage = { "No places yet." }
        return list
    }

    /// The photos of a place, or of all places, that are favorites or were ever viewed, live and by
    /// title.
    ///
    /// - Throws: `ContextError`.
    public func photos(
        _ scope: PlaceScope, of place: Place? = nil
    ) throws -> ListController<Photo> {
        var request = FetchRequest<Photo>(
            predicate: scope == .favorites ? Self.isFavorite : #Predicate { $0.lastViewed != nil },
            sortBy: [SortDescriptor(\.title), SortDescriptor(\.uniqueID)])
        request.format = try place.map {
            try PredicateFormat("takenAt.identifier == %@", $0.identifier)
        }
        let list = try photoList(request)
        list.emptyMessage = { "No photos yet." }
        return list
    }
}
