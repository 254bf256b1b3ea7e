import Foundation
import PlacesKit
import Synchronization
import Testing

@Suite(.endsWaiting) struct FavoriteImagesTests {
    private let server = PictureServer()
    private let clock = TestClock(Date(timeIntervalSince1970: 1_700_000_000))
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(
        maximumAge: Duration? = nil, limit: Int = 10_000, transfersPerHost: Int = 6,
        isRemoved: @escaping ImageLoader.IsRemoved = { _ in true }
    ) async throws -> (ImageLoader, FavoriteImages) {
        let disk = try await ImageDiskCache.open(
            at: folder["images"], byteLimit: limit, files: DiskFileSystem(),
            now: { [clock] in clock.now })
        let loader = ImageLoader(
            sourceName: "Test", disk: disk,
            options: ImageLoader.Options(
                memoryByteLimit: 0, transfersPerHost: transfersPerHost, maximumAge: maximumAge),
            now: { [clock] in clock.now }, isRemoved: isRemoved, fetch: server.fetch)
        return (loader, try #require(FavoriteImages(loader)))
    }

    /// The photos of which there are files, whose names begin with the source and the photo.
    private func photosOnDisk() throws -> Set<String> {
        let names = try DiskFileSystem().list(folder["images"]).map { $0.split(separator: ".") }
        return Set(names.filter { $0.count > 2 }.map { String($0[1]) })
    }

    private func request(_ photo: String) -> ImageRequest { PictureServer.request(photo, photo) }

    @Test func `a favorite needs no network, and what is none has no file`() async throws {
        let (loader, favorites) = try await open()
        try await favorites.add(request("a"))
        #expect(favorites.contains(photo: "a"))
        _ = try await loader.image(request("b"))
        #expect(try photosOnDisk() == ["a"])
        server.fail("a", with: PhotoSourceError.notConnected(reason: "offline"))
        #expect(try await loader.image(request("a")) == .picture("a"))
        let otherSize = PictureServer.request("a", "larger", "a")
        #expect(try await loader.image(otherSize) == .picture("a"))
        #expect(server.requests == ["a", "b"])
        try await favorites.remove(photo: "a")
        #expect(try photosOnDisk().isEmpty && !favorites.contains(photo: "a"))
    }

    @Test func `after any marks and unmarks, files are those of favorites`() async throws {
        var generator = SplitMix64(seed: 11)
        let (_, favorites) = try await open()
        for round in 0..<20 {
            // Calls of one photo follow one another; those of different photos overlap.
            let plans = (0..<6).map { photo in
                (photo: "p\(photo)", marks: (0..<4).map { _ in generator.below(2) == 0 })
            }
            await withTaskGroup { group in
                for plan in plans {
                    group.addTask {
                        var additions: [Task<Void?, Never>] = []
                        for mark in plan.marks {
                            if mark {
                                // The next call overtakes this one.
                                additions.append(
                                    Task { try? await favorites.add(request(plan.photo)) })
                                await Task.yield()
                            } else {
                                try? await favorites.remove(photo: plan.photo)
                            }
                        }
                        for addition in additions { _ = await addition.value }
                    }
                }
            }
            let wanted = Set(plans.filter { $0.marks.last == true }.map(\.photo))
            _ = await favorites.reconcile(with: wanted.map { request($0) })
            #expect(try photosOnDisk() == wanted, "round \(round)")
        }
    }

    @Test func `a picture that arrives after its photo was unmarked is not kept`() async throws {
        let (_, favorites) = try await open()
        let gate = server.hold("a")
        let late = Task { try await favorites.add(request("a")) }
        try await wait { !server.requests.isEmpty }
        try await favorites.remove(photo: "a")
        gate.open()
        try await late.value
        #expect(try photosOnDisk().isEmpty)
    }

    @Test func `a picture that arrives after its photo was taken down is not kept`() async throws {
        let (loader, favorites) = try await open()
        let gate = server.hold("a")
        let late = Task { try await favorites.add(request("a")) }
        try await wait { !server.requests.isEmpty }
        try await loader.remove(photo: "a")
        gate.open()
        try await late.value
        #expect(try photosOnDisk().isEmpty)
    }

    @Test func `a picture whose address is dead stays until its source calls the photo gone`()
        async throws
    {
        let (_, before) = try await open()
        let photos = ["moved", "removed", "unsaid"]
        for photo in photos { try await before.add(request(photo)) }
        clock.advance(by: 1_000)
        for photo in photos { server.fail(photo, with: PhotoSourceError.gone(what: "It")) }
        let offline = PhotoSourceError.notConnected(reason: "offline")
        let (loader, favorites) = try await open(maximumAge: .seconds(500)) { photo in
            guard photo != "unsaid" else { throw offline }
            return photo == "removed"
        }
        let report = await favorites.reconcile(with: photos.map { request($0) })
        #expect(report.gone == ["removed"])
        #expect(report.failures.keys.sorted() == ["moved", "unsaid"])
        #expect(report.failures["unsaid"] as? PhotoSourceError == offline)
        #expect(try photosOnDisk() == ["moved", "unsaid"])
        #expect(try await loader.image(request("moved")) == .picture("moved"))
    }

    @Test func `a favorite that is marked anew while its old picture turns out gone stays`()
        async throws
    {
        let (_, before) = try await open()
        try await before.add(request("a"))
        clock.advance(by: 1_000)
        server.fail("a", with: PhotoSourceError.gone(what: "It"))
        let gate = Gate()
        let (_, favorites) = try await open(maximumAge: .seconds(500)) { _ in
            await gate.wait()
            return true
        }
        let reconciling = Task { await favorites.reconcile(with: [request("a")]) }
        try await wait { server.requests.count == 2 }
        try await favorites.add(PictureServer.request("a", "new"))
        gate.open()
        #expect(await reconciling.value.gone == ["a"])
        #expect(try photosOnDisk() == ["a"] && favorites.contains(photo: "a"))
    }

    @Test func `a favorite without an address is a failure, and not gone`() async throws {
        let (_, favorites) = try await open()
        let report = await favorites.reconcile(with: [ImageRequest(photo: "a", ladder: [])])
        #expect(report.gone.isEmpty && Array(report.failures.keys) == ["a"])
    }

    @Test func `at start orphans go, what is missing comes, and what is too old is renewed`()
        async throws
    {
        let (_, before) = try await open()
        for photo in ["orphan", "old", "removed", "late"] { try await before.add(request(photo)) }
        clock.advance(by: 1_000)
        try await before.add(request("new"))

        server.fail("removed", with: PhotoSourceError.gone(what: "It"))
        server.fail("late", with: PhotoSourceError.notConnected(reason: "offline"))
        let (loader, favorites) = try await open(maximumAge: .seconds(500))
        let wanted = ["old", "removed", "late", "new", "missing"]
        let report = await favorites.reconcile(with: wanted.map { request($0) })
        #expect(report.removedCount == 1)
        #expect(report.fetched == ["missing", "old"])
        #expect(report.gone == ["removed"])
        #expect(Array(report.failures.keys) == ["late"])
        #expect(try photosOnDisk() == ["old", "late", "new", "missing"])
        #expect(try await loader.image(request("late")) == .picture("late"))
    }

    @Test func `without a network, one round of attempts tells that no picture comes`() async throws
    {
        let (_, favorites) = try await open()
        let offline = PhotoSourceError.notConnected(reason: "offline")
        let photos = (0..<40).map { "p\($0)" }
        for photo in photos { server.fail(photo, with: offline) }
        let report = await favorites.reconcile(with: photos.map { request($0) })
        #expect(server.requests.count == ImageLoader.Options().transfersPerHost)
        #expect(report.failures.keys.sorted() == photos.sorted())
        #expect(report.failures.values.allSatisfy { $0 as? PhotoSourceError == offline })
    }

    @Test func `a host that answers gets all its requests, whatever fails beside them`()
        async throws
    {
        let (_, favorites) = try await open()
        let photos = (0..<40).map { "p\($0)" }
        server.fail("p0", with: PhotoSourceError.timedOut(after: .seconds(1)))
        let silent = try (0..<10).map { number in
            let url = try #require(URL(string: "https://s.example/s\(number)"))
            return ImageRequest(
                photo: "s\(number)", ladder: [PhotoVariant(name: "m", url: url)])
        }
        for request in silent {
            server.fail(request.photo, with: PhotoSourceError.notConnected(reason: "offline"))
        }
        let report = await favorites.reconcile(with: photos.map { request($0) } + silent)
        #expect(report.fetched == photos.dropFirst().sorted())
        #expect(report.failures.count == 11)
    }

    @Test func `where one request runs at a time, one that fails keeps no other from being made`()
        async throws
    {
        let (_, favorites) = try await open(transfersPerHost: 1)
        let slow = PhotoSourceError.timedOut(after: .seconds(1))
        for photo in ["a", "c", "d"] { server.fail(photo, with: slow) }
        let photos = ["a", "b", "c", "d", "e"]
        let report = await favorites.reconcile(with: photos.map { request($0) })
        #expect(report.fetched == ["b"] && report.failures.count == 4)
        #expect(server.requests == ["a", "b", "c", "d"], "two in a row are enough")
    }

    @Test func `a source that cannot be asked keeps no picture from being fetched`() async throws {
        let exhausted = PhotoSourceError.budgetExhausted(retryAfter: .seconds(3_000))
        let (_, favorites) = try await open { _ in throw exhausted }
        let (dead, others) = ((0..<12).map { "d\($0)" }, (0..<12).map { "p\($0)" })
        for photo in dead { server.fail(photo, with: PhotoSourceError.gone(what: "It")) }
        let report = await favorites.reconcile(with: (dead + others).map { request($0) })
        #expect(report.fetched == others.sorted())
        #expect(report.failures.count == 12)
        #expect(report.failures.values.allSatisfy { $0 as? PhotoSourceError == exhausted })
    }

    @Test func `a kept picture whose address is dead comes from the photo's present one`()
        async throws
    {
        let (_, before) = try await open()
        for photo in ["a", "b"] { try await before.add(request(photo)) }
        let present = [
            "a": PictureServer.request("a", "new"), "b": PictureServer.request("b", "dead"),
        ]
        for address in ["a", "b", "dead"] {
            server.fail(address, with: PhotoSourceError.gone(what: "It"))
        }
        clock.advance(by: 1_000)
        let (loader, favorites) = try await open(maximumAge: .seconds(500))
        let report = await favorites.reconcile(
            with: ["a", "b"].map { request($0) }, renewing: true
        ) { present[$0.photo] }
        #expect(report.fetched == ["a"] && Array(report.failures.keys) == ["b"])
        #expect(try photosOnDisk() == ["a", "b"])
        #expect(await loader.cachedImage(PictureServer.request("a", "new")) == .picture("new"))
    }

    @Test func `what was fetched while the clock was ahead is renewed once it is right`()
        async throws
    {
        let (_, favorites) = try await open(maximumAge: .seconds(500))
        clock.advance(by: 1_000_000)
        try await favorites.add(request("a"))
        clock.advance(by: -999_000)
        #expect(await favorites.reconcile(with: [request("a")]).fetched == ["a"])
        #expect(await favorites.reconcile(with: [request("a")]).fetched.isEmpty)
    }

    @Test func `a kept picture follows its photo's address, and is shown until then`() async throws
    {
        let (loader, favorites) = try await open()
        func request(_ address: String) throws -> ImageRequest {
            let url = try #require(URL(string: "https://h.example/\(address)"))
            return ImageRequest(photo: "1", ladder: [PhotoVariant(name: "picture", url: url)])
        }
        try await favorites.add(try request("old"))
        let new = try request("new")
        server.fail("new", with: PhotoSourceError.notConnected(reason: "offline"))
        #expect(Array(await favorites.reconcile(with: [new]).failures.keys) == ["1"])
        #expect(try await loader.image(new) == .picture("old"))
        #expect(await favorites.reconcile(with: [new], renewing: false).failures.isEmpty)
        server.fail("new", with: nil)
        #expect(await favorites.reconcile(with: [new]).fetched == ["1"])
        #expect(try await loader.image(new) == .picture("new"))
        #expect(loader.disk?.count == 1)
        #expect(await favorites.reconcile(with: [new]).fetched.isEmpty)
        // Marking it again is enough, too.
        try await favorites.add(try request("newest"))
        #expect(try await loader.image(new) == .picture("newest"))
        #expect(server.requests == ["old", "new", "new", "newest"])
    }

    @Test func `a favorite has one file, whichever variants it was kept in`() async throws {
        let (loader, favorites) = try await open()
        try await favorites.add(PictureServer.request("1", "large"))
        try await favorites.add(PictureServer.request("1", "medium"))
        #expect(server.requests == ["large", "medium"])
        #expect(loader.disk?.count == 1 && favorites.contains(photo: "1"))
        let request = PictureServer.request("1", "medium")
        #expect(await loader.cachedImage(request) == .picture("medium"))
    }

    @Test func `where the source forbids it, an old favorite is not shown`() async throws {
        let (before, favorites) = try await open()
        try await favorites.add(request("a"))
        clock.advance(by: 100)
        #expect(await before.cachedImage(request("a")) != nil)
        let loader = ImageLoader(
            sourceName: "Test", disk: before.disk,
            options: ImageLoader.Options(maximumFavoriteAge: .seconds(50)),
            now: { [clock] in clock.now },
            fetch: server.fetch)
        #expect(await loader.cachedImage(request("a")) == nil)
        _ = try await loader.image(request("a"))
        #expect(server.requests == ["a", "a"])
    }

    @Test func `favorites of another source are left alone`() async throws {
        let (loader, favorites) = try await open()
        let others = ImageLoader(sourceName: "Test2", disk: loader.disk, fetch: server.fetch)
        try await #require(FavoriteImages(others)).add(request("x"))
        let report = await favorites.reconcile(with: [])
        #expect(report.removedCount == 0 && loader.disk?.count == 1)
    }

    @MainActor @Test func `what fails comes back to the caller's actor`() async throws {
        let (_, favorites) = try await open(limit: 6)
        do {
            try await favorites.add(request("four"))
            Issue.record("There was room.")
        } catch {
            #expect(isOnMainQueue)
        }
        let disk = try await ImageDiskCache.open(
            at: folder["images"], byteLimit: 10, isReadOnly: true, files: DiskFileSystem(),
            now: { Date() })
        let loader = ImageLoader(sourceName: "Test", disk: disk, fetch: server.fetch)
        do {
            try await #require(FavoriteImages(loader)).remove(photo: "four")
            Issue.record("It was removed.")
        } catch {
            #expect(isOnMainQueue)
        }
    }

    @Test func `a picture that does not fit is reported`() async throws {
        let (_, favorites) = try await open(limit: 6)
        await #expect(throws: ImageCacheError.full(needed: 7, byteLimit: 6, pinned: 0)) {
            try await favorites.add(request("four"))
        }
        let report = await favorites.reconcile(with: [request("four"), request("abc")])
        #expect(report.fetched == ["abc"])
        #expect(report.failures["four"] is ImageCacheError)
    }
}

