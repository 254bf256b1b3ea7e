import Foundation
import PlacesKit
import Synchronization
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

@Suite struct ImageDiskCacheTests {
    private static let epoch = Date(timeIntervalSince1970: 1_700_000_000)

    private func key(_ photo: String, _ variant: String = "large") -> ImageKey {
        ImageKey(source: "Test", photo: photo, variant: variant)
    }

    private func open(
        _ folder: TemporaryFolder, limit: Int, files: any FileSystem = DiskFileSystem(),
        clock: TestClock = TestClock(epoch)
    ) async throws -> ImageDiskCache {
        try await ImageDiskCache.open(
            at: folder["images"], byteLimit: limit, files: files, now: { clock.now })
    }

    /// The bytes that all files of the folder take, temporary ones included.
    private func bytes(in folder: TemporaryFolder) throws -> Int {
        let files = DiskFileSystem()
        return try files.list(folder["images"]).filter { $0 != "lock" }.reduce(0) {
            $0 + (try files.status(of: folder["images"].appending($1))?.size ?? 0)
        }
    }

    @Test func `a link in place of the lock is an error, and what it leads to stays`() async throws
    {
        let folder = try TemporaryFolder()
        let url = URL(filePath: folder.path.description)
        let (diary, images) = (url.appending(path: "diary"), url.appending(path: "images"))
        try Data("mine".utf8).write(to: diary)
        try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: images.appending(path: "lock"), withDestinationURL: diary)
        await #expect(throws: ImageCacheError.self) {
            try await open(folder, limit: 100).removeAll()
        }
        #expect(try Data(contentsOf: diary) == Data("mine".utf8))
    }

    @Test func `random use by two processes keeps to the limit, and what is pinned`() async throws {
        var generator = SplitMix64(seed: 3)
        let folder = try TemporaryFolder()
        let clock = TestClock(Self.epoch)
        let limit = 1_000
        var caches = [
            try await open(folder, limit: limit, clock: clock),
            try await open(folder, limit: limit, clock: clock),
        ]
        var pinned: [String: Data] = [:]
        var latest: [String: Data] = [:]
        for step in 0..<300 {
            clock.advance(by: 1)
            let cache = generator.below(2)
            let photo = "photo \(generator.below(10))"
            let context: Comment = "step \(step)"
            switch generator.below(10) {
            case 0..<4:
                let data = Data.picture(of: 3 + generator.below(300), repeating: UInt8(step & 0xFF))
                let isPinned = generator.below(5) == 0
                do {
                    try await caches[cache].store(
                        data, for: key(photo), fetched: clock.now, isPinned: isPinned)
                    // What is pinned gives way to what is pinned only.
                    guard isPinned || pinned[photo] == nil else { break }
                    latest[photo] = data
                    pinned[photo] = isPinned ? data : nil
                } catch {
                    guard case .full = error else { throw error }
                    let others = pinned.filter { $0.key != photo }.values.reduce(0) {
                        $0 + $1.count
                    }
                    #expect(others + data.count > limit, context)
                }
            case 4..<8:
                let data = await caches[cache].data(for: key(photo))
                // The other process may have written a newer one, of which this one hears later.
                if let data, latest[photo] == data { continue }
            case 8:
                try await caches[cache].remove(photo: photo, of: "Test")
                latest[photo] = nil
                pinned[photo] = nil
            default:
                caches[cache] = try await open(folder, limit: limit, clock: clock)
            }
            #expect(try bytes(in: folder) <= limit, context)
        }
        let last = try await open(folder, limit: limit, clock: clock)
        #expect(try last.usedBytes == bytes(in: folder))
        for (photo, data) in pinned {
            #expect(await last.data(for: key(photo)) == data, "\(photo)")
        }
        for file in last.names {
            let photo = try #require(latest.keys.first { ImageFileName.stem(key($0)) == file.stem })
            #expect(await last.data(for: key(photo)) == latest[photo])
        }
    }

    @Test func `what was read least recently goes first, after a new start too`() async throws {
        let folder = try TemporaryFolder()
        let clock = TestClock(Self.epoch)
        var cache = try await open(folder, limit: 30, clock: clock)
        for photo in ["a", "b", "c"] {
            clock.advance(by: 1)
            try await cache.store(
                .picture(of: 10, repeating: 1), for: key(photo), fetched: clock.now, isPinned: false
            )
        }
        let now = Date()
        clock.set(now.addingTimeInterval(100))
        #expect(await cache.data(for: key("a")) != nil)
        cache = try await open(folder, limit: 30, clock: clock)
        try await cache.store(
            .picture(of: 20, repeating: 1), for: key("d"), fetched: clock.now, isPinned: false)
        #expect(await cache.data(for: key("a")) != nil)
        #expect(await cache.data(for: key("b")) == nil)
        #expect(await cache.data(for: key("d")) != nil)
    }

    @Test func `a crash at any step leaves whole pictures within the limit`() async throws {
        for step in 0..<12 {
            let folder = try TemporaryFolder()
            let first = try await open(folder, limit: 100)
            let kept = Data.picture(of: 40, repeating: 1)
            try await first.store(kept, for: key("kept"), fetched: Self.epoch, isPinned: true)
            let old = Data.picture(of: 30, repeating: 2)
            try await first.store(old, for: key("old"), fetched: Self.epoch, isPinned: false)
            let files = RecordedFiles(failingAt: step, isCrash: true)
            let replacement = Data.picture(of: 50, repeating: 3)
            if let crashing = try? await open(folder, limit: 100, files: files) {
                try? await crashing.store(
                    replacement, for: key("old"), fetched: Self.epoch + 1, isPinned: false)
            }
            #expect(try bytes(in: folder) <= 100)
            let after = try await open(folder, limit: 100)
            #expect(await after.data(for: key("kept")) == kept, "step \(step)")
            let other = await after.data(for: key("old"))
            #expect([nil, old, replacement].contains(other), "step \(step)")
            #expect(try bytes(in: folder) == after.usedBytes, "step \(step)")
            #expect(try DiskFileSystem().list(folder["images"]).allSatisfy { !$0.hasPrefix(".") })
        }
    }

    @Test func `any identifier has a file name of its own that says what it is`() throws {
        let parts = [
            "", "a", "A", "ä", "a/b", "../../etc/passwd", ".", "..", "a.b", "a_b", "_", "a b", "\0",
            "https://example.org/?q=1&r=2", String(repeating: "x", count: 300),
            String(repeating: "x", count: 301), String(repeating: "🌍", count: 100), "NUL", "a\nb",
            "~",
        ]
        var stems: Set<String> = []
        for source in parts {
            for photo in parts {
                let key = ImageKey(source: source, photo: photo, variant: "large")
                let url = try #require(URL(string: "https://h.example/a"))
                let name = ImageFileName(
                    key, from: photo.isEmpty ? nil : url, fetched: Self.epoch + 0.25, size: 12_345,
                    isPinned: true)
                let text = name.description
                #expect(text.utf8.count <= 255 && !text.hasPrefix(".") && !text.contains("/"))
                #expect(text.allSatisfy { $0.isASCII && !$0.isUppercase })
                #expect(ImageFileName(text) == name)
                #expect(name.fetchDate == Self.epoch + 0.25 && name.mayBe(from: url))
                #expect(name.mayBe(from: url.appending(path: "b")) == photo.isEmpty)
                #expect(
                    name.photoStem == ImageFileName.photoStem(source: source, photo: photo))
                stems.insert(name.stem)
            }
        }
        #expect(stems.count == parts.count * parts.count)
        for junk in [
            "", "lock", "a.b.c.d.e.f", "a.b.c.1.1.other", ".a.b.c.1.tmp", "a.b.c.-1.1.kept",
            "a.b.c.1.1..kept", "a.b.c.1.1.x.y.kept",
        ] {
            #expect(ImageFileName(junk) == nil, "\(junk)")
        }
    }

    @Test func `a file that was tampered with or lost is no picture`() async throws {
        let folder = try TemporaryFolder()
        let cache = try await open(folder, limit: 100)
        for photo in ["cut", "lost"] {
            try await cache.store(
                .picture(of: 10, repeating: 1), for: key(photo), fetched: Self.epoch, isPinned: true
            )
        }
        for file in cache.names {
            let path = folder["images"].appending(file.description).description
            if file.stem.contains("cut") {
                try Data([1]).write(to: URL(filePath: path))
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
        }
        #expect(await cache.data(for: key("cut")) == nil)
        #expect(await cache.data(for: key("lost")) == nil)
        #expect(cache.count == 0)
        let again = try await open(folder, limit: 100)
        #expect(try again.count == 0 && bytes(in: folder) == 0)
    }

    @Test func `pictures that are only read are looked at, whatever a crash has left`()
        async throws
    {
        let folder = try TemporaryFolder()
        // They refuse whatever is not reading.
        let files = ReplacedFiles(DiskFileSystem(), by: DiskFileSystem(), at: .max)
        func read() async throws -> ImageDiskCache {
            try await ImageDiskCache.open(
                at: folder["images"], byteLimit: 1, isReadOnly: true, files: files,
                now: { Self.epoch })
        }
        #expect(try await read().count == 0)
        let writer = try await open(folder, limit: 100)
        try await writer.store(
            .picture(of: 3, repeating: 1), for: key("kept"), fetched: Self.epoch, isPinned: true)
        try await writer.store(
            .picture(of: 3, repeating: 2), for: key("cached"), fetched: Self.epoch, isPinned: false)
        let images = folder["images"].description
        let older = ImageFileName(key("kept"), fetched: .distantPast, size: 3, isPinned: true)
        let broken = ImageFileName(key("broken"), fetched: Self.epoch, size: 9, isPinned: true)
        for name in [older.description, broken.description, ".a.b.c.1.tmp"] {
            try Data.picture(of: 3).write(to: URL(filePath: images).appending(path: name))
        }
        let reader = try await read()
        #expect(await reader.data(for: key("kept")) == .picture(of: 3, repeating: 1))
        #expect(await reader.data(for: key("cached")) == .picture(of: 3, repeating: 2))
        #expect(reader.count == 2)
        await #expect(throws: ImageCacheError.readOnly(folder: images)) {
            try await reader.removeAll()
        }
        await #expect(throws: ImageCacheError.readOnly(folder: images)) {
            try await reader.store(
                Data(), for: key("new"), fetched: Self.epoch, isPinned: true)
        }
        #expect(try DiskFileSystem().list(folder["images"]).count == 6)
    }

    @Test func `favorites fill the disk, and the error says so`() async throws {
        let folder = try TemporaryFolder()
        let cache = try await open(folder, limit: 100)
        try await cache.store(
            .picture(of: 80, repeating: 1), for: key("kept"), fetched: Self.epoch, isPinned: true)
        let full = ImageCacheError.full(needed: 30, byteLimit: 100, pinned: 80)
        await #expect(throws: full) {
            try await cache.store(
                .picture(of: 30, repeating: 1), for: key("b"), fetched: Self.epoch, isPinned: true)
        }
        #expect(full.description.contains("80 hold favorites"))
        try await cache.store(
            .picture(of: 100, repeating: 2), for: key("kept"), fetched: Self.epoch, isPinned: true)
        #expect(cache.usedBytes == 100)
        let smaller = try await open(folder, limit: 50)
        #expect(smaller.count == 1, "a lower limit removes no favorite")
    }

    @Test func `what another process has pinned does not give way to what is not pinned`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (first, second) = (
            try await open(folder, limit: 100), try await open(folder, limit: 100)
        )
        let kept = Data.picture(of: 40, repeating: 1)
        try await first.store(kept, for: key("kept"), fetched: Self.epoch, isPinned: true)
        try await second.store(
            .picture(of: 40, repeating: 2), for: key("kept"), fetched: Self.epoch + 1,
            isPinned: false)
        for photo in ["a", "b"] {
            try await second.store(
                .picture(of: 60), for: key(photo), fetched: Self.epoch + 1, isPinned: false)
        }
        #expect(await first.data(for: key("kept")) == kept)
        #expect(await second.data(for: key("kept")) == kept)
    }

    @Test func `of two files of one picture the pinned one counts, though it is older`()
        async throws
    {
        let folder = try TemporaryFolder()
        let kept = Data.picture(of: 10, repeating: 1)
        let first = try await open(folder, limit: 100)
        try await first.store(kept, for: key("a"), fetched: Self.epoch, isPinned: true)
        let newer = ImageFileName(key("a"), fetched: Self.epoch + 1, size: 20, isPinned: false)
        try Data.picture(of: 20).write(
            to: URL(filePath: folder["images"].appending(newer.description).description))
        let cache = try await open(folder, limit: 100)
        #expect(await cache.data(for: key("a")) == kept)
        #expect(try bytes(in: folder) == 10)
    }

    @Test func `a kept picture without an address follows the one that it first counts for`()
        async throws
    {
        let folder = try TemporaryFolder()
        let cache = try await open(folder, limit: 100)
        try await cache.store(
            .picture("old"), for: key("1", "picture"), fetched: Self.epoch, isPinned: true)
        let server = PictureServer()
        let loader = ImageLoader(
            sourceName: "Test", disk: cache, options: ImageLoader.Options(memoryByteLimit: 0),
            now: { Self.epoch }, fetch: server.fetch)
        let favorites = try #require(FavoriteImages(loader))
        let requests = try ["old", "new"].map { address in
            let url = try #require(URL(string: "https://h.example/\(address)"))
            return ImageRequest(photo: "1", ladder: [PhotoVariant(name: "picture", url: url)])
        }
        #expect(await favorites.reconcile(with: [requests[0]]).fetched.isEmpty)
        #expect(try await loader.image(requests[0]) == .picture("old") && server.requests.isEmpty)
        #expect(try cache.count == 1 && bytes(in: folder) == cache.usedBytes)
        #expect(await favorites.reconcile(with: [requests[1]]).fetched == ["1"])
        #expect(try await loader.image(requests[1]) == .picture("new"))
        #expect(server.requests == ["new"] && cache.count == 1)
    }

    @Test func `of two pinned pictures of a photo, which a crash left, the last one stays`()
        async throws
    {
        let folder = try TemporaryFolder()
        let first = try await open(folder, limit: 100)
        try await first.store(
            .picture(of: 10), for: key("a", "large"), fetched: Self.epoch, isPinned: true)
        let last = ImageFileName(
            key("a", "medium"), fetched: Self.epoch + 1, size: 20, isPinned: true)
        let cached = ImageFileName(
            key("a", "small"), fetched: Self.epoch, size: 5, isPinned: false)
        for file in [last, cached] {
            try Data.picture(of: file.size).write(
                to: URL(filePath: folder["images"].appending(file.description).description))
        }
        let cache = try await open(folder, limit: 100)
        #expect(Set(cache.names) == [last, cached])
        #expect(try bytes(in: folder) == 25 && cache.pinnedBytes == 20)
    }

    @Test func `a photo has one pinned picture, which takes the room of the former one`()
        async throws
    {
        let folder = try TemporaryFolder()
        let cache = try await open(folder, limit: 100)
        try await cache.store(
            .picture(of: 60), for: key("a", "large"), fetched: Self.epoch, isPinned: true)
        try await cache.store(
            .picture(of: 50), for: key("a", "medium"), fetched: Self.epoch, isPinned: true)
        #expect(cache.names.map(\.stem) == [ImageFileName.stem(key("a", "medium"))])
        try await cache.store(
            .picture(of: 20), for: key("a", "small"), fetched: Self.epoch, isPinned: false)
        #expect(try cache.count == 2 && bytes(in: folder) == 70)
    }

    @Test func `a look finds what others have changed, and lists the folder only then`()
        async throws
    {
        let folder = try TemporaryFolder()
        let files = CountedListings()
        let writer = try await open(folder, limit: 100)
        let cache = try await open(folder, limit: 100, files: files)
        for (photo, count) in [("a", 1), ("b", 2)] {
            try await writer.store(
                .picture(of: 3), for: key(photo), fetched: Self.epoch, isPinned: true)
            let former = files.count
            for _ in 0..<3 { try await cache.look() }
            #expect(cache.count == count && files.count == former + 1)
        }
        try await cache.store(
            .picture(of: 3), for: key("c"), fetched: Self.epoch, isPinned: true)
        let former = files.count
        try await cache.look()
        #expect(cache.count == 3 && files.count == former)
    }

    @Test func `the folder is read again only if somebody else has changed it`() async throws {
        let folder = try TemporaryFolder()
        let files = CountedListings()
        let cache = try await open(folder, limit: 1_000, files: files)
        func store(_ photo: String, in cache: ImageDiskCache) async throws {
            try await cache.store(
                .picture(of: 3), for: key(photo), fetched: Self.epoch, isPinned: true)
        }
        func listings(_ change: () async throws -> Void) async throws -> Int {
            let former = files.count
            try await change()
            return files.count - former
        }
        let first = try await listings {
            for photo in ["a", "b", "c"] { try await store(photo, in: cache) }
            try await cache.remove(photo: "b", of: "Test")
        }
        #expect(first == 0)
        let other = try await open(folder, limit: 1_000)
        try await store("d", in: other)
        let second = try await listings {
            for photo in ["e", "f"] { try await store(photo, in: cache) }
        }
        #expect(second == 1 && cache.count == 5)
        let file = try #require(cache.file(for: key("a")))
        try DiskFileSystem().remove(folder["images"].appending(file.description))
        #expect(try await listings { try await store("g", in: cache) } == 1)
        #expect(cache.count == 5 && cache.file(for: key("a")) == nil)
        // A file that turned out to be no picture is looked at again.
        let broken = try #require(cache.file(for: key("c")))
        try Data("<html>".utf8).write(
            to: URL(filePath: folder["images"].appending(broken.description).description))
        #expect(await cache.data(for: key("c")) == nil)
        #expect(try await listings { try await store("c", in: cache) } == 1)
        try await store("h", in: other)
        #expect(other.count == 6)
    }
}

/// The machine's file system, which counts how often a folder is listed.
private final class CountedListings: DiskFiles {
    let disk = DiskFileSystem()
    private let listings = Mutex(0)

    var count: Int { listings.withLock { $0 } }

    func list(_ path: FilePath) throws(FileSystemError) -> [String] {
        listings.withLock { $0 += 1 }
        return try disk.list(path)
    }

    func lastUse(of path: FilePath) -> Date? { disk.lastUse(of: path) }

    func noteUse(of path: FilePath, at date: Date) { disk.noteUse(of: path, at: date) }
}
