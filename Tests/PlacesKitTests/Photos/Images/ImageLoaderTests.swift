import Foundation
import PlacesKit
import Synchronization
import Testing

@Suite(.endsWaiting) struct ImageLoaderTests {
    private let server = PictureServer()
    private let clock = TestClock(Date(timeIntervalSince1970: 1_700_000_000))

    private func loader(
        _ options: ImageLoader.Options = ImageLoader.Options(), disk: ImageDiskCache? = nil
    ) -> ImageLoader {
        ImageLoader(
            sourceName: "Test", disk: disk, options: options, now: { [clock] in clock.now },
            fetch: server.fetch)
    }

    private let gone = PhotoSourceError.gone(what: "The picture")

    @Test func `a picture is fetched once, then comes from memory`() async throws {
        let loader = loader()
        let request = PictureServer.request("1", "a")
        #expect(loader.imageInMemory(request) == nil)
        #expect(try await loader.image(request) == .picture("a"))
        #expect(try await loader.image(request) == .picture("a"))
        #expect(loader.imageInMemory(request) == .picture("a"))
        #expect(await loader.cachedImage(PictureServer.request("1", "b", "a")) == .picture("a"))
        #expect(server.requests == ["a"])
        loader.removeAllFromMemory()
        #expect(await loader.cachedImage(request) == nil)
    }

    /// What the owner of pictures' bytes asks when they are freed.
    private final class Owner: Sendable {
        let loader = Mutex<ImageLoader?>(nil)
        let freed = Counter()

        func picture() -> Data {
            Data(Array(Data.picture(of: 60))) { [self] in
                let loader = loader.withLock(\.self)
                #expect(loader?.imageInMemory(PictureServer.request("0", "none")) == nil)
                freed.count()
            }
        }
    }

    @Test func `pictures that go from memory are freed by code that may ask the loader`()
        async throws
    {
        let owner = Owner()
        let loader = ImageLoader(
            sourceName: "Test", options: ImageLoader.Options(memoryByteLimit: 100)
        ) { _ in owner.picture() }
        owner.loader.withLock { $0 = loader }
        _ = try await loader.image(PictureServer.request("1", "a"))
        _ = try await loader.image(PictureServer.request("2", "b"))
        try await wait { owner.freed.value == 1 }
        try await loader.remove(photo: "2")
        try await wait { owner.freed.value == 2 }
        _ = try await loader.image(PictureServer.request("3", "c"))
        loader.removeAllFromMemory()
        try await wait { owner.freed.value == 3 }
        owner.loader.withLock { $0 = nil }
    }

    @Test func `a photo whose address has changed shows its new picture, from memory and disk too`()
        async throws
    {
        let folder = try TemporaryFolder()
        let disk = try await ImageDiskCache.open(
            at: folder["images"], byteLimit: 1_000, files: DiskFileSystem(),
            now: { [clock] in clock.now })
        let requests = try ["old", "new"].map { address in
            let url = try #require(URL(string: "https://h.example/\(address)"))
            return ImageRequest(photo: "1", ladder: [PhotoVariant(name: "picture", url: url)])
        }
        for memory in [1_000, 0] {
            let loader = loader(
                ImageLoader.Options(memoryByteLimit: memory, keepsEverythingOnDisk: memory == 0),
                disk: memory == 0 ? disk : nil)
            #expect(try await loader.image(requests[0]) == .picture("old"))
            #expect(loader.imageInMemory(requests[1]) == nil)
            #expect(await loader.cachedImage(requests[1]) == nil)
            #expect(try await loader.image(requests[1]) == .picture("new"))
            #expect(await loader.cachedImage(requests[1]) == .picture("new"))
        }
        #expect(server.requests == ["old", "new", "old", "new"])
    }

