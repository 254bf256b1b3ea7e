import Foundation
import PlacesKit
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

/// Files of pictures in which something else is by now.
@Suite struct PictureFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func disk() async throws -> ImageDiskCache {
        try await ImageDiskCache.open(
            at: folder["images"], byteLimit: 1_000, files: DiskFileSystem(), now: { Date() })
    }

    private func key(_ photo: String) -> ImageKey {
        ImageKey(source: "Own", photo: photo, variant: "m")
    }

    private func request() throws -> ImageRequest {
        let url = try #require(URL(string: "https://live.staticflickr.com/1/2_3.jpg"))
        return ImageRequest(photo: "2", ladder: [PhotoVariant(name: "m", url: url)])
    }

    @Test func `a favorite whose file is no picture is fetched anew at the next start`()
        async throws
    {
        let name = ImageFileName(
            key("2"), fetched: Date(), size: 6, isPinned: true)
        let images = URL(filePath: folder["images"].description)
        try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
        try Data("<html>".utf8).write(to: images.appending(path: name.description))
        let loader = ImageLoader(
            sourceName: "Own", disk: try await disk(), fetch: { _ in .picture("x") })
        let favorites = try #require(FavoriteImages(loader))
        #expect(!favorites.contains(photo: "2"))
        #expect(await favorites.reconcile(with: [try request()]).fetched == ["2"])
        #expect(favorites.contains(photo: "2"))
        #expect(await loader.cachedImage(try request()) == .picture("x"))
    }

    @Test
    func `a file that is no picture goes when its folder is opened, unless that is only read`()
        async throws
    {
        let cache = try await disk()
        try await cache.store(
            .picture("good"), for: key("good"), fetched: Date(), isPinned: true)
        for (photo, page) in [("page", "<html>Sign in</html>"), ("zeros", "\0\0\0\0\0\0\0\0")] {
            let name = ImageFileName(
                key(photo), fetched: Date(), size: page.utf8.count, isPinned: true)
            try Data(page.utf8).write(
                to: URL(filePath: folder["images"].appending(name.description).description))
        }
        let reader = try await ImageDiskCache.open(
            at: folder["images"], byteLimit: 1, isReadOnly: true, files: DiskFileSystem(),
            now: { Date() })
        #expect(reader.count == 1)
        #expect(try DiskFileSystem().list(folder["images"]).count == 4, "it is only read")
        let again = try await disk()
        #expect(again.count == 1)
        #expect(await again.data(for: key("good")) == .picture("good"))
        #expect(await again.data(for: key("page")) == nil)
        #expect(try DiskFileSystem().list(folder["images"]).count == 2, "the lock and a picture")
    }

    @Test func `a picture that is overwritten with something else of its length is none`()
        async throws
    {
        let cache = try await disk()
        try await cache.store(
            .picture(of: 6), for: key("a"), fetched: Date(), isPinned: true)
        let file = try #require(cache.names.first)
        try Data("<html>".utf8).write(
            to: URL(filePath: folder["images"].appending(file.description).description))
        #expect(await cache.data(for: key("a")) == nil)
        #expect(cache.count == 0)
    }
}
