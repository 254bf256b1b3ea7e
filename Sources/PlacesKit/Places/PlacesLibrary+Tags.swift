import Foundation
import PlacesGraph

extension PlacesLibrary {
    /// The tags of the library's photos, live; the first row is "All", the tag that every photo has.
    ///
    /// - Throws: `ContextError`.
    public func tags(by order: TagOrder = .name) throws -> ListController<PhotoTag> {
        var request = FetchRequest<PhotoTag>(
            predicate: #Predicate { $0.photoCount > 0 },
            sortBy: [SortDescriptor(stored: \.nameKey), SortDescriptor(stored: \.name)])
        if order == .photoCount {
            request.sortDescriptors.insert(SortDescriptor(\.photoCount, order: .reverse), at: 0)
        }
        return try ListController<PhotoTag>(
            request, title: \.title, subtitle: \.subtitle, searching: [\.title], in: context
        ).saying("No tags yet; fetch some photos.")
    }

    /// The photos that have a tag, live: by title, in sections by its first letter.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, or `ContextError`.
    public func photos(tagged tag: PhotoTag) throws -> ListController<Photo> {
        try check(tag)
        let name = tag.name
        return try photoList(
            FetchRequest(
                predicate: #Predicate { $0.tags.contains { $0.name == name } },
                sortBy: [SortDescriptor(stored: \.titleSection)] + Self.byTitle),
            sectionBy: \.titleSection)
    }

    // MARK: - Keeping them

    /// Saves the changes of this view, and deletes the tags that lost their last photo by them.
    func saveChanges() throws {
        try context.save()
        try deleteUnusedTags()
    }

    /// Deletes the tags that no photo has, unless work in the background may give them one.
    ///
    /// That work deletes them when it has ended. They are found by an index.
    func deleteUnusedTags() throws {
        let unused = FetchRequest<PhotoTag>(predicate: #Predicate { $0.photoCount == 0 })
        guard !work.turnstile.isTaken, try context.count(unused) > 0 else { return }
        try besides { context, _ in context.deleteAll(try context.fetch(unused)) }
    }

    /// Deletes tags that `options.ignoredTags` did not name when photos got them.
    ///
    /// Their photos lack a tag then, and are linked anew by ``linkTags()``.
    func deleteIgnoredTags() throws {
        let ignored = Set(options.ignoredTags.map(PhotoTag.name)).subtracting([PhotoTag.allName])
        guard try context.contains(PhotoTag.self, \.name, in: ignored).contains(true) else {
            return
        }
        try besides { context, _ in
            context.deleteAll(try context.find(PhotoTag.self, \.name, in: ignored))
        }
    }

    /// Links photos to their tags that an undo did not bring back, or an earlier model did not have.
    ///
    /// - Throws: `ContextError`.
    /// - Complexity: O(n) for n photos, at the speed of a scan.
    func linkTags() throws {
        let unlinked = FetchRequest<Photo>(predicate: #Predicate { $0.tagCount != $0.tags.count })
        guard try context.count(unlinked) > 0 else { return }
        try besides { context, importer in
            try importer.linkTags(of: try context.fetch(unlinked))
        }
    }

    /// Saves changes that are no step of the user's, so that no undo takes them back.
    func besides(_ body: (ManagedObjectContext, PhotoImport) throws -> Void) throws {
        let other = ManagedObjectContext(document.store, isolation: nil)
        other.mergePolicy = .mergeByPropertyStoreTrump
        let importer = PhotoImport(into: other, options)
        try body(other, importer)
        try importer.save()
        context.refreshAllObjects()
    }
}
