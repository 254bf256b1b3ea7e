public import Foundation
import PlacesBase
import Synchronization

/// Loads pictures on request: from memory, else from disk, else from their source.
///
/// ```swift
/// let loader = ImageLoader(source: source)
/// let request = ImageRequest(photo, atLeast: 1_024)
/// let picture = try await loader.image(request)                   // cancel the task to give up
/// ```
///
/// - All who request the same picture share one transfer. It continues as long as one of them
///   waits, with the highest priority among them. ``FavoriteImages`` has its own to renew one.
/// - The number of transfers from each host is limited; the most urgent one goes first.
/// - Only the pictures that ``FavoriteImages`` keeps are written to disk, unless the options say
///   otherwise.
/// - If a picture no longer exists, the loader remembers that for a while, except of a file. It
///   remembers no other failures.
/// - If the first bytes of a reply are not those of a picture, the loader neither returns nor keeps
///   it.
public final class ImageLoader: Sendable {
    /// How a loader works.
    public struct Options: Sendable, Hashable {
        package var memoryByteLimit: Int
        package var transfersPerHost: Int
        package var maximumAge: Duration?
        package var maximumFavoriteAge: Duration?
        package var goneAge: Duration
        package var keepsEverythingOnDisk: Bool

        /// Creates options; ages count from the fetch.
        ///
        /// - Parameters:
        ///   - memoryByteLimit: How many bytes pictures may take in memory; 32 MiB by default.
        ///   - transfersPerHost: How many transfers from one host run at a time.
        ///   - maximumAge: The age from which a kept picture is fetched again; nil for no limit. Older
        ///     favorites are still shown; ``FavoriteImages`` renews them.
        ///   - maximumFavoriteAge: The age from which a favorite's picture is no longer shown; nil for no
        ///     limit.
        ///   - goneAge: How long the loader remembers that a picture no longer exists.
        ///   - keepsEverythingOnDisk: Whether all pictures go to disk, not only favorites.
        public init(
            memoryByteLimit: Int = 32 << 20, transfersPerHost: Int = 6, maximumAge: Duration? = nil,
            maximumFavoriteAge: Duration? = nil, goneAge: Duration = .seconds(600),
            keepsEverythingOnDisk: Bool = false
        ) {
            self.memoryByteLimit = memoryByteLimit
            self.transfersPerHost = transfersPerHost
            self.maximumAge = maximumAge
            self.maximumFavoriteAge = maximumFavoriteAge
            self.goneAge = goneAge
            self.keepsEverythingOnDisk = keepsEverythingOnDisk
        }
    }

    /// Fetches a picture; throws `PhotoSourceError.gone` if it no longer exists.
    package typealias Fetch = @Sendable (PhotoVariant) async throws -> Data

    /// Tells whether the source has removed a photo.
    ///
    /// It is asked when the address of one of the photo's pictures leads nowhere.
    package typealias IsRemoved = @Sendable (_ photo: String) async throws -> Bool

    struct MemoryImage {
        let data: Data
        let fetched: Date
        /// The address from which it came; nil for a favorite's picture from a former address.
        let url: URL?
    }

    /// What is fetched, and whether even though a picture is kept.
    struct Transfer: Hashable {
        let key: ImageKey
        let url: URL
        let evenIfKept: Bool
    }

    struct Memory {
        var images: ByteBudget<ImageKey, MemoryImage>
        /// The last thousand addresses without a picture, and when that was noticed.
        var gone = ByteBudget<URL, Date>(limit: 1_000)
        /// The photos whose pictures are on their way here, each as often as that is so.
        var arriving: [UInt64: String] = [:]
        var lastArrival: UInt64 = 0
    }

    /// The name of the photos' source, which tells its pictures from others on the same disk.
    public let sourceName: String
    /// How the loader works.
    public let options: Options
    /// The disk cache, which holds the favorites.
    public let disk: ImageDiskCache?