    @Test func `a ladder is climbed down past what is gone, and that is remembered for a while`()
        async throws
    {
        let loader = loader(ImageLoader.Options(goneAge: .seconds(60)))
        server.fail("large", with: gone)
        server.fail("medium", with: PhotoSourceError.http(status: 404, retryAfter: nil))
        let request = PictureServer.request("1", "large", "medium", "small")
        #expect(try await loader.image(request) == .picture("small"))
        #expect(try await loader.image(request) == .picture("small"))
        #expect(server.requests == ["large", "medium", "small"])
        clock.advance(by: 61)
        server.fail("large", with: nil)
        #expect(try await loader.image(request) == .picture("large"))
        server.fail("only", with: gone)
        await #expect(throws: gone) { try await loader.image(PictureServer.request("2", "only")) }
        await #expect(throws: PhotoSourceError.self) {
            try await loader.image(ImageRequest(photo: "3", ladder: []))
        }
    }

    @Test func `what was gone while the clock was ahead is asked for once it is right`()
        async throws
    {
        let loader = loader(ImageLoader.Options(goneAge: .seconds(60)))
        let request = PictureServer.request("1", "a")
        clock.advance(by: 1_000_000)
        server.fail("a", with: gone)
        await #expect(throws: gone) { try await loader.image(request) }
        server.fail("a", with: nil)
        clock.advance(by: -999_000)
        #expect(try await loader.image(request) == .picture("a"))
    }

    @Test func `a picture whose photo is removed while it is fetched is not kept`() async throws {
        let folder = try TemporaryFolder()
        let disk = try await ImageDiskCache.open(
            at: folder["images"], byteLimit: 1_000, files: DiskFileSystem(),
            now: { [clock] in clock.now })
        let loader = loader(ImageLoader.Options(keepsEverythingOnDisk: true), disk: disk)
        let request = PictureServer.request("1", "a")
        let gate = server.hold("a")
        let late = Task { try await loader.image(request) }
        try await wait { !server.requests.isEmpty }
        try await loader.remove(photo: "1")
        gate.open()
        #expect(try await late.value == .picture("a"))
        #expect(loader.imageInMemory(request) == nil && disk.count == 0)
        _ = try await loader.image(request)
        #expect(loader.imageInMemory(request) != nil && disk.count == 1)
    }

    @Test func `a bad network poisons nothing`() async throws {
        let loader = loader()
        let request = PictureServer.request("1", "a", "b")
        let offline = PhotoSourceError.notConnected(reason: "no network")
        server.fail("a", with: offline)
        await #expect(throws: offline) { try await loader.image(request) }
        server.fail("a", with: nil)
        #expect(try await loader.image(request) == .picture("a"))
        #expect(server.requests == ["a", "a"], "no smaller picture in place of a late one")
    }

    @Test func `age counts from the fetch, on disk too`() async throws {
        let folder = try TemporaryFolder()
        let disk = try await ImageDiskCache.open(
            at: folder["images"], byteLimit: 1_000, files: DiskFileSystem(),
            now: { [clock] in clock.now })
        let options = ImageLoader.Options(maximumAge: .seconds(100), keepsEverythingOnDisk: true)
        let first = loader(options, disk: disk)
        let request = PictureServer.request("1", "a")
        _ = try await first.image(request)
        clock.advance(by: 60)
        let second = loader(options, disk: disk)
        #expect(try await second.image(request) == .picture("a"))
        #expect(server.requests == ["a"], "from disk")
        clock.advance(by: 41)
        #expect(second.imageInMemory(request) == nil)
        _ = try await second.image(request)
        #expect(server.requests == ["a", "a"], "reading made it no younger")
    }

    @Test func `a request's ladder begins with the smallest variant that is large enough`() {
        let variants = [75, 240, 640, 1_024].map { edge in
            PictureServer.variant(String(edge), edge: edge)
        }
        let photo = PhotoRecord(identifier: "1", variants: variants)
        let names = { (edge: Int) in ImageRequest(photo, atLeast: edge).ladder.map(\.name) }
        #expect(names(500) == ["640", "240", "75"])
        #expect(names(5_000) == ["1024", "640", "240", "75"])
        #expect(names(1) == ["75"])
    }

    @Test func `replies are pictures, placeholders or errors`() throws {
        func reply(_ status: Int, _ body: Data, _ type: String, _ url: String) -> HTTPResponse {
            HTTPResponse(
                status: status, headers: ["content-type": type], body: body, url: URL(string: url))
        }
        let address = "https://live.example/1_b.jpg"
        let x = Data.picture("x")
        for type in ["image/jpeg", "image/png", "text/html", "application/octet-stream"] {
            #expect(try reply(200, x, type, address).picture(named: "P") == x, "\(type)")
        }
        for response in [
            reply(404, Data(), "text/html", address), reply(410, x, "image/jpeg", address),
            reply(200, x, "image/gif", "https://s.example/images/photo_unavailable.gif"),
            reply(200, x, "image/png", "https://s.example/photo_unavailable_l.png"),
        ] {
            #expect(throws: PhotoSourceError.gone(what: "P")) { try response.picture(named: "P") }
        }
        #expect(throws: PhotoSourceError.http(status: 500, retryAfter: nil)) {
            try reply(500, x, "image/jpeg", address).picture(named: "P")
        }
        let page = Data("<html>\n<body>Sign in</body></html>".utf8)
        let came = [
            (reply(200, Data(), "image/jpeg", address), "nothing, from live.example"),
            (
                reply(200, page, "text/html; charset=utf-8", address),
                "text/html of 34 bytes beginning with “<html> <body”, from live.example"
            ),
            (
                reply(200, Data([0, 1, 0xFE]), "image/jpeg", address),
                "image/jpeg of 3 bytes beginning with 00 01 FE, from live.example"
            ),
            (HTTPResponse(body: Data("{}".utf8)), "2 bytes beginning with “{}”"),
        ]
        for (response, came) in came {
            #expect(throws: PhotoSourceError.noPicture(what: "P", came: came)) {
                try response.picture(named: "P")
            }
        }
    }

    @Test func `a picture with a new address is asked for, though the old one was gone`()
        async throws
    {
        let loader = loader()
        server.fail("old", with: gone)
        func request(_ name: String) -> ImageRequest {
            ImageRequest(
                photo: "1",
                ladder: [PhotoVariant(name: "picture", url: PictureServer.variant(name).url)])
        }
        await #expect(throws: gone) { try await loader.image(request("old")) }
        #expect(try await loader.image(request("new")) == .picture("new"))
        #expect(server.requests == ["old", "new"])
    }
}
