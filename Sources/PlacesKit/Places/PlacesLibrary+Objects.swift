import PlacesGraph

extension PlacesLibrary {
    /// Checks that an object belongs to this view, which could neither change nor save one of another.
    func check(_ object: ManagedObject) throws {
        guard object.context === context else {
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
