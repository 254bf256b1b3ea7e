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
        isReadOnly: Bool = false, memory: Int = 0, favoriteAge: Duration? = nil,
        _ fetch: @escaping ImageLoader.Fetch
    ) async throws -> ImageLoader {
        let disk = try await ImageDiskCache.open(
            at: folder["images"], byteLimit: 1_000, isReadOnly: isReadOnly,
            files: DiskFileSystem(), now: { [clock] in clock.now })
        return ImageLoader(
            sourceName: "Test", disk: disk,
            options: ImageLoader.Options(
                memoryByteLimit: memory, maximumAge: .seconds(100), maximumFavoriteAge: favoriteAge),
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

    @Test func `what another process renews from a new address is not shown as memory has it`()
        async throws
    {
        func request(_ address: String) throws -> ImageRequest {
            let url = try #require(URL(string: "https://h.example/\(address)"))
            return ImageRequest(photo: "1", ladder: [PhotoVariant(name: "picture", url: url)])
        }
        let viewer = try await loader(memory: 1_000, server.fetch)
        let keeper = try #require(FavoriteImages(try await loader(server.fetch)))
        let marked = try #require(FavoriteImages(viewer))
        try await marked.add(try request("old"))
        #expect(try await viewer.image(request("old")) == .picture("old"))
        let new = try request("new")
        #expect(try await viewer.image(new) == .picture("old"), "until it is there")
        #expect(await keeper.reconcile(with: [new]).fetched == ["1"])
        #expect(try await viewer.image(new) == .picture("new"))
        #expect(server.requests == ["old", "new"])
    }

    @Test func `what another process renews is shown in place of what memory has too long`()
        async throws
    {
        let viewer = try await loader(memory: 1_000, favoriteAge: .seconds(100)) { _ in
            .picture("old")
        }
        let other = try await loader(favoriteAge: .seconds(100)) { _ in .picture("new") }
        let (marked, keeper) = (FavoriteImages(viewer), FavoriteImages(other))
        try await marked?.add(request)
        #expect(try await viewer.image(request) == .picture("old"))
        clock.advance(by: 200)
        #expect(await keeper?.reconcile(with: [request]).fetched == ["a"])
        #expect(try await viewer.image(request) == .picture("new"))
    }
}
