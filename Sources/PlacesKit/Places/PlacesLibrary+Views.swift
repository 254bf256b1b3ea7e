import PlacesGraph

extension PlacesLibrary {
    /// Makes another view of the library: with a context of its own, and an undo of its own.
    ///
    /// What is saved in one view shows in all of them. A view belongs to the isolation of the library, and
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

    /// Takes back what was done last in this view, and saves that; what others have done since stays.
    ///
    /// - Throws: `ContextError`, `DocumentError`, or `ImageCacheError`.
    public nonisolated(nonsending) func undo() async throws {
        try document.checkIsWritable()
        context.undo()
        try await settle()
    }

    /// Does again what was taken back last in this view, and saves that.
    ///
    /// - Throws: `ContextError`, `DocumentError`, or `ImageCacheError`.
    public nonisolated(nonsending) func redo() async throws {
        try document.checkIsWritable()
        context.redo()
        try await settle()
    }

    /// Saves, and makes the pictures on disk those of the favorites again.
    private nonisolated(nonsending) func settle() async throws {
        try await save()
        try await restoreFavoriteImages()
    }

    /// Saves what was changed in this view, and writes it to disk.
    nonisolated(nonsending) func save(durability: ManagedDocument.Durability = .disk) async throws {
        try context.save()
        try await document.save(durability: durability)
    }
}
