public import Foundation

/// Stores thumbnails with the photos that they belong to.
public protocol ThumbnailStorage: Sendable {
    /// The thumbnail that was stored with a photo; nil if there is none.
    func thumbnail(ofPhoto identifier: String) async throws -> Data?

    /// Stores a thumbnail with a photo, if the photo still exists.
    func store(_ thumbnail: Data, ofPhoto identifier: String) async throws
}

/// Fetches each thumbnail when it is first shown, and stores it with its photo for the next time.
///
/// ```swift
/// let thumbnails = Thumbnails(loader: loader, storage: storage)
/// let thumbnail = try await thumbnails.thumbnail(ImageRequest(photo, atLeast: 150, allowsCropping: true))
/// ```
public final class Thumbnails: Sendable {
    private let loader: ImageLoader
    private let storage: any ThumbnailStorage
    private let work = SharedWork<String, Data>()

    /// Creates thumbnails that a loader fetches and a storage keeps.
    public init(loader: ImageLoader, storage: any ThumbnailStorage) {
        self.loader = loader
        self.storage = storage
    }

    /// The thumbnail of a photo, which is stored when this returns.
    ///
    /// It is fetched and stored once, even if several callers ask at the same time. If it cannot be
    /// stored, it is fetched again the next time.
    ///
    /// - Throws: What the storage throws, or what ``ImageLoader/image(_:priority:)`` throws.
    public func thumbnail(
        _ request: ImageRequest, priority: ImagePriority = .visible
    ) async throws -> Data {
        try await thumbnail(request, priority: priority, readdressing: nil)
    }

    /// The same, from the present address of the photo where the known one leads nowhere.
    package func thumbnail(
        _ request: ImageRequest, priority: ImagePriority = .visible,
        readdressing: ImageLoader.Readdress?
    ) async throws -> Data {
        try await work.value(for: request.photo, priority: LivePriority(priority)) {
            [loader, storage] priority in
            if let stored = try await storage.thumbnail(ofPhoto: request.photo) { return stored }
            let data = try await loader.loaded(
                request, priority: priority, readdressing: readdressing
            ).image.data
            try await storage.store(data, ofPhoto: request.photo)
            return data
        }
    }
}
