import PlacesKit
import PlacesKitTesting
import Testing

/// Undo of what was deleted beside an object whose delete a rule forbids.
@Suite struct DeniedUndoTests {
    final class Picture: ManagedObject {
        @Attribute var title = ""
        @Relationship(deleteRule: .cascade, inverse: \Seal.picture) var seal: Seal?
    }

    final class Seal: ManagedObject {
        @Attribute var number = 0
        @Relationship(deleteRule: .deny) var picture: Picture?
    }

    /// A context in which first the seal of a saved picture was deleted, and then the picture; there is another
    /// one with a seal.
    private func deleted() throws -> (ManagedObjectContext, Picture, Seal) {
        let context = ManagedObjectContext(try GraphStore(model: [Picture.self, Seal.self]))
        let (picture, seal) = (Picture(context: context), Seal(context: context))
        picture.seal = seal
        Picture(context: context).seal = Seal(context: context)
        try context.save()
        context.isUndoEnabled = true
        for object in [seal, picture] {
            context.delete(object)
            context.processPendingChanges()
        }
        return (context, picture, seal)
    }

    @Test(arguments: [false, true])
    func `a link that forbade a delete comes back, whether others saved meanwhile or not`(
        othersSave: Bool
    ) throws {
        let (context, picture, seal) = try deleted()
        if othersSave {
            let other = ManagedObjectContext(context.store)
            _ = Picture(context: other)
            try other.save(shownTo: context)
        }
        context.undo()
        #expect(!picture.isDeleted && seal.isDeleted)
        #expect(picture.seal === seal)
        let error = #expect(throws: ContextError.self) { try context.save() }
        #expect(error?.description.contains("Seal/0") == true)
        context.undo()
        #expect(!seal.isDeleted && picture.seal === seal && seal.picture === picture)
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `what others deleted is not led to`() throws {
        let (context, picture, _) = try deleted()
        let other = ManagedObjectContext(context.store)
        let others = try #require(try other.fetch(Seal.self).first)
        others.picture = nil
        other.delete(others)
        try other.save(shownTo: context)
        context.undo()
        #expect(!picture.isDeleted && picture.seal == nil)
        try context.checkIntegrity()
    }

    @Test func `a link comes back after a save that would have given up both deletes was refused`()
        throws
    {
        let (context, picture, seal) = try deleted()
        let other = ManagedObjectContext(context.store)
        try other.fetch(Picture.self).first?.title = "new"
        try other.fetch(Seal.self).first?.number = 7
        try other.save()
        // What others wrote would stay, but another delete is forbidden.
        context.disableUndoRegistration()
        context.delete(try #require(try context.fetch(Seal.self).first))
        context.enableUndoRegistration()
        context.mergePolicy = .rollback
        #expect(throws: ContextError.self) { try context.save() }
        #expect(picture.isDeleted && seal.isDeleted)
        context.undo()
        #expect(!picture.isDeleted && seal.isDeleted)
        #expect(picture.seal === seal)
        try context.checkIntegrity()
    }

    @Test func `a refresh that drops changes shows a link again that forbids a delete`() throws {
        let (context, picture, seal) = try deleted()
        context.undo()
        picture.seal = nil
        try context.refresh(picture, mergeChanges: false)
        #expect(picture.seal === seal && seal.isDeleted)
        #expect(throws: ContextError.self) { try context.save() }
        try context.checkIntegrity()
    }

    // MARK: - Links that forbid nothing

    final class Album: ManagedObject {
        @Attribute var name = ""
        @Relationship(deleteRule: .deny) var originals: ObjectSet<Print>
        @Relationship var copies: ObjectSet<Print>
    }

    final class Print: ManagedObject {
        @Attribute var title = ""
        @Relationship(inverse: \Album.originals) var original: Album?
        @Relationship(inverse: \Album.copies) var copied: Album?
    }

    /// A context that has deleted a saved album against the rule of its original; and a print that is in no album.
    private func deletedAlbum() throws -> (ManagedObjectContext, Album, Print) {
        let context = ManagedObjectContext(try GraphStore(model: [Album.self, Print.self]))
        let (album, print) = (Album(context: context), Print(context: context))
        album.originals.insert(Print(context: context))
        try context.save()
        context.isUndoEnabled = true
        context.delete(album)
        context.processPendingChanges()
        return (context, album, print)
    }

    /// Lets another context put the print among the album's copies.
    private func copy(_ print: Print, into album: Album, besides context: ManagedObjectContext)
        throws
    {
        let other = ManagedObjectContext(context.store)
        try other.existingObject(Print.self, with: print.objectID).copied =
            try other.existingObject(Album.self, with: album.objectID)
        try other.save(shownTo: context)
    }

    @Test func `an undo that ends a conflict does not lead to an object that is gone`() throws {
        let (context, album, print) = try deletedAlbum()
        print.title = "mine"
        context.processPendingChanges()
        try copy(print, into: album, besides: context)
        context.undo()
        #expect(album.isDeleted && print.copied == nil && print.title == "")
        try context.checkIntegrity()
        context.undo()
        #expect(!album.isDeleted && album.originals.count == 1)
        try context.checkIntegrity()
    }

    @Test func `a refresh that drops changes does not lead to an object that is gone`() throws {
        let (context, album, print) = try deletedAlbum()
        print.title = "mine"
        try copy(print, into: album, besides: context)
        try context.refresh(print, mergeChanges: false)
        #expect(album.isDeleted && print.copied == nil)
        try context.checkIntegrity()
    }

    @Test func `an undo does not lead to an object that is gone`() throws {
        let (context, album, print) = try deletedAlbum()
        context.undo()
        print.copied = album
        try context.save()
        print.copied = nil
        context.processPendingChanges()
        context.disableUndoRegistration()
        context.delete(album)
        context.processPendingChanges()
        context.enableUndoRegistration()
        context.undo()
        #expect(album.isDeleted && print.copied == nil)
        try context.checkIntegrity()
    }

    // MARK: - Children

    /// A context that has deleted an album against the rule of its original, and a child that has found that
    /// print, and remembers what it does.
    private func deletedAlbumOfParent() throws -> (
        ManagedObjectContext, ManagedObjectContext, Print
    ) {
        let (parent, _, _) = try deletedAlbum()
        let child = ManagedObjectContext(parent: parent)
        child.isUndoEnabled = true
        let print = try #require(try child.fetch(Print.self).first { $0.original != nil })
        return (parent, child, print)
    }

    @Test func `a child's undo brings a link back that forbids a delete of the parent`() throws {
        let (parent, child, print) = try deletedAlbumOfParent()
        let album = print.original
        child.delete(print)
        child.undo()
        #expect(!print.isDeleted && print.original != nil && print.original === album)
        try child.save()
        #expect(print.original === album)
        #expect(throws: ContextError.self) { try parent.save() }
        try parent.checkIntegrity()
        try child.checkIntegrity()
    }

    @Test func `a child's undo brings such a link back after its parent was given the delete`()
        throws
    {
        let (parent, child, print) = try deletedAlbumOfParent()
        let twin = try parent.existingObject(Print.self, with: print.objectID)
        child.delete(print)
        try child.save()
        #expect(twin.isDeleted)
        child.undo()
        try child.save()
        #expect(!twin.isDeleted && twin.original != nil)
        #expect(throws: ContextError.self) { try parent.save() }
        try parent.checkIntegrity()
        try child.checkIntegrity()
    }

    @Test func `a child that overwrites its parent's object keeps a link that forbids a delete`()
        throws
    {
        let (parent, child, print) = try deletedAlbumOfParent()
        let twin = try parent.existingObject(Print.self, with: print.objectID)
        print.title = "child"
        twin.title = "parent"
        child.mergePolicy = .overwrite
        try child.save()
        #expect(twin.title == "child" && twin.original != nil && print.original != nil)
        #expect(throws: ContextError.self) { try parent.save() }
        try parent.checkIntegrity()
        try child.checkIntegrity()
    }

    @Test func `a child of a child knows such links, too`() throws {
        let (_, child, print) = try deletedAlbumOfParent()
        let grandchild = ManagedObjectContext(parent: child)
        grandchild.isUndoEnabled = true
        let twin = try grandchild.existingObject(Print.self, with: print.objectID)
        grandchild.delete(twin)
        grandchild.undo()
        #expect(!twin.isDeleted && twin.original != nil)
        try grandchild.save()
        #expect(print.original != nil)
        try child.checkIntegrity()
    }

    @Test func `what a child puts into an album that its parent deletes is not led there`() throws {
        let (parent, album, print) = try deletedAlbum()
        parent.undo()
        let child = ManagedObjectContext(parent: parent)
        let twin = try child.existingObject(Print.self, with: print.objectID)
        twin.original = try child.existingObject(Album.self, with: album.objectID)
        parent.delete(album)
        child.mergePolicy = .mergeByPropertyStoreTrump
        try child.save()
        #expect(twin.original == nil && print.original == nil && album.isDeleted)
        try parent.checkIntegrity()
        try child.checkIntegrity()
    }
}
