import Foundation
import PlacesGraph

extension PlacesLibrary {
    /// Makes changes in the background, in one commit, merges them into the context, and saves.
    ///
    /// Changes are made in the order of the calls. If the task is cancelled before its turn, its
    /// changes are not made.
    nonisolated(nonsending) func inBackground<Value: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext, PhotoImport) throws -> Value
    ) async throws -> Value {
        let value = try await inTurn {
            try await commitInBackground(.mergeByPropertyObjectTrump, body)
        }
        try await save()
        return value
    }

    /// Runs work that would not survive a merge with other such work, after all that came before it.
    ///
    /// If it fails, nothing is saved behind it that would delete the tags that others left to it.
    nonisolated(nonsending) func inTurn<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work.turnstile.withTurn(nil, body)
        } catch {
            try? deleteUnusedTags()
            throw error
        }
    }

    /// Makes changes in the background, in one commit, and merges them into the context.
    ///
    /// The caller must have passed the turnstile.
    nonisolated(nonsending) func commitInBackground<Value: Sendable>(
        _ mergePolicy: MergePolicy,
        _ body: @escaping @Sendable (ManagedObjectContext, PhotoImport) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        // The background context sees the user's changes only after they are saved.
        try context.save()
        let (store, options) = (document.store, options)
        let (value, added) = try await work.background.run {
            let context = ManagedObjectContext(store, isolation: nil)
            context.mergePolicy = mergePolicy
            let importer = PhotoImport(into: context, options)
            let value = try body(context, importer)
            try importer.save()
            return (value, importer.added)
        }
        context.refreshAllObjects()
        try deletePhotosAgain(added)
        try endAlbumsAgain()
        return value
    }

    /// Ends the albums of photos that were changed, in the background or by an undo, after their pins had been deleted.
    ///
    /// That brought the photos back, with their pictures.
    ///
    /// - Complexity: O(n) for n photos, at the speed of a scan.
    func endAlbumsAgain() throws {
        guard try context.count(Self.withoutAlbum) > 0 else { return }
        try besides { context, _ in
            for photo in Array(try context.fetch(Self.withoutAlbum)) { photo.endAlbums() }
        }
    }
}
