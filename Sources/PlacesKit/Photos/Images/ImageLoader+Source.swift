public import Foundation

extension ImageLoader {
    /// Creates a loader for a source, which keeps pictures no longer than the source allows.
    ///
    /// An address that leads nowhere any more says little about a photo, since sources change their
    /// addresses. So a favorite's picture is removed only if the source, asked for the photo's
    /// details, says that it is gone.
    public convenience init(
        source: any PhotoSource, disk: ImageDiskCache? = nil, options: Options = Options(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        var options = options
        let policy = source.cachingPolicy
        options.maximumAge = [options.maximumAge, policy.maximumAge].compactMap { $0 }.min()
        if !policy.mayKeepFavorites {
            options.maximumFavoriteAge = [options.maximumFavoriteAge, policy.maximumAge]
                .compactMap { $0 }.min()
        }
        let isRemoved: IsRemoved = { photo in
            guard source.capabilities.contains(.details) else { return false }
            return try await source.presentRecord(ofPhoto: photo) == nil
        }
        self.init(
            sourceName: source.name, disk: disk, options: options, now: now, isRemoved: isRemoved
        ) {
            try await source.data(for: $0)
        }
    }
}

extension PhotoSource {
    /// All that the source knows about a photo; nil if it says that it has no such photo any more.
    package func presentRecord(ofPhoto identifier: String) async throws -> PhotoRecord? {
        do {
            return try await details(ofPhoto: identifier)
        } catch let error as PhotoSourceError {
            guard case .gone = error else { throw error }
            return nil
        }
    }
}