@Suite(.endsWaiting) struct ThumbnailsTests {
    private actor Album: ThumbnailStorage {
        private(set) var stored: [String: Data] = [:]
        private(set) var storeCount = 0
        private var isFull = false

        func thumbnail(ofPhoto identifier: String) async throws -> Data? { stored[identifier] }

        func store(_ thumbnail: Data, ofPhoto identifier: String) async throws {
            if isFull { throw ImageCacheError.full(needed: 1, byteLimit: 0, pinned: 0) }
            storeCount += 1
            stored[identifier] = thumbnail
        }

        func fill(_ isFull: Bool) { self.isFull = isFull }
    }

    @Test func `each thumbnail is fetched and stored once, whoever asks and when`() async throws {
        let server = PictureServer()
        let album = Album()
        let loader = ImageLoader(
            sourceName: "Test", options: ImageLoader.Options(memoryByteLimit: 0),
            fetch: server.fetch)
        let thumbnails = Thumbnails(loader: loader, storage: album)
        for _ in 0..<3 {
            try await withThrowingTaskGroup { group in
                for number in 0..<200 {
                    group.addTask {
                        let name = "\(number % 20)"
                        let data = try await thumbnails.thumbnail(
                            PictureServer.request(name, name),
                            priority: ImagePriority.allCases[number % 3])
                        #expect(data == .picture(name))
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.requests.count == 20)
        #expect(await album.storeCount == 20)
    }

    @Test func `what could not be stored is tried again`() async throws {
        let server = PictureServer()
        let album = Album()
        let loader = ImageLoader(sourceName: "Test", fetch: server.fetch)
        let thumbnails = Thumbnails(loader: loader, storage: album)
        let request = PictureServer.request("a", "a")
        await album.fill(true)
        await #expect(throws: ImageCacheError.self) { try await thumbnails.thumbnail(request) }
        await album.fill(false)
        _ = try await thumbnails.thumbnail(request)
        #expect(await album.stored["a"] == .picture("a"))
        #expect(server.requests == ["a"], "the picture was still in memory")
    }
}
