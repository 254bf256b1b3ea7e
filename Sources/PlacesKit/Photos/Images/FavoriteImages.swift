import Foundation
import PlacesBase
import Synchronization

/// Keeps the pictures of favorites, and only those, on disk, so that they show without a network.
///
/// ```swift
/// let favorites = FavoriteImages(loader)
/// await favorites?.reconcile(with: requests)          // at start: orphans go, what is missing comes
/// try await favorites?.add(request)                   // the user made it a favorite
/// try await favorites?.remove(photo: identifier)      // no longer
/// ```
///
/// The last call about a photo decides, even if earlier calls are still under way.
/// ``reconcile(with:renewing:)`` is a call about every photo: make its list where you make the other
/// calls, and wait for nothing in between.
public final class FavoriteImages: Sendable {
    /// What ``FavoriteImages/reconcile(with:renewing:)`` did, and what failed.
    public struct Reconciliation: Sendable {
        /// How many pictures were removed because they belonged to no favorite.
        public var removedCount = 0
        /// The favorites whose pictures were fetched because they were missing or too old.
        public var fetched: [String] = []
        /// The favorites that their source says it has deleted; their pictures were removed, too.
        public var gone: [String] = []
        /// The favorites whose pictures could not be fetched or written this time, with the errors.
        public var failures: [String: any Error] = [:]

        package init() {}
    }

    private let loader: ImageLoader
    private let disk: ImageDiskCache
    /// The favorites by now, each by how the names of its files begin.
    private let wanted = Mutex<Set<String>>([])

    /// Creates the keeper of a loader's favorites; nil if the loader has no disk cache.
    public init?(_ loader: ImageLoader) {
        guard let disk = loader.disk else { return nil }
        self.loader = loader
        self.disk = disk
    }

    /// Keeps the picture of a favorite; it is on disk when this returns, unless removed meanwhile.
    ///
    /// It takes the place of another picture of the photo that is kept.
    ///
    /// If this fails, the photo still counts as a favorite, and the next ``reconcile(with:renewing:)``
    /// fetches its picture.
    ///
    /// - Throws: What fetching throws, or `ImageCacheError`.
    public nonisolated(nonsending) func add(
        _ request: ImageRequest, priority: ImagePriority = .prefetch
    ) async throws {
        wanted.withLock { _ = $0.insert(stem(request.photo)) }
        let isOutdated = request.ladder.contains { variant in
            disk.file(for: loader.key(request, variant)).map { !$0.mayBe(from: variant.url) }
                ?? false
        }
        try await elsewhere { try await keep(request, priority, evenIfKept: isOutdated) }
    }

    /// Removes the pictures of a photo that is no longer a favorite.
    ///
    /// - Throws: `ImageCacheError`.
    public nonisolated(nonsending) func remove(photo: String) async throws(ImageCacheError) {
        let stem = stem(photo)
        wanted.withLock { _ = $0.remove(stem) }
        try await elsewhere { () throws(ImageCacheError) in
            try await disk.remove(ofPhoto: stem) { [self] in !isWanted(stem) }
        }
    }

    /// Whether a favorite's picture is on disk.
    public func contains(photo: String) -> Bool {
        disk.names(ofPhoto: stem(photo)).contains { $0.isPinned }
    }

    /// Makes the pictures on disk those of the favorites.
    ///
    /// It removes all other pictures. It fetches those that are missing, came from another address
    /// than the request has now, or are older than the loader's maximum age. A picture that is too
    /// old stays if it cannot be fetched, unless its source says that it has deleted the photo. An address that leads nowhere is no such word, but one of the
    /// failures. A picture whose request has no address any more stays, too.
    ///
    /// - Parameters:
    ///   - favorites: The favorites' pictures.
    ///   - renewing: Whether pictures that are too old are fetched again.
    /// - Returns: What was done, and what failed.
    @discardableResult
    public nonisolated(nonsending) func reconcile(
        with favorites: [ImageRequest], renewing: Bool = true
    ) async -> Reconciliation {
        let requests = Dictionary(favorites.map { ($0.photo, $0) }) { first, _ in first }
        wanted.withLock { $0 = Set(requests.keys.map(stem)) }
        return await reconcile(with: requests, renewing)
    }

