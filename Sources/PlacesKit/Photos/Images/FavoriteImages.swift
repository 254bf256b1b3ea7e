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
        try await add(request, priority: priority, readdressing: nil)
    }

    /// Does the same, from the present address of the photo where the known one leads nowhere.
    package nonisolated(nonsending) func add(
        _ request: ImageRequest, priority: ImagePriority, readdressing: ImageLoader.Readdress?
    ) async throws {
        wanted.withLock { _ = $0.insert(stem(request.photo)) }
        let isOutdated = request.ladder.contains { variant in
            disk.file(for: loader.key(request, variant)).map { !$0.mayBe(from: variant.url) }
                ?? false
        }
        try await elsewhere {
            try await keep(request, priority, evenIfKept: isOutdated, readdressing: readdressing)
        }
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
    /// old stays if it cannot be fetched, unless its source says that it has deleted the photo. An
    /// address that leads nowhere is no such word, but one of the failures. A picture whose request
    /// has no address any more stays, too.
    ///
    /// If as many requests in a row as run at a time, or two, find a host out of reach, those of its
    /// pictures that are still to be fetched fail without being asked for.
    ///
    /// - Parameters:
    ///   - favorites: The favorites' pictures.
    ///   - renewing: Whether pictures that are too old are fetched again.
    /// - Returns: What was done, and what failed.
    @discardableResult
    public nonisolated(nonsending) func reconcile(
        with favorites: [ImageRequest], renewing: Bool = true
    ) async -> Reconciliation {
        await reconcile(with: favorites, renewing: renewing) { [loader] request in
            try await loader.isRemoved(request.photo) ? nil : request
        }
    }

    /// Does the same, and fetches pictures from the present addresses of their photos.
    ///
    /// - Parameters:
    ///   - favorites: The favorites' pictures.
    ///   - renewing: Whether pictures that are too old are fetched again.
    ///   - photos: The photos whose pictures are fetched; all by default.
    ///   - readdress: Asks about a photo, none of whose addresses leads anywhere.
    /// - Returns: What was done, and what failed.
    package nonisolated(nonsending) func reconcile(
        with favorites: [ImageRequest], renewing: Bool, of photos: Set<String>? = nil,
        readdressing readdress: @escaping ImageLoader.Readdress
    ) async -> Reconciliation {
        let requests = Dictionary(favorites.map { ($0.photo, $0) }) { first, _ in first }
        wanted.withLock { $0 = Set(requests.keys.map(stem)) }
        return await reconcile(with: requests, renewing, photos, readdress)
    }

    private func reconcile(
        with requests: [String: ImageRequest], _ renewing: Bool, _ photos: Set<String>?,
        _ readdress: @escaping ImageLoader.Readdress
    ) async -> Reconciliation {
        var report = Reconciliation()
        do {
            report.removedCount = try await removeOrphans()
        } catch {
            report.failures = requests.mapValues { _ in error }
            return report
        }
        var hosts: [String: PictureHost] = [:]
        for request in requests.values.sorted(by: { $0.photo > $1.photo })
        where photos?.contains(request.photo) != false && !isCurrent(request, renewing) {
            // Calls from now on may keep another picture, which stays.
            let kept = Set(disk.names(ofPhoto: stem(request.photo)))
            hosts[request.host, default: PictureHost()].missing.append((request, kept))
        }
        if renewing { await noteAddresses(of: requests.values) }
        let limit = max(1, loader.options.transfersPerHost)
        await withTaskGroup(of: (ImageRequest, Answer).self) { group in
            repeat {
                for host in hosts.keys {
                    while let (request, kept) = hosts[host]?.next(atATime: limit) {
                        group.addTask { [self] in (request, await renew(request, kept, readdress)) }
                    }
                }
                guard let (request, answer) = await group.next() else { break }
                hosts[request.host]?.end()
                switch answer.outcome {
                case .fetched: report.fetched.append(request.photo)
                case .gone: report.gone.append(request.photo)
                case .failed(let error): report.failures[request.photo] = error
                }
                if let host = answer.host { hosts[host]?.note(answer.outcome.error) }
            } while true
        }
        for host in hosts.values {
            for (request, _) in host.missing { report.failures[request.photo] = host.failure }
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

        var error: (any Error)? {
            guard case .failed(let error) = self else { return nil }
            return error
        }
    }

    /// An outcome, and the host of pictures that it tells of; nil if that is not known.
    private typealias Answer = (outcome: Outcome, host: String?)

    /// Fetches a favorite's picture, or removes the files of a photo that its source has deleted.
    private func renew(
        _ request: ImageRequest, _ kept: Set<ImageFileName>, _ readdress: ImageLoader.Readdress
    ) async -> Answer {
        var host: String? = request.host
        do {
            if try await isThere(request, kept) { return (.fetched, host) }
            // What the source's service fails with says nothing of where its pictures are.
            host = nil
            guard let present = try await readdress(request) else {
                _ = try await disk.removeAll { kept.contains($0) }
                return (.gone, request.host)
            }
            guard present.ladder != request.ladder, !present.ladder.isEmpty else {
                return (.failed(PhotoSourceError.deadAddress(ofPhoto: request.photo)), request.host)
            }
            host = present.host
            guard try await isThere(present, kept) else {
                return (.failed(PhotoSourceError.deadAddress(ofPhoto: request.photo)), host)
            }
            return (.fetched, host)
        } catch {
            return (.failed(error), host)
        }
    }

    /// Fetches and keeps a favorite's picture; returns false if its addresses lead nowhere.
    private func isThere(
        _ request: ImageRequest, _ kept: Set<ImageFileName>
    ) async throws -> Bool {
        do {
            try await keep(request, .idle, evenIfKept: !kept.isEmpty)
            return true
        } catch let error as PhotoSourceError where error.meansGone && !request.ladder.isEmpty {
            return false
        }
    }

    /// How the names of all files of a photo begin.
    private func stem(_ photo: String) -> String {
        ImageFileName.photoStem(source: loader.sourceName, photo: photo)
    }

    private func isWanted(_ stem: String) -> Bool {
        wanted.withLock { $0.contains(stem) }
    }

    private func keep(
        _ request: ImageRequest, _ priority: ImagePriority, evenIfKept: Bool = false,
        readdressing: ImageLoader.Readdress? = nil
    ) async throws {
        let arrival = loader.beginArrival(ofPhoto: request.photo)
        defer { loader.endArrival(arrival) }
        let (image, key) = try await loader.loaded(
            request, priority: LivePriority(priority), evenIfKept: evenIfKept,
            readdressing: readdressing)
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

    /// Notes the addresses of the pictures whose files, from before files named any, name none.
    ///
    /// They count as those of the present addresses; noted, they follow them from now on.
    private func noteAddresses(of requests: some Sequence<ImageRequest>) async {
        var addresses: [ImageKey: URL] = [:]
        for request in requests where isCurrent(request, true) {
            for variant in request.ladder {
                let key = loader.key(request, variant)
                guard let file = disk.file(for: key), file.isPinned, file.address == nil else {
                    continue
                }
                addresses[key] = variant.url
            }
        }
        // Without a note a picture is shown all the same, and the next call tries again.
        if !addresses.isEmpty { try? await disk.noteAddresses(addresses) }
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

extension ImageRequest {
    /// The host that is asked first.
    fileprivate var host: String { ladder.first?.url.host() ?? "" }
}
