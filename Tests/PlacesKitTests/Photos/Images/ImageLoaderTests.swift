import Foundation
import PlacesKit
import Synchronization
import Testing

@testable import PlacesPhotos

/// Where the loader of a test fetches from: pictures by address, and a record of what was asked.
final class PictureServer: Sendable {
    private struct State {
        var requests: [String] = []
        var failures: [String: any Error] = [:]
        var gates: [String: Gate] = [:]
    }

    private let state = Mutex(State())

    var requests: [String] { state.withLock { $0.requests } }

    func fail(_ name: String, with error: (any Error)?) {
        state.withLock { $0.failures[name] = error }
    }

    /// Makes a picture wait for a gate.
    func hold(_ name: String) -> Gate {
        let gate = Gate()
        state.withLock { $0.gates[name] = gate }
        return gate
    }

    @Sendable func fetch(_ variant: PhotoVariant) async throws -> Data {
        let name = variant.url.lastPathComponent
        let (failure, gate) = state.withLock { state in
            state.requests.append(name)
            return (state.failures[name], state.gates[name])
        }
        await gate?.wait()
        try Task.checkCancellation()
        if let failure { throw failure }
        return .picture(name)
    }

    static func variant(_ name: String, edge: Int? = nil) -> PhotoVariant {
        PhotoVariant(
            name: name, url: URL(string: "https://h.example/\(name)") ?? URL(filePath: "/"),
            longestEdge: edge)
    }

    static func request(_ photo: String, _ names: String...) -> ImageRequest {
        ImageRequest(photo: photo, ladder: names.map { variant($0) })
    }
}

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

    @Test func `a ladder is climbed down past what is gone, and that is remembered for a while`()
        async throws
    {
        let loader = loader(ImageLoader.Options(goneAge: 60))
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

    @Test func `stopping a prefetch does not stop who waits for the same picture`() async throws {
        let loader = loader()
        let gate = server.hold("a")
        let request = PictureServer.request("1", "a")
        let prefetch = loader.prefetch([request, PictureServer.request("2", "b")])
        try await wait { server.requests.contains("a") }
        let visible = Task { try await loader.image(request) }
        try await wait { loader.transfers.waiterCount == 2 }
        prefetch.cancel()
        await prefetch.finish()
        gate.open()
        #expect(try await visible.value == .picture("a"))
        #expect(server.requests.count { $0 == "a" } == 1)
    }

    @Test func `a prefetched picture moves to the front when it becomes visible`() async throws {
        let loader = loader(ImageLoader.Options(transfersPerHost: 1))
        let gate = server.hold("first")
        let first = Task { try await loader.image(PictureServer.request("0", "first")) }
        try await wait { server.requests == ["first"] }
        let requests = (1...5).map { PictureServer.request("\($0)", "p\($0)") }
        var tasks: [Task<Data, any Error>] = []
        for (index, request) in requests.enumerated() {
            tasks.append(Task { try await loader.image(request, priority: .prefetch) })
            try await wait { loader.slots.waitingCount == index + 1 }
        }
        let urgent = Task { try await loader.image(requests[3], priority: .visible) }
        try await wait { loader.transfers.waiterCount == 7 }
        gate.open()
        _ = try await (first.value, urgent.value)
        for task in tasks { _ = try await task.value }
        #expect(server.requests == ["first", "p4", "p1", "p2", "p3", "p5"])
    }

    @Test func `memory keeps to its limit`() async throws {
        let loader = loader(ImageLoader.Options(memoryByteLimit: 10))
        for number in 10..<30 {
            _ = try await loader.image(PictureServer.request("\(number)", "\(number)"))
            let used = loader.memory.withLock { memory in memory.images.usedBytes }
            #expect(used <= 10)
        }
        #expect(loader.imageInMemory(PictureServer.request("29", "29")) != nil)
        #expect(loader.imageInMemory(PictureServer.request("10", "10")) == nil)
    }

    @Test func `age counts from the fetch, on disk too`() async throws {
        let folder = try TemporaryFolder()
        let disk = try await ImageDiskCache.open(
            at: folder["images"], byteLimit: 1_000, files: DiskFileSystem(),
            now: { [clock] in clock.now })
        let options = ImageLoader.Options(maximumAge: 100, keepsEverythingOnDisk: true)
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

    @Test func `ten thousand starts and cancellations, each answered once, leave nothing behind`()
        async throws
    {
        let loader = loader(ImageLoader.Options(memoryByteLimit: 0, transfersPerHost: 4))
        let answers = Counter()
        await withTaskGroup { group in
            for number in 0..<10_000 {
                let priority = ImagePriority.allCases[number % 3]
                let task = Task {
                    let request = PictureServer.request("\(number % 97)", "\(number % 97)")
                    do {
                        let data = try await loader.image(request, priority: priority)
                        #expect(data == .picture("\(number % 97)"))
                    } catch {
                        #expect(error is CancellationError)
                    }
                    answers.count()
                }
                group.addTask { await task.value }
                if number % 2 == 0 { task.cancel() }
                if number % 11 == 0 { await Task.yield() }
            }
        }
        #expect(answers.value == 10_000)
        #expect(loader.transfers.count == 0 && loader.transfers.waiterCount == 0)
        try await wait { loader.slots.runningCount == 0 && loader.slots.waitingCount == 0 }
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
}
