import PlacesKitTesting
import Testing

@testable import PlacesKit

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
            try other.save()
            context.refreshAllObjects()
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
        try other.save()
        context.refreshAllObjects()
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
}
