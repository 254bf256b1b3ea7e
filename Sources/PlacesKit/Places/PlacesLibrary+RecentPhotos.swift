import Foundation
import PlacesBase
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// What a fetch of recent photos added.
    public struct RecentFetch: Sendable {
        /// How many photos were not known before.
        public var newPhotos = 0
        /// How many photos were known already.
        public var knownPhotos = 0
        /// How many places were assigned to a region.
        public var namedPlaces = 0
        /// Why the regions of some places are not known yet; the next fetch asks again.
        public var namingFailure: PhotoSourceError?

        /// Whether anything changed.
        public var hasNewData: Bool { newPhotos > 0 || namedPlaces > 0 }
    }

    /// Asks the source for the newest photos with a position, and adds those that are new.
    ///
    /// It then asks for the regions of their places. Photos are added in the background, either all
    /// of a reply or none. The region is requested once for each place, and once for each grid cell
    /// for photos that name no place. If this is interrupted, the next call continues.
    ///
    /// - Parameter limit: How many photos to ask for.
    /// - Returns: What was added.
    /// - Throws: `PhotoSourceError`, `CancellationError`, `ContextError`, or `DocumentError`.
    @discardableResult
    public nonisolated(nonsending) func fetchRecentPhotos(
        limit: Int = 250
    ) async throws -> RecentFetch {
        try document.checkIsWritable()
        let records = try await activity.during { [source] in
            try await source.recentPhotos(limit: limit)
        }
        try Task.checkCancellation()
        var fetch = try await add(records)
        try await nameRegions(into: &fetch, knowing: records)
        let now = options.now()
        try withoutUndo { try settings().lastFetch = now }
        try await save()
        return fetch
    }

    /// Fetches recent photos again and again until the task is cancelled, even after failures.
    ///
    /// The first fetch takes place when the interval has passed since the last fetch by any
    /// process, or at once if there was none.
    ///
    /// - Parameters:
    ///   - interval: How long to wait after a fetch.
    ///   - limit: How many photos to ask for.
    ///   - report: Called with the result of each fetch; if it throws, this ends.
    /// - Throws: `DocumentError`, or what `report` throws, otherwise always
    ///   `CancellationError` in the end.
    public nonisolated(nonsending) func fetchRecentPhotos(
        every interval: Duration, limit: Int = 250,
        report: (Result<RecentFetch, any Error>) throws -> Void = { _ in }
    ) async throws {
        try document.checkIsWritable()
        let clock = options.clock
        let known = try context.find(LibrarySettings.self, \.key, LibrarySettings.key)
        if let last = known?.lastFetch {
            let elapsed = options.now().timeIntervalSince(last)
            let wait = interval - .seconds(min(max(0, elapsed), 1e9))
            if wait > .zero { try await elsewhere { try await clock.pause(for: wait) } }
        }
        while true {
            let result: Result<RecentFetch, any Error>
            do {
                result = .success(try await fetchRecentPhotos(limit: limit))
            } catch is CancellationError where Task.isCancelled {
                throw CancellationError()
            } catch {
                result = .failure(error)
            }
            try report(result)
            try Task.checkCancellation()
            try await elsewhere { try await clock.pause(for: interval) }
        }
    }

    /// Adds photos in the background, in one commit.
    private nonisolated(nonsending) func add(
        _ records: [PhotoRecord]
    ) async throws -> RecentFetch {
        let now = options.now()
        return try await inBackground { _, importer in
            var fetch = RecentFetch()
            var counted: Set<ObjectID> = []
            for photo in try importer.add(records) where counted.insert(photo.objectID).inserted {
                if photo.fetched == nil { photo.fetched = now }
                // One that was viewed, or is in an album, is known without a fetch.
                if photo.isInserted { fetch.newPhotos += 1 } else { fetch.knownPhotos += 1 }
            }
            return fetch
        }
    }
}
