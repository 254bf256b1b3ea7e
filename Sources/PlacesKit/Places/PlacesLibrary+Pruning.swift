public import Foundation

extension PlacesLibrary {
    /// What a pruning has deleted.
    public struct Pruning: Sendable, Hashable {
        /// How many photos.
        public var photos = 0
        /// How many places without photos.
        public var places = 0
        /// How many regions without photos.
        public var regions = 0
        /// How many photographers without photos.
        public var photographers = 0
    }

    /// Deletes the photos that a fetch brought longer ago than a time, in one commit, and with them the
    /// places, regions and photographers that have no photos left.
    ///
    /// Favorites, the photos of albums, those viewed in the last 48 hours and those of the history stay.
    ///
    /// - Parameter age: The time in seconds; a week unless given.
    /// - Returns: What was deleted.
    /// - Throws: `ContextError`, or `DocumentError`.
    @discardableResult
    public nonisolated(nonsending) func prune(
        olderThan age: TimeInterval = 7 * 86_400
    ) async throws -> Pruning {
        let limit = options.now() - age
        // What was marked as a favorite meanwhile stays.
        return try await inBackground(.mergeByPropertyStoreTrump) { context, _ in
            try Self.prune(fetchedBefore: limit, in: context)
        }
    }

    private static func prune(
        fetchedBefore limit: Date, in context: ManagedObjectContext
    ) throws(ContextError) -> Pruning {
        var pruning = Pruning()
        let kept = Set(
            try context.fetch(history).map(\.objectID) + context.fetch(recents).map(\.objectID))
        let never = Date.distantFuture
        let old = FetchRequest<Photo>(
            predicate: #Predicate {
                ($0.fetched ?? never) < limit && !$0.isFavorite && $0.pins.isEmpty
            })
        for photo in try context.fetch(old) where !kept.contains(photo.objectID) {
            context.delete(photo)
            pruning.photos += 1
        }
        pruning.places = try context.deleteAll(
            Place.self, where: #Predicate { $0.photos.isEmpty && $0.rank == nil })
        pruning.regions = try context.deleteAll(
            Region.self, where: #Predicate { $0.photos.isEmpty })
        // A top place that lost its region is asked for it again when it has photos.
        try context.updateAll(
            Place.self, where: #Predicate { $0.photos.isEmpty }, set: \.isRegionKnown, to: false)
        pruning.photographers = try context.deleteAll(
            Photographer.self, where: #Predicate { $0.photos.isEmpty })
        return pruning
    }
}
