import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What comes in place of a picture is shown and kept nowhere.
@Suite struct NoPictureTests {
    private let folder: TemporaryFolder
    private let transport = StubTransport()
    private let address = "https://live.staticflickr.com/1/2_3.jpg"

    init() throws {
        folder = try TemporaryFolder()
    }

    private func disk() async throws -> ImageDiskCache {
        try await ImageDiskCache.open(
            at: folder["images"], byteLimit: 1_000, files: DiskFileSystem(), now: { Date() })
    }

    private func request() throws -> ImageRequest {
        ImageRequest(
            photo: "2",
            ladder: [PhotoVariant(name: "m", url: try #require(URL(string: address)))])
    }

    private func answer(_ type: String, _ body: Data) {
        transport.answer(
            address,
            .value(
                HTTPResponse(
                    headers: ["Content-Type": type], body: body, url: URL(string: address))))
    }

    @Test func `what claims to be a picture and is none is kept neither in memory nor on disk`()
        async throws
    {
        answer("image/jpeg", Data("<html>Sign in</html>".utf8))
        answer("image/jpeg", .picture("x"))
        let disk = try await disk()
        let loader = ImageLoader(
            source: FlickrPhotoSource(key: "test", transport: transport, retry: .never), disk: disk,
            options: ImageLoader.Options(keepsEverythingOnDisk: true))
        let request = try request()
        let error = await #expect(throws: PhotoSourceError.self) { try await loader.image(request) }
        #expect(
            error
                == .noPicture(
                    what: "The picture 2_3.jpg",
                    came: "image/jpeg of 20 bytes beginning with “<html>Sign i”, "
                        + "from live.staticflickr.com"))
        #expect(loader.imageInMemory(request) == nil)
        #expect(await loader.cachedImage(request) == nil)
        #expect(disk.count == 0)
        #expect(try await loader.image(request) == .picture("x"), "it is asked for again")
        #expect(disk.count == 1)
    }

    @Test func `a part of a picture is none, and is kept nowhere`() async throws {
        transport.answer(address, .value(HTTPResponse(status: 206, body: .picture("x"))))
        let disk = try await disk()
        let loader = ImageLoader(
            source: FlickrPhotoSource(key: "test", transport: transport, retry: .never), disk: disk,
            options: ImageLoader.Options(keepsEverythingOnDisk: true))
        let request = try request()
        await #expect(throws: PhotoSourceError.http(status: 206, retryAfter: nil)) {
            try await loader.image(request)
        }
        #expect(loader.imageInMemory(request) == nil && disk.count == 0)
        #expect(HTTPResponse(status: 204, body: Data()).statusFailure == nil)
    }

    @Test func `what a source of one's own hands out is looked at as well`() async throws {
        let disk = try await disk()
        let loader = ImageLoader(
            sourceName: "Own", disk: disk,
            options: ImageLoader.Options(keepsEverythingOnDisk: true),
            fetch: { _ in Data("no such photo".utf8) })
        let request = try request()
        let error = PhotoSourceError.noPicture(
            what: "The picture 2_3.jpg",
            came: "13 bytes beginning with “no such phot”, from live.staticflickr.com")
        await #expect(throws: error) { try await loader.image(request) }
        let favorites = try #require(FavoriteImages(loader))
        await #expect(throws: error) { try await favorites.add(request) }
        #expect(disk.count == 0)
        #expect(await favorites.reconcile(with: [request]).failures["2"] is PhotoSourceError)
    }
}
