import Foundation
import PlacesKit
import Testing

/// The pictures of favorites that one process keeps and another one shows.
@Suite(.endsWaiting) struct SharedFavoritesTests {
    private let server = PictureServer()
    private let clock = TestClock(Date(timeIntervalSince1970: 1_700_000_000))
    private let folder: TemporaryFolder
    private let request = PictureServer.request("a", "a")

    init() throws {
        folder = try TemporaryFolder()
    }

    private func loader(
        isReadOnly: Bool = false, _ fetch: @escaping ImageLoader.Fetch
    ) async throws -> ImageLoader {
        let disk = try await ImageDiskCache.open(
            at: folder["images"], byteLimit: 1_000, isReadOnly: isReadOnly,
            files: DiskFileSystem(), now: { [clock] in clock.now })
        return ImageLoader(
            sourceName: "Test", disk: disk,
            options: ImageLoader.Options(memoryByteLimit: 0, maximumAge: 100),
            now: { [clock] in clock.now }, fetch: fetch)
    }

    @Test(arguments: [false, true])
    func `what another process keeps, renews or removes is seen without a network`(
        isReadOnly: Bool
    ) async throws {
        let kept = try await loader(server.fetch)
        let keeper = try #require(FavoriteImages(kept))
        let viewer = try await loader(isReadOnly: isReadOnly) { _ in
            throw PhotoSourceError.notConnected(reason: "offline")
        }
        #expect(await viewer.cachedImage(request) == nil)
        try await keeper.add(request)
        #expect(await viewer.cachedImage(request) == .picture("a"))
        clock.advance(by: 1_000)
        #expect(await keeper.reconcile(with: [request]).fetched == ["a"])
        #expect(try await viewer.image(request) == .picture("a"))
        try await keeper.remove(photo: "a")
        await #expect(throws: PhotoSourceError.notConnected(reason: "offline")) {
            try await viewer.image(request)
        }
        try await keeper.add(PictureServer.request("a", "b"))
        #expect(try await viewer.image(PictureServer.request("a", "a", "b")) == .picture("b"))
    }
}