    private func reconcile(
        with requests: [String: ImageRequest], _ renewing: Bool
    ) async -> Reconciliation {
        var report = Reconciliation()
        do {
            report.removedCount = try await removeOrphans()
        } catch {
            report.failures = requests.mapValues { _ in error }
            return report
        }
        let missing = requests.values.filter { !isCurrent($0, renewing) }.sorted {
            $0.photo < $1.photo
        }
        await withTaskGroup(of: (String, Outcome).self) { group in
            for request in missing {
                // Calls from now on may keep another picture, which stays.
                let kept = Set(disk.names(ofPhoto: stem(request.photo)))
                group.addTask { [self] in (request.photo, await renew(request, kept)) }
            }
            for await (photo, outcome) in group {
                switch outcome {
                case .fetched: report.fetched.append(photo)
                case .gone: report.gone.append(photo)
                case .failed(let error): report.failures[photo] = error
                }
            }
        }
        report.fetched.sort()
        report.gone.sort()
        return report
    }

    /// What became of a favorite whose picture was missing or too old.
    private enum Outcome {
        case fetched
        case gone
        case failed(any Error)
    }

    /// Fetches a favorite's picture, or removes the files of a photo that its source has deleted.
    private func renew(_ request: ImageRequest, _ kept: Set<ImageFileName>) async -> Outcome {
        do {
            try await keep(request, .idle, evenIfKept: !kept.isEmpty)
            return .fetched
        } catch let error as PhotoSourceError where error.meansGone && !request.ladder.isEmpty {
            do {
                guard try await loader.isRemoved(request.photo) else {
                    return .failed(Self.deadAddress(of: request.photo))
                }
                _ = try await disk.removeAll { kept.contains($0) }
                return .gone
            } catch {
                return .failed(error)
            }
        } catch {
            return .failed(error)
        }
    }

    private static func deadAddress(of photo: String) -> PhotoSourceError {
        .unavailable(
            reason: .unreadable(
                provider: "The picture of photo “\(photo)”",
                reason: "Its address leads nowhere any more, but its source did not say that it "
                    + "removed the photo; fetch a list with the photo, to get its new address."))
    }

    /// How the names of all files of a photo begin.
    private func stem(_ photo: String) -> String {
        ImageFileName.photoStem(source: loader.sourceName, photo: photo)
    }

    private func isWanted(_ stem: String) -> Bool {
        wanted.withLock { $0.contains(stem) }
    }

    private func keep(
        _ request: ImageRequest, _ priority: ImagePriority, evenIfKept: Bool = false
    ) async throws {
        let arrival = loader.beginArrival(ofPhoto: request.photo)
        defer { loader.endArrival(arrival) }
        let (image, key) = try await loader.loaded(
            request, priority: LivePriority(priority), evenIfKept: evenIfKept)
        try await disk.store(
            image.data, for: key, from: image.url, fetched: image.fetched, isPinned: true
        ) { [self] in
            guard isWanted(stem(request.photo)), loader.isArriving(arrival) else { return false }
            guard let file = disk.file(for: key), file.isPinned else { return true }
            // A date ahead is that of a wrong clock.
            return file.fetchDate < image.fetched || file.fetchDate > loader.now()
                || file.fetchDate <= image.fetched && !(image.url.map(file.mayBe) ?? true)
        }
    }

    /// Removes the kept pictures of this source that belong to no favorite.
    private func removeOrphans() async throws(ImageCacheError) -> Int {
        let sourceStem = stem("").dropLast(2)
        return try await disk.removeAll { [self] in
            $0.isPinned && $0.stem.hasPrefix(sourceStem) && !isWanted($0.photoStem)
        }
    }

    /// Whether any variant in the request's ladder has a picture on disk that is not too old, and
    /// does not come from a former address.
    private func isCurrent(_ request: ImageRequest, _ renewing: Bool) -> Bool {
        guard !request.ladder.isEmpty else { return contains(photo: request.photo) }
        return request.ladder.contains { variant in
            guard let file = disk.file(for: loader.key(request, variant)), file.isPinned else {
                return false
            }
            return !renewing
                || file.mayBe(from: variant.url)
                    && loader.isFresh(file.fetchDate, loader.options.maximumAge)
        }
    }
}
