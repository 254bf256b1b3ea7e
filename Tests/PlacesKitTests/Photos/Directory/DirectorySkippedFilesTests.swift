import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct DirectorySkippedFilesTests {
    private let folder: PhotoFolder

    init() throws {
        folder = try PhotoFolder()
    }

    @Test func `names that are not UTF-8 are listed byte by byte if they could be pictures'`()
        async throws
    {
        try folder.writePhoto("a\\xFF.jpg")
        let names: [[UInt8]] = [
            [0x61, 0xFF] + Array(".jpg".utf8),
            Array("caf".utf8) + [0xE9] + Array(".HEIC".utf8),
            Array("caf".utf8) + [0xE9] + Array(".txt".utf8),
            Array(".caf".utf8) + [0xE9] + Array(".jpg".utf8),
            [0xFF, 0xFE],
            // The same, once spelled.
            Array("\\xFF".utf8) + [0xFE],
        ]
        for name in names {
            guard folder.write(name: name) else { return }
        }
        let scan = try await folder.source.rescan()
        #expect(scan.photoCount == 1)
        #expect(
            scan.skipped.map(\.path) == [
                "\\xFF\\xFE", "\\xFF\\xFE", "a\\xFF.jpg", "caf\\xE9.HEIC",
            ])
        #expect(
            scan.skipped.allSatisfy { $0.reason == "Its name is not UTF-8; give it another one." })
    }

    @Test(arguments: [
        ("HEIC", ["a.heic", "b.HEIF", "c.hif"]), ("PNG", ["a.png"]), ("TIFF", ["a.tif", "b.TIFF"]),
        ("WebP", ["a.webp"]), ("AVIF", ["a.avif"]), ("JPEG XL", ["a.jxl"]), ("GIF", ["a.gif"]),
        ("The raw data of a camera", ["a.ARW", "b.cr3", "c.nef", "d.dng"]),
    ])
    func `pictures of other formats are listed with their format`(
        format: String, names: [String]
    ) async throws {
        for name in names + ["notes.txt", "film.mp4"] { try folder.write([1], to: name) }
        let scan = try await folder.source.rescan()
        #expect(scan.photoCount == 0 && scan.skipped.map(\.path) == names)
        for file in scan.skipped {
            #expect(file.reason == "\(format) is not read; save it as JPEG.")
        }
    }

    @Test func `a folder of nothing readable says what it holds, how much of it, and why not`()
        async throws
    {
        for number in 1...3 { try folder.write([1], to: "trip/\(number).heic") }
        try folder.write(Array("<html>".utf8), to: "page.jpg")
        let source = folder.source
        let scan = try await source.rescan()
        let text = """
            No photos; 4 files left out. HEIC is not read; save it as JPEG \
            (3 files, such as “trip/1.heic”). This is no JPEG file (1 file, “page.jpg”).
            """
        #expect(scan.description == text)
        let error = PhotoSourceError.unavailable(
            reason: .unreadable(provider: "Folder", reason: text))
        await #expect(throws: error) { try await source.places() }
        await #expect(throws: error) { try await source.recentPhotos(limit: 9) }
        await #expect(throws: error) {
            try await source.photos(
                near: Coordinate(latitude: 1, longitude: 1), kilometers: 5, page: 1)
        }
        await #expect(throws: error) {
            try await source.photos(in: PlaceRecord(identifier: "x", name: ""))
        }
        await #expect(throws: PhotoSourceError.gone(what: "The photo “a.jpg”")) {
            try await source.details(ofPhoto: "a.jpg")
        }
        try folder.writePhoto("a.jpg")
        #expect(
            try await source.rescan().description.hasPrefix("1 photo; 4 files left out. "))
        #expect(try await source.recentPhotos(limit: 9).isEmpty)
    }

    @Test func `an empty folder has no photos, and nothing is wrong with it`() async throws {
        #expect(try await folder.source.places().isEmpty)
        #expect(try await folder.source.rescan().description == "No photos.")
    }

    @Test func `links are left alone, pipes are listed, and files of several names are photos`()
        async throws
    {
        try folder.writePhoto("a.jpg")
        let path = folder.folder.path.description
        try FileManager.default.linkItem(atPath: path + "/a.jpg", toPath: path + "/b.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: path + "/c.jpg", withDestinationPath: path + "/a.jpg")
        guard mkfifo(path + "/d.jpg", 0o600) == 0 else { return }
        let source = folder.source
        let scan = try await source.rescan()
        #expect(scan.photoCount == 2)
        #expect(scan.skipped == [.init(path: "d.jpg", reason: "It is a pipe.")])
        let original = try #require(try await source.details(ofPhoto: "b.jpg").variants.last)
        #expect(try await source.data(for: original) == Data(JPEGBuilder().bytes))
    }

    @Test func `what lies too deep is listed`() async throws {
        let deep = (1...17).map { "\($0)" }.joined(separator: "/")
        try folder.writePhoto(deep + "/a.jpg")
        try folder.writePhoto((1...16).map { "\($0)" }.joined(separator: "/") + "/b.jpg")
        let scan = try await folder.source.rescan()
        #expect(scan.photoCount == 1)
        #expect(
            scan.skipped == [.init(path: deep, reason: "It lies more than 16 folders deep.")])
    }
}
