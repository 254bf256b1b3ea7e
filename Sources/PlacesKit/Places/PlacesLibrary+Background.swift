import Foundation
import PlacesGraph

extension PlacesLibrary {
    /// Makes changes in the background, in one commit, and shows them.
    ///
    /// What is begun first is made first. A cancelled task's changes are not begun any more.
    nonisolated(nonsending) func inBackground<Value: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext, PhotoImport) throws -> Value
    ) async throws -> Value {
        let value = try await work.turnstile.pass {
            try await commitInBackground(.mergeByPropertyObjectTrump, body)
        }
        try await save()
        return value
    }

    /// Makes changes in the background, in one commit, and shows them; the caller has passed the
    /// turnstile.
    nonisolated(nonsending) func commitInBackground<Value: Sendable>(
        _ mergePolicy: MergePolicy,
        _ body: @escaping @Sendable (ManagedObjectContext, PhotoImport) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        // What the user has changed is there too.
        try context.save()
        let (store, options) = (document.store, options)
        let value = try await work.background.run {
            let context = ManagedObjectContext(store, isolation: nil)
            context.mergePolicy = mergePolicy
            let value = try body(context, PhotoImport(into: context, options))
            try context.save()
            return value
        }
        context.refreshAllObjects()
        return value
    }
}
