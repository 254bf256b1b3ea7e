import PlacesGraph

extension PlacesLibrary {
    /// Checks that objects belong to this view, which could neither change nor save those of another one.
    func check(_ objects: ManagedObject...) throws {
        for object in objects where object.context !== context {
            throw PlacesError.objectOfAnotherView(object.objectID)
        }
    }

    /// Begins a change: checks that this view may change the objects, and shows what others saved of them.
    ///
    /// A change of what this view still shows would bring back what another one deleted, and take a photo from an album
    /// that this view does not know of yet.
    func beginChange(of objects: ManagedObject...) throws {
        try document.checkIsWritable()
        for object in objects { try check(object) }
        context.refreshAllObjects()
    }
}
