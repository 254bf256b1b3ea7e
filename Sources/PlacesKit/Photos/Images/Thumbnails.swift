public import Foundation

/// Where thumbnails are kept with the photos they belong to.
public protocol ThumbnailStorage: Sendable {
    /// The thumbnail that was stored with a photo; nil if none was.
    func thumbnail(ofPhoto identifier: String) async throws -> Data?

    /// Stores a thumbnail with a photo, if there still is such a photo.
    func store(_ thumbnail: Data, ofPhoto identifier: String) async throws
}

/// Gets each thumbnail when it is first shown, hands it over to be stored with its photo, and never fetches it
/// again.
///
/// ```swift
/// let thumbnails = Thumbnails(loader: loader, storage: storage)
/// let thumbnail = try await thumbnails.thumbnail(ImageRequest(photo, atLeast: 150, allowsCropping: true))
/// ```
public final class Thumbnails: Sendable {
    private let loader: ImageLoader
    private let storage: any ThumbnailStorage
    private let work = SharedWork<String, Data>()

    /// Creates thumbnails that come from a loader and are kept in a storage.
    public init(loader: ImageLoader, storage: any ThumbnailStorage) {
        self.loader = loader
        self.storage = storage
    }

    /// The thumbnail of a photo, which is stored when this returns.
    ///
    /// However many ask for it at the same time, it is fetched and stored once. If storing fails it counts as
    /// not fetched.
    ///
    /// - Throws: What the storage throws, or what ``ImageLoader/image(_:priority:)`` throws.
    public func thumbnail(
        _ request: ImageRequest, priority: ImagePriority = .visible
    ) async throws -> Data {
        try await work.value(for: request.photo, priority: LivePriority(priority)) {
            [loader, storage] priority in
            if let stored = try await storage.thumbnail(ofPhoto: request.photo) { return stored }
            let data = try await loader.loaded(request, priority: priority).image.data
            try await storage.store(data, ofPhoto: request.photo)
            return data
        }
    }
}
