import PlacesGraph

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
    /// - Throws: `ContextError`, `DocumentError`, or `ImageCacheError`.
    public nonisolated(nonsending) func undo() async throws {
        try document.checkIsWritable()
        context.undo()
        try await settle()
    }

    /// Redoes the last change undone in this view, and saves.
    ///
    /// - Throws: `ContextError`, `DocumentError`, or `ImageCacheError`.
    public nonisolated(nonsending) func redo() async throws {
        try document.checkIsWritable()
        context.redo()
        try await settle()
    }

    /// Saves, gives photos that came back their tags, and makes the pictures on disk those of the
    /// favorites again.
    private nonisolated(nonsending) func settle() async throws {
        try context.save()
        try linkTags()
        try await save()
        try await restoreFavoriteImages()
    }

    /// Saves the changes of this view, and writes them to disk.
    nonisolated(nonsending) func save(durability: ManagedDocument.Durability = .disk) async throws {
        try saveChanges()
        try await document.save(durability: durability)
    }
}
