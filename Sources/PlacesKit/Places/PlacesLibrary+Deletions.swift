import Foundation
import PlacesGraph

extension PlacesLibrary {
    /// How many deletions are remembered: the latest.
    package static let rememberedDeletions = 10_000
    /// How many seconds a deletion is remembered: a year.
    package static let deletionMemory = 365 * 86_400.0

    /// The photos that a person deleted, live: the last one first.
    ///
    /// Fetches and albums leave them out. Deleting a row forgets the deletion, so the photo may
    /// come back. So does an undo, and ``view(_:in:)`` of the photo's record. A deletion is
    /// remembered for a year, and if there are more than 10,000, the oldest are forgotten. What
    /// ``prune(olderThan:)`` deletes, or goes with a pin, may come back.
    ///
    /// - Throws: `ContextError`.
    public func deletedPhotos() throws -> ListController<DeletedPhoto> {
        try ListController<DeletedPhoto>(
            FetchRequest(sortBy: Self.latestDeletions), title: \.title, searching: [\.title],
            in: context
        )
        .saying("No photo was deleted.")
        .deleting { _ = try self.forgetDeletions(of: [$0.uniqueID]) }
    }

    /// Forgets that photos were deleted, so that the next fetch or album may bring them back.
    ///
    /// - Parameter identifiers: The identifiers of the photos; by default all deleted ones.
    /// - Returns: How many deletions were forgotten.
    /// - Throws: `ContextError`, or `DocumentError`.
    @discardableResult
    public func forgetDeletions(of identifiers: [String]? = nil) throws -> Int {
        try beginChange()
        let deletions = try identifiers.map {
            try context.find(DeletedPhoto.self, \.uniqueID, in: Set($0))
        }
        let forgotten = try deletions ?? context.fetch(DeletedPhoto.self)
        try step("Forget deletions") { context.deleteAll(forgotten) }
        return forgotten.count
    }

    private static let latestDeletions = [
        SortDescriptor(\DeletedPhoto.date, order: .reverse),
        SortDescriptor(stored: \DeletedPhoto.uniqueID),
    ]

    private static let latestDeletion = FetchRequest<DeletedPhoto>(
        sortBy: latestDeletions, limit: 1
    ) { now in
        let end = now + clockError
        return #Predicate { $0.date < end }
    }

    // MARK: - Remembering

    /// Remembers that a person deletes a photo, if `body` deletes it, and saves that.
    func rememberDeletion(of photo: Photo, _ body: () -> Void) throws {
        let (identifier, title, wasDeleted) = (photo.uniqueID, photo.title, photo.isDeleted)
        let isRemembered = try step("Delete “\(title)”") {
            body()
            guard photo.isDeleted, !wasDeleted else { return false }
            work.deletedPhotos[photo.objectID] = identifier
            let deletion = try context.findOrInsert(DeletedPhoto.self, \.uniqueID, identifier)
            deletion.title = title
            deletion.date = try moment(after: Self.latestDeletion) { $0.date }
            return true
        }
        if isRemembered { try withoutUndo { try forgetOldDeletions() } }
    }

    /// Forgets deletions that are too old or too many.
    func forgetOldDeletions() throws(ContextError) {
        let limit = options.now() - Self.deletionMemory
        let old = FetchRequest<DeletedPhoto>(predicate: #Predicate { $0.date < limit })
        context.deleteAll(try context.fetch(old))
        guard try context.count(DeletedPhoto.self) > Self.rememberedDeletions else { return }
        let surplus = FetchRequest<DeletedPhoto>(
            sortBy: Self.latestDeletions, offset: Self.rememberedDeletions)
        context.deleteAll(try context.fetch(surplus))
    }

    /// Forgets deletions that an undo brought back though their photos had come back in another way.
    ///
    /// - Complexity: O(n) for n deletions that are remembered.
    func forgetDeletionsOfPresentPhotos() throws {
        let deletions = Array(try context.fetch(DeletedPhoto.self))
        let areThere = try context.contains(Photo.self, \.uniqueID, in: deletions.map(\.uniqueID))
        let wrong = zip(deletions, areThere).filter(\.1).map(\.0.uniqueID)
        guard !wrong.isEmpty else { return }
        try besides { context, _ in
            context.deleteAll(try context.find(DeletedPhoto.self, \.uniqueID, in: wrong))
        }
    }

    /// Deletes those of the photos that work in the background wrote whose deletion is remembered.
    ///
    /// The work leaves out what was deleted before it began. So a person deleted these meanwhile, or took back that their
    /// deletion was forgotten, and what the background wrote won over that, as over any other change.
    func deletePhotosAgain(_ written: Set<String>) throws {
        let written = Array(written)
        let areDeleted = try context.contains(DeletedPhoto.self, \.uniqueID, in: written)
        let wrong = zip(written, areDeleted).filter(\.1).map(\.0)
        guard !wrong.isEmpty else { return }
        try besides { context, _ in
            context.deleteAll(try context.find(Photo.self, \.uniqueID, in: wrong))
        }
    }
}
