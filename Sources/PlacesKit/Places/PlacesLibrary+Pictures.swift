public import Foundation
import PlacesBase
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// The picture of a photo.
    ///
    /// For a favorite it comes from disk, for a photo in an album from the document, for any other
    /// photo from the source. If its address leads nowhere any more, the source is asked for the
    /// present one.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, `PhotoSourceError`, or `CancellationError`.
    public nonisolated(nonsending) func picture(of photo: Photo) async throws -> Data {
        try check(photo)
        if let picture = photo.picture { return picture }
        let request = photo.pictureRequest
        let found = FoundRecords()
        defer { note(found) }
        return try await activity.during { [images, readdress = readdress(found)] in
            try await images.image(request, readdressing: readdress)
        }
    }

    /// The small picture of a photo, for a row that is visible.
    ///
    /// It is fetched the first time and stored with the photo, and never fetched again, even if
    /// several rows ask for it. A read-only library fetches it without storing it.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, `PhotoSourceError`, `CancellationError`, or
    ///   `ContextError`.
    public nonisolated(nonsending) func thumbnail(of photo: Photo) async throws -> Data {
        try check(photo)
        if let thumbnail = photo.thumbnail { return thumbnail }
        let request = photo.thumbnailRequest
        if !isReadOnly { try context.save() }
        let found = FoundRecords()
        defer { note(found) }
        let readdress = readdress(found, by: Photo.thumbnailRequest)
        let thumbnail = try await activity.during { [thumbnails] in
            try await thumbnails.thumbnail(request, readdressing: readdress)
        }
        context.refreshAllObjects()
        return thumbnail
    }

    /// Deletes a photo, with its pictures on disk and the tags that no other photo has.
    ///
    /// No fetch and no album brings it back: see ``deletedPhotos()``. A picture that a view may still bring back with
    /// ``undo()`` stays on disk until then, or until the document writes a snapshot after that view has gone.
    ///
    /// - Complexity: O(n) for n objects if the document had a picture of the photo and this view has no undo: the document
    ///   is written as a whole, twice. If that fails, as for lack of room, the picture goes with a later snapshot.
    /// - Throws: `PlacesError.objectOfAnotherView`, `ContextError`, `DocumentError`, or
    ///   `ImageCacheError`.
    public nonisolated(nonsending) func delete(_ photo: Photo) async throws {
        try beginChange(of: photo)
        let identifier = photo.uniqueID
        // What an undo may bring back stays, so there is nothing to remove.
        let hasData =
            !context.isUndoEnabled && (photo.picture != nil || photo.thumbnail != nil)
        try rememberDeletion(of: photo) { context.delete(photo) }
        try await save()
        try await favoriteImages?.remove(photo: identifier)
        try await elsewhere { [images] in try await images.remove(photo: identifier) }
        if hasData { try? await document.removeLostData() }
    }
}

/// Stores thumbnails with their photos, in the store of a library.
struct StoredThumbnails: ThumbnailStorage {
    let store: GraphStore
    let isReadOnly: Bool

    func thumbnail(ofPhoto identifier: String) async throws -> Data? {
        try await store.perform { context in
            try context.find(Photo.self, \.uniqueID, identifier)?.thumbnail
        }
    }

    func store(_ thumbnail: Data, ofPhoto identifier: String) async throws {
        guard !isReadOnly else { return }
        try await store.perform { context in
            context.mergePolicy = .mergeByPropertyStoreTrump
            guard let photo = try context.find(Photo.self, \.uniqueID, identifier) else { return }
            photo.thumbnail = thumbnail
            try context.save()
        }
    }
}
