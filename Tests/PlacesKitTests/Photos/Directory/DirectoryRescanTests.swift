import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct DirectoryRescanTests {
    private let folder: PhotoFolder
    private let files = WatchedFiles()
    private let source: DirectoryPhotoSource

    init() throws {
        folder = try PhotoFolder()
        source = DirectoryPhotoSource(directory: folder.url, name: "Folder", files: files)
    }

    /// The names of the files that are read by another scan.
    private func rescan() async throws -> [String] {
        try await source.rescan()
        return files.takeReadings().map(\.name).sorted()
    }

    private func setModificationTime(_ name: String, _ seconds: Int, _ nanoseconds: Int) {
        let times = [timespec(tv_sec: seconds, tv_nsec: nanoseconds)]
        _ = utimensat(AT_FDCWD, folder.folder[name].description, times + times, 0)
    }

    @Test func `only files that are new or have changed are read again`() async throws {
        for name in ["a.jpg", "trip/b.jpg", "c.jpg"] { try folder.writePhoto(name) }
        try folder.write(Array("<html>".utf8), to: "page.jpg")
        setModificationTime("a.jpg", 1_500_000_000, 1)
        #expect(try await rescan() == ["a.jpg", "b.jpg", "c.jpg", "page.jpg"])
        #expect(try await rescan() == [])
        #expect(try await source.rescan().description.hasPrefix("3 photos; 1 file left out."))

        // Of another size.
        try folder.write(JPEGBuilder().bytes + [0], to: "trip/b.jpg")
        try folder.writePhoto("d.jpg")
        #expect(try await rescan() == ["b.jpg", "d.jpg"])
        // A nanosecond later.
        setModificationTime("a.jpg", 1_500_000_000, 2)
        #expect(try await rescan() == ["a.jpg"])
        // Another file of the same size and time.
        try folder.writePhoto("aside", width: 65)
        setModificationTime("aside", 1_500_000_000, 2)
        let path = folder.folder.path.description
        #expect(rename(path + "/aside", path + "/a.jpg") == 0)
        #expect(try await rescan() == ["a.jpg"])
        #expect(try await source.details(ofPhoto: "a.jpg").variants.last?.width == 65)

        try FileManager.default.removeItem(atPath: path + "/c.jpg")
        #expect(try await source.rescan().photoCount == 3)
        await #expect(throws: PhotoSourceError.gone(what: "The photo “c.jpg”")) {
            try await source.details(ofPhoto: "c.jpg")
        }
        #expect(files.takeReadings().isEmpty)
    }

    @Test func `a file that changes or is put back shows its new picture after another scan`()
        async throws
    {
        try folder.writePhoto("a.jpg")
        let loader = ImageLoader(source: source)
        func request() async throws -> ImageRequest {
            ImageRequest(try await source.details(ofPhoto: "a.jpg"), atLeast: 1_024)
        }
        let first = try await request()
        _ = try await loader.image(first)
        #expect(try await source.rescan().photoCount == 1)
        #expect(try await request() == first)

        let changed = Data(JPEGBuilder().bytes + [0])
        try folder.write(Array(changed), to: "a.jpg")
        try await source.rescan()
        let second = try await request()
        #expect(try await loader.image(second) == changed)
        // Whoever has the former address still gets a picture.
        #expect(try await source.data(for: first.ladder[0]) == changed)

        let path = folder.folder["a.jpg"].description
        loader.removeAllFromMemory()
        try FileManager.default.moveItem(atPath: path, toPath: path + "-away")
        await #expect(throws: PhotoSourceError.gone(what: "The picture a.jpg")) {
            try await loader.image(second)
        }
        try FileManager.default.moveItem(atPath: path + "-away", toPath: path)
        #expect(try await loader.image(second) == changed)
    }

    @Test func `what could not be read is listed without its path, and tried again`() async throws {
        try folder.writePhoto("a.jpg")
        try folder.writePhoto("trip/b.jpg")
        try folder.writePhoto("locked/c.jpg")
        files.fail("b.jpg", with: 13)
        files.fail("locked", with: 13)
        let scan = try await source.rescan()
        #expect(scan.photoCount == 1)
        let reason = "It cannot be read: permission denied."
        #expect(
            scan.skipped == [
                .init(path: "locked", reason: reason), .init(path: "trip/b.jpg", reason: reason),
            ])
        #expect(scan.description.contains("permission denied (2 files, such as “locked”)."))
        files.fail("b.jpg", with: nil)
        files.fail("locked", with: nil)
        #expect(files.takeReadings().map(\.name) == ["a.jpg"])
        #expect(try await rescan() == ["b.jpg", "c.jpg"])
    }

    @Test func `a picture that cannot be read is not one that has gone`() async throws {
        try folder.writePhoto("a.jpg")
        let original = try #require(try await source.details(ofPhoto: "a.jpg").variants.last)
        files.fail("a.jpg", with: 13)
        let error = await #expect(throws: PhotoSourceError.self) {
            try await source.data(for: original)
        }
        #expect(error?.description.hasPrefix("Folder cannot be read. Cannot open '") == true)
        files.fail("a.jpg", with: nil)
        let path = folder.folder.path.description
        try FileManager.default.moveItem(atPath: path, toPath: path + "-away")
        let away = await #expect(throws: PhotoSourceError.self) {
            try await source.data(for: original)
        }
        #expect(away?.description.hasPrefix("Folder cannot be read. Cannot open '") == true)
        try FileManager.default.moveItem(atPath: path + "-away", toPath: path)
        #expect(try await !source.data(for: original).isEmpty)
    }

    @Test func `a link that has taken the place of a file is not followed`() async throws {
        try folder.writePhoto("a.jpg")
        try folder.writePhoto(".hidden.jpg")
        let original = try #require(try await source.details(ofPhoto: "a.jpg").variants.last)
        let path = folder.folder.path.description
        try FileManager.default.removeItem(atPath: path + "/a.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: path + "/a.jpg", withDestinationPath: path + "/.hidden.jpg")
        await #expect(throws: PhotoSourceError.gone(what: "The picture a.jpg")) {
            try await source.data(for: original)
        }
        #expect(try await source.rescan().photoCount == 0)
    }

    @Test(
        arguments: [
            [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF], [0xFF, 0xD8, 0xFF, 0xE1, 0, 0], [],
        ] as [[UInt8]])
    func `a damaged file of a gigabyte is not read whole`(beginning: [UInt8]) async throws {
        try folder.write(beginning, to: "a.jpg")
        try #require(truncate(folder.folder["a.jpg"].description, 1 << 30) == 0)
        #expect(try await source.rescan().photoCount == (beginning.isEmpty ? 0 : 1))
        #expect(files.takeReadings().reduce(0) { $0 + $1.count } <= 131_072)
    }

    @Test func `of what precedes the pixels no more than two megabytes are read`() async throws {
        var file = JPEGBuilder()
        for _ in 0..<50 { file.add(marker: 0xE2, [UInt8](repeating: 0xFF, count: 60_000)) }
        let fill = [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 3_000_000)
        for bytes in [file.bytes, fill] {
            try folder.write(bytes, to: "a.jpg")
            #expect(try await source.rescan().photoCount == 1)
            let count = files.takeReadings().reduce(0) { $0 + $1.count }
            #expect(count > 1_000_000 && count <= 2_000_000)
        }
    }

    @Test func `pictures inside a file are read without the rest of it`() async throws {
        var exif = EXIFBuilder()
        exif.thumbnail = [0xFF, 0xD8, 7, 0xFF, 0xD9]
        var file = JPEGBuilder()
        file.add(exif: exif)
        try folder.write(file.bytes + [UInt8](repeating: 0, count: 4_000_000), to: "a.jpg")
        let small = try #require(try await source.details(ofPhoto: "a.jpg").variants.first)
        _ = files.takeReadings()
        #expect(try await source.data(for: small).count == 5)
        #expect(files.takeReadings().map(\.count) == [131_072, 5])
    }
}
