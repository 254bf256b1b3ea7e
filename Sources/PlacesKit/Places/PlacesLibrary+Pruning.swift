import Foundation
import PlacesGraph

extension PlacesLibrary {
    /// What a call of ``PlacesLibrary/prune(olderThan:)`` deleted.
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

    /// Deletes old fetched photos, and then places, regions, photographers and tags without photos.
    ///
    /// A photo is old if a fetch of recent photos or of a place's photos first brought it longer
    /// ago than `age`. Favorites, the photos of albums, those viewed in the last 48 hours and those
    /// of the history stay, even if they became that meanwhile. A photo that no fetch brought, and that is no favorite, in no
    /// album and no longer viewed, counts as fetched by the first call that finds it so. If a crash interrupts this between
    /// the two steps, the next call deletes the rest.
    ///
    /// - Parameter age: The time; a week by default.
    /// - Returns: What was deleted.
    /// - Throws: `CancellationError`, `ContextError`, or `DocumentError`.
    @discardableResult
    public nonisolated(nonsending) func prune(
        olderThan age: Duration = .seconds(7 * 86_400)
    ) async throws -> Pruning {
        try document.checkIsWritable()
        let now = options.now()
        let pruning = try await inTurn {
            // A photo that the user made a favorite meanwhile stays.
            let leftovers = try await commitInBackground(.mergeByPropertyStoreTrump) { context, _ in
                try Leftovers(deletingPhotosOlderThan: age, at: now, in: context)
            }
            return try withoutUndo { try delete(leftovers) }
        }
        try await save()
        return pruning
    }

    /// Objects that may be useless after old photos were deleted.
    private struct Leftovers: Sendable {
        let photos: [ObjectID]
        let places: [ObjectID]
        let regions: [ObjectID]
        let photographers: [ObjectID]

        init(
            deletingPhotosOlderThan age: Duration, at now: Date,
            in context: ManagedObjectContext
        ) throws(ContextError) {
            let kept = Set(try context.fetch(history).map(\.objectID))
            let (limit, never) = (now - age / .seconds(1), Date.distantFuture)
            // Those with a date ahead are no old ones: the clock that is wrong may be today's.
            let (recent, longAgo) = (now - recentTime, Date.distantPast)
            let old = FetchRequest<Photo>(
                predicate: #Predicate {
                    ($0.fetched ?? never) < limit && ($0.lastViewed ?? longAgo) <= recent
                        && !$0.isFavorite && $0.pins.isEmpty
                })
            var photos: [ObjectID] = []
            for photo in try context.fetch(old) where !kept.contains(photo.objectID) {
                photos.append(photo.objectID)
                context.delete(photo)
            }
            self.photos = photos
            // Nobody knows since when nothing keeps them, and the user may just have removed the last mark by mistake.
            try context.updateAll(
                Photo.self,
                where: #Predicate {
                    $0.fetched == nil && $0.lastViewed == nil && !$0.isFavorite && $0.pins.isEmpty
                }, set: \.fetched, to: now)
            places = try context.fetch(
                Place.self, where: #Predicate { $0.photos.isEmpty && $0.rank == nil }
            ).map(\.objectID)
            regions = try context.fetch(Region.self, where: #Predicate { $0.photos.isEmpty })
                .map(\.objectID)
            photographers = try context.fetch(
                Photographer.self, where: #Predicate { $0.photos.isEmpty }
            ).map(\.objectID)
        }
    }

    /// Deletes the objects that have no photos in the view context either.
    ///
    /// Nothing can happen in between: if the user viewed or marked a photo meanwhile, or a fetch
    /// found it, its place stays.
    private func delete(_ leftovers: Leftovers) throws(ContextError) -> Pruning {
        var pruning = Pruning()
        pruning.photos = leftovers.photos.count { context.object(with: $0) == nil }
        for case let place as Place in leftovers.places.compactMap(context.object)
        where place.photos.isEmpty && place.rank == nil {
            context.delete(place)
            pruning.places += 1
        }
        for case let region as Region in leftovers.regions.compactMap(context.object)
        where region.photos.isEmpty {
            // If a top place loses its region, the library asks for it again once the place has
            // photos.
            for place in Array(region.places) { place.isRegionKnown = false }
            context.delete(region)
            pruning.regions += 1
        }
        for case let photographer as Photographer
            in leftovers.photographers.compactMap(context.object)
        where photographer.photos.isEmpty {
            context.delete(photographer)
            pruning.photographers += 1
        }
        try forgetOldDeletions()
        try context.save()
        return pruning
    }
}
