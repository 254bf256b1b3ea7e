import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// Creates another view of the library, which has its own context and its own undo.
    ///
    /// All views show what is saved in one of them. A view belongs to the library's isolation. The document stays open
    /// while there is a view of it, unless one of them closes it for all; lists of pins, albums, recents and deleted photos
    /// keep their view.
    ///
    /// ```swift
    /// let desk = library.makeView()
    /// if let pin = try desk.pins().objects.first { try desk.delete(pin) }
    /// try await desk.undo()
    /// ```
    public func makeView(isolation: isolated (any Actor)? = #isolation) -> PlacesLibrary {
        let context = ManagedObjectContext(document.store)
        context.isUndoEnabled = true
        return PlacesLibrary(sharing: self, context: context)
    }

    /// Undoes the last change made in this view, and saves; changes that others made since stay.
    ///
    /// What the library itself brings or prunes, such as fetched photos, pictures and regions, is no such change. A photo that
    /// was added by viewing it stays if others have fetched, viewed or marked it since.
    ///
    /// Each change has a name for a menu, such as "Drop pin", which `undoActionName` of the ``context`` tells. If a call is in
    /// a group of your own, the group's name counts.
    ///
    /// A view that ``makeView(isolation:)`` made remembers changes. The library that was opened does so when you set
    /// `isUndoEnabled` of its ``context``; until then this takes back nothing.
    ///
    /// - Throws: `ContextError`, `DocumentError`, or `ImageCacheError`.
    public nonisolated(nonsending) func undo() async throws {
        try document.checkIsWritable()
        try await settle(isRedo: false)
    }

    /// Redoes the last change undone in this view, and saves.
    ///
    /// - Throws: `ContextError`, `DocumentError`, or `ImageCacheError`.
    public nonisolated(nonsending) func redo() async throws {
        try document.checkIsWritable()
        try await settle(isRedo: true)
    }

    /// Takes something back or does it again, and saves.
    ///
    /// What others have done since may leave a part of it without the rest. So afterwards photos that others have made use of
    /// are kept, those that came back have their tags and regions, albums and photos agree, and the pictures on disk are
    /// those of the favorites.
    private nonisolated(nonsending) func settle(isRedo: Bool) async throws {
        // Only what others have not changed since is taken back, so that has to be known.
        context.refreshAllObjects()
        let former = ManagedObjectContext(document.store, isolation: nil)
        former.mergePolicy = .mergeByPropertyObjectTrump
        let links = context.undoneLinks(of: \Pin.photos, isRedo: isRedo)
        let deleted = context.deletedObjects
        if isRedo { context.redo() } else { context.undo() }
        let gone = context.deletedObjects.subtracting(deleted).compactMap { $0 as? Photo }
        let albums = TakenBackAlbums(links, in: self, before: former)
        let touched = context.insertedObjects.union(context.updatedObjects)
            .compactMap { ($0 as? Photo)?.uniqueID }
        keepDaysOfViewings(as: former)
        try context.save()
        let concerned = Set(touched).union(gone.map(\.uniqueID))
        try bringBack(gone, from: former, without: Set(links.filter { !$0.value }.keys))
        try forgetDeletionsOfPresentPhotos()
        try settle(albums)
        try renewLinks(ofPhotos: touched)
        try linkTags()
        try await save()
        // Pictures that were missing before are none of its concern, and may take long to fail.
        try await restoreFavoriteImages(renewing: false, of: concerned)
    }

    /// Gives photos that an undo has touched the tags and regions that are theirs by now: meanwhile a fetch may have brought
    /// other words, as many as before, and the region of their place may have become known.
    private func renewLinks(ofPhotos touched: [String]) throws {
        guard !touched.isEmpty else { return }
        try besides { context, importer in
            let photos = try context.find(Photo.self, \.uniqueID, in: touched)
            for photo in photos {
                photo.tagCount = -1
                photo.takeRegionOfPlace()
            }
            try importer.linkTags(of: photos)
        }
    }

    /// Leaves photos the days on which others viewed them since: the same day as before looks as though nobody had.
    private func keepDaysOfViewings(as former: ManagedObjectContext) {
        withoutUndo {
            for case let photo as Photo in context.updatedObjects {
                guard let before = former.object(with: photo.objectID) as? Photo,
                    before.lastViewed == photo.lastViewed
                else { continue }
                photo.lastViewedSection = before.lastViewedSection
            }
        }
    }

    /// Brings photos back that went though something keeps them, such as a fetch that found them since.
    ///
    /// Those that a person deleted stay away. `former` has the photos as they were, and what it writes wins over their
    /// deletion. They are in no album from which they were taken by it, `ended`.
    private func bringBack(
        _ photos: [Photo], from former: ManagedObjectContext, without ended: Set<ObjectLink>
    ) throws {
        let areDeleted = try context.contains(
            DeletedPhoto.self, \.uniqueID, in: photos.map(\.uniqueID))
        for (photo, isDeleted) in zip(photos, areDeleted) where !isDeleted {
            guard let kept = former.object(with: photo.objectID) as? Photo else { continue }
            if kept.lastViewed != photo.lastViewed {
                kept.lastViewed = photo.lastViewed
                kept.lastViewedSection = photo.lastViewedSection
            }
            // Only what changes an object wins over its deletion. Its tags may have gone, too.
            kept.tagCount = -1
            for pin in Array(kept.pins)
            where context.object(with: pin.objectID) == nil
                || ended.contains(ObjectLink(owner: pin.objectID, member: photo.objectID))
            {
                kept.pins.remove(pin)
            }
            kept.endAlbums()
        }
        guard former.hasChanges else { return }
        try former.save()
        context.refreshAllObjects()
    }

    /// Makes changes that are no step of the user's, so that no undo takes them back.
    func withoutUndo<Value>(_ body: () throws -> Value) rethrows -> Value {
        context.disableUndoRegistration()
        defer { context.enableUndoRegistration() }
        return try body()
    }

    /// Saves the changes of this view, and writes them to disk.
    nonisolated(nonsending) func save(durability: ManagedDocument.Durability = .disk) async throws {
        try saveChanges()
        try await document.save(durability: durability)
    }
}
