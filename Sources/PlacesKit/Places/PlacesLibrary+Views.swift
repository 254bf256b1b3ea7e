import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// Creates another view of the library, which has its own context and its own undo.
    ///
    /// All views show what is saved in one of them. A view belongs to the library's isolation, and
    /// does not keep the document open.
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
    /// What the library itself brings, such as fetched photos, pictures and regions, is no such change.
    ///
    /// - Throws: `ContextError`, `DocumentError`, or `ImageCacheError`.
    public nonisolated(nonsending) func undo() async throws {
        try document.checkIsWritable()
        try await settle { $0.undo() }
    }

    /// Redoes the last change undone in this view, and saves.
    ///
    /// - Throws: `ContextError`, `DocumentError`, or `ImageCacheError`.
    public nonisolated(nonsending) func redo() async throws {
        try document.checkIsWritable()
        try await settle { $0.redo() }
    }

    /// Takes something back or does it again, and saves; gives photos that came back their tags, ends the albums of pins
    /// that went, and makes the pictures on disk those of the favorites again.
    private nonisolated(nonsending) func settle(
        _ change: (ManagedObjectContext) -> Void
    ) async throws {
        let pins = Set(try context.fetch(Pin.self).map(\.objectID))
        change(context)
        try context.save()
        try forgetDeletionsOfPresentPhotos()
        try settleAlbums(of: pins)
        try linkTags()
        try await save()
        try await restoreFavoriteImages(renewing: false)
    }

    /// Ends what photos have for the albums of pins that went.
    ///
    /// Taking back that a pin was dropped takes no album along that was loaded later. If such a pin comes back, its album
    /// has to be loaded again.
    private func settleAlbums(of former: Set<ObjectID>) throws {
        let pins = Set(try context.fetch(Pin.self).map(\.objectID))
        let back = work.endedAlbums.intersection(pins)
        work.endedAlbums.subtract(back)
        let gone = former.subtracting(pins)
        guard !back.isEmpty || !gone.isEmpty else { return }
        try besides { context, _ in
            for case let pin as Pin in back.compactMap(context.object) {
                pin.wantedPage = max(1, pin.page)
            }
            guard !gone.isEmpty else { return }
            let lost = FetchRequest<Photo>(predicate: #Predicate { $0.pins.isEmpty })
            let photos = try context.fetch(lost).filter { $0.pictureState != .unwanted }
            guard !photos.isEmpty else { return }
            for photo in photos { photo.endAlbums() }
            work.endedAlbums.formUnion(gone)
        }
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