    let now: @Sendable () -> Date
    let memory: Mutex<Memory>
    let transfers = SharedWork<Transfer, MemoryImage>()
    let slots: TransferSlots
    let isRemoved: IsRemoved
    private let fetch: Fetch

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - sourceName: The name of the photos' source.
    ///   - disk: The disk cache, which holds the favorites; none by default.
    ///   - options: How the loader works.
    ///   - now: Returns the current time.
    ///   - isRemoved: Tells whether the source has removed a photo; by default it has, once none of
    ///     the picture's addresses leads anywhere. A favorite's picture is kept until then.
    ///   - fetch: Fetches a picture.
    public init(
        sourceName: String, disk: ImageDiskCache? = nil, options: Options = Options(),
        now: @escaping @Sendable () -> Date = { Date() },
        isRemoved: @escaping @Sendable (_ photo: String) async throws -> Bool = { _ in true },
        fetch: @escaping @Sendable (PhotoVariant) async throws -> Data
    ) {
        self.sourceName = sourceName
        self.options = options
        self.disk = disk
        self.now = now
        self.isRemoved = isRemoved
        self.fetch = fetch
        memory = Mutex(Memory(images: ByteBudget(limit: options.memoryByteLimit)))
        slots = TransferSlots(perHost: options.transfersPerHost)
    }

    /// A picture, if it is in memory.
    ///
    /// - Complexity: O(k) for k sizes of the picture that the request accepts.
    public func imageInMemory(_ request: ImageRequest) -> Data? {
        for variant in request.ladder {
            if let data = inMemory(key(request, variant), variant)?.data { return data }
        }
        return nil
    }

    /// The best picture of a request's ladder that is in memory or on disk; this fetches nothing.
    public func cachedImage(_ request: ImageRequest) async -> Data? {
        if let data = await knownImage(request) { return data }
        // Another process may have written it.
        try? await disk?.look()
        return await knownImage(request)
    }

    private func knownImage(_ request: ImageRequest) async -> Data? {
        for variant in request.ladder {
            let key = key(request, variant)
            if let image = inMemory(key, variant) { return image.data }
            if let image = await onDisk(key, variant) { return image.data }
        }
        return nil
    }

    /// The picture of the best variant in the request's ladder that still exists.
    ///
    /// A favorite's picture is read from disk, whichever variant it is.
    ///
    /// - Throws: What fetching throws, `CancellationError` if the task is cancelled,
    ///   `PhotoSourceError.noPicture` if the source returned something else, or
    ///   `PhotoSourceError.gone` if the ladder is empty or none of its variants exists any longer.
    public func image(
        _ request: ImageRequest, priority: ImagePriority = .visible
    ) async throws -> Data {
        try await loaded(request, priority: LivePriority(priority)).image.data
    }

    /// Starts to fetch pictures before they are requested, in their order.
    ///
    /// - Returns: The prefetch, which is cancelled when its last reference is released.
    public func prefetch(
        _ requests: [ImageRequest], priority: ImagePriority = .prefetch
    ) -> ImagePrefetch {
        ImagePrefetch(requests, priority: priority, loader: self)
    }

    /// Removes the pictures of a photo from memory and disk, as when its owner asks for that.
    ///
    /// Those that are being fetched still come to who waits for them, but are not kept.
    ///
    /// - Throws: `ImageCacheError`.
    public func remove(photo: String) async throws(ImageCacheError) {
        memory.withLockReleasingResult { memory in
            memory.arriving = memory.arriving.filter { $0.value != photo }
            let keys = memory.images.keys.filter { $0.photo == photo }
            return keys.map { memory.images.remove($0) }
        }
        try await disk?.remove(photo: photo, of: sourceName)
    }

    /// Removes all pictures from memory, as when memory runs low.
    public func removeAllFromMemory() {
        memory.withLockReleasingResult { memory in
            defer { memory.images.removeAll() }
            return memory.images
        }
    }

    func key(_ request: ImageRequest, _ variant: PhotoVariant) -> ImageKey {
        ImageKey(source: sourceName, photo: request.photo, variant: variant.name)
    }

    /// The best picture of a ladder, and its key.
    func loaded(
        _ request: ImageRequest, priority: LivePriority, evenIfKept: Bool = false
    ) async throws -> (image: MemoryImage, key: ImageKey) {
        try Task.checkCancellation()
        if !evenIfKept {
            if let kept = await kept(request) { return kept }
            // Another process may have kept it, or renewed its file.
            if let best = request.ladder.first, inMemory(key(request, best), best) == nil, let disk
            {
                try? await disk.look()
                if let kept = await kept(request) { return kept }
            }
        }
        var failure = Self.gone(request.photo)
        for variant in request.ladder {
            let key = key(request, variant)
            if !evenIfKept, let image = inMemory(key, variant) { return (image, key) }
            if isGone(variant.url) { continue }
            do {
                let transfer = Transfer(key: key, url: variant.url, evenIfKept: evenIfKept)
                let image = try await transfers.value(for: transfer, priority: priority) {
                    [self] priority in
                    try await load(variant, key, priority, evenIfKept: evenIfKept)
                }
                return (image, key)
            } catch let error as PhotoSourceError where error.meansGone {
                failure = error
            }
        }
        throw failure
    }

