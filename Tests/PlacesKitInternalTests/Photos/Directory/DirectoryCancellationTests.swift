import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

@Suite(.endsWaiting) struct DirectoryCancellationTests {
    private let folder: PhotoFolder

    init() throws {
        folder = try PhotoFolder()
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try folder.writePhoto(name) }
    }

    private func source(_ files: WatchedFiles) -> DirectoryPhotoSource {
        DirectoryPhotoSource(directory: folder.url, name: "Folder", files: files)
    }

    @Test func `callers share one scan, and one who leaves does not wait for its end`()
        async throws
    {
        let files = WatchedFiles(waitingAt: 1)
        let source = source(files)
        let callers = (0..<2).map { _ in Task { try await source.recentPhotos(limit: 9) } }
        try await wait { source.scans.waiterCount == 2 && files.isWaiting }
        callers[0].cancel()
        await #expect(throws: CancellationError.self) { try await callers[0].value }
        #expect(source.scans.waiterCount == 1)
        files.goOn()
        #expect(try await callers[1].value.isEmpty, "none has a position")
        #expect(files.takeReadings().count == 3)
        #expect(try await source.rescan().photoCount == 3)
    }

    @Test func `a scan that nobody waits for any more ends after the file it is at`() async throws {
        let files = WatchedFiles(waitingAt: 1)
        let source = source(files)
        let callers = [
            Task { _ = try await source.places() }, Task { _ = try await source.places() },
        ]
        try await wait { source.scans.waiterCount == 2 && files.isWaiting }
        for caller in callers { caller.cancel() }
        for caller in callers {
            await #expect(throws: CancellationError.self) { try await caller.value }
        }
        files.goOn()
        // Scans come one after the other.
        #expect(try await source.rescan().photoCount == 3)
        #expect(files.takeReadings().count == 1 + 3)
    }

    @Test func `reading again begins after it was asked for, and once for all who wait`()
        async throws
    {
        let files = WatchedFiles(waitingAt: 1)
        let source = source(files)
        let first = Task { try await source.rescan().photoCount }
        try await wait { files.isWaiting }
        try folder.writePhoto("d.jpg")
        let later = (0..<3).map { _ in Task { try await source.rescan().photoCount } }
        try await wait { source.scans.waiterCount == 4 && source.scans.count == 2 }
        files.goOn()
        #expect(try await first.value == 3)
        for caller in later { #expect(try await caller.value == 4) }
        #expect(files.takeReadings().map(\.name).sorted() == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    }

    @Test func `a picture that nobody waits for any more is not read to its end`() async throws {
        let length = 8 << 20
        try folder.write(
            JPEGBuilder().bytes + [UInt8](repeating: 0, count: length), to: "a.jpg")
        let files = WatchedFiles(waitingAt: 5)
        let source = source(files)
        let original = try #require(try await source.details(ofPhoto: "a.jpg").variants.last)
        let callers = (0..<2).map { _ in Task { try await source.data(for: original) } }
        try await wait { source.pictures.waiterCount == 2 && files.isWaiting }
        callers[0].cancel()
        await #expect(throws: CancellationError.self) { try await callers[0].value }
        callers[1].cancel()
        await #expect(throws: CancellationError.self) { try await callers[1].value }
        files.goOn()
        let other = try #require(try await source.details(ofPhoto: "b.jpg").variants.last)
        #expect(try await source.data(for: other) == Data(JPEGBuilder().bytes))
        let readings = files.takeReadings().filter { $0.name == "a.jpg" }
        #expect(readings.count == 3, "one of the scan, two of the picture")
    }

    @Test func `a call that is cancelled before it begins reads nothing`() async throws {
        let files = WatchedFiles()
        let source = source(files)
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await source.places()
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(files.takeReadings().isEmpty)
    }
}