    /// The favorite's picture, unless it is older than even favorites may be.
    private func kept(_ request: ImageRequest) async -> (image: MemoryImage, key: ImageKey)? {
        guard let disk else { return nil }
        for variant in request.ladder {
            let key = key(request, variant)
            guard let file = disk.file(for: key), file.isPinned,
                isFresh(file.fetchDate, options.maximumFavoriteAge)
            else { continue }
            // Another process may have fetched the file since, also from another address.
            if let image = memory.withLock({ $0.images.use(key) }), image.url == variant.url,
                image.fetched >= file.fetchDate
            {
                return (image, key)
            }
            if let image = await onDisk(key, variant) { return (image, key) }
        }
        return nil
    }

    private func load(
        _ variant: PhotoVariant, _ key: ImageKey, _ priority: LivePriority, evenIfKept: Bool
    ) async throws -> MemoryImage {
        // A transfer that ended just before this one was begun has left here what came of it.
        if !evenIfKept, let image = inMemory(key, variant) { return image }
        if isGone(variant.url) { throw Self.gone(key.photo) }
        if !evenIfKept, let image = await onDisk(key, variant) { return image }
        let arrival = beginArrival(ofPhoto: key.photo)
        defer { endArrival(arrival) }
        let data = try await fetched(variant, priority)
        guard PictureSignature.begins(data) else {
            throw PhotoSourceError.noPicture(
                "The picture \(variant.url.lastPathComponent)", body: data,
                from: variant.url.host())
        }
        let image = MemoryImage(data: data, fetched: now(), url: variant.url)
        memory.withLock { _ = $0.gone.remove(variant.url) }
        remember(image, key, arrival)
        if options.keepsEverythingOnDisk, let disk {
            // The picture is returned even if it cannot be written.
            try? await disk.store(
                data, for: key, from: variant.url, fetched: image.fetched, isPinned: false
            ) { [self] in isArriving(arrival) }
        }
        return image
    }

    /// Fetches a picture, and remembers if there is none.
    private func fetched(
        _ variant: PhotoVariant, _ priority: LivePriority
    ) async throws -> Data {
        do {
            return try await slots.run(host: variant.url.host() ?? "", priority: priority) {
                try await fetch(variant)
            }
        } catch let error as PhotoSourceError where error.meansGone {
            // It costs nothing to look whether a file was put back.
            if !variant.url.isFileURL {
                // Not under the lock: it is somebody's clock.
                let date = now()
                memory.withLock { _ = $0.gone.insert(date, for: variant.url, size: 1) }
            }
            throw error
        }
    }

    private func inMemory(_ key: ImageKey, _ variant: PhotoVariant) -> MemoryImage? {
        guard let image = memory.withLock({ $0.images.use(key) }), image.url == variant.url,
            isFresh(image.fetched, options.maximumAge)
        else { return nil }
        return image
    }

    /// The picture of a variant, or that of a favorite from whatever address it came.
    private func onDisk(_ key: ImageKey, _ variant: PhotoVariant) async -> MemoryImage? {
        let arrival = beginArrival(ofPhoto: key.photo)
        defer { endArrival(arrival) }
        guard let disk, let file = disk.file(for: key),
            file.isPinned || file.mayBe(from: variant.url),
            isFresh(
                file.fetchDate, file.isPinned ? options.maximumFavoriteAge : options.maximumAge),
            let data = await disk.data(for: key)
        else { return nil }
        let image = MemoryImage(
            data: data, fetched: file.fetchDate,
            url: file.mayBe(from: variant.url) ? variant.url : nil)
        remember(image, key, arrival)
        return image
    }

    /// Whether a date lies no further back than an age, if there is one.
    func isFresh(_ date: Date, _ maximumAge: Duration?) -> Bool {
        maximumAge.map { date.isFresh(at: now(), upTo: $0) } ?? true
    }

    private func isGone(_ url: URL) -> Bool {
        guard let noticed = memory.withLock({ $0.gone.peek(url) }) else { return false }
        return isFresh(noticed, options.goneAge)
    }

    private static func gone(_ photo: String) -> PhotoSourceError {
        .gone(what: "The picture of photo “\(photo)”")
    }
}

extension PhotoSourceError {
    /// Whether the picture does not exist, so that it is useless to ask again.
    package var meansGone: Bool {
        switch self {
        case .gone, .http(status: 404, _), .http(status: 410, _): true
        default: false
        }
    }
}
