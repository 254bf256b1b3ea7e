import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct DirectoryPreviewTests {
    private let folder: PhotoFolder

    init() throws {
        folder = try PhotoFolder()
    }

    private static let preview: [UInt8] = {
        var file = JPEGBuilder()
        (file.width, file.height) = (1_616, 1_080)
        return file.bytes
    }()

    /// A photo of 6,000 by 4,000 pixels with an index of the pictures that follow it.
    private func photo(
        with pictures: [[UInt8]] = [preview], kind: UInt32 = 0x01_0002, isBigEndian: Bool = false,
        orientation: UInt16 = 1, shift: Int = 0
    ) -> [UInt8] {
        var exif = EXIFBuilder()
        exif.main[0x0112] = .short(orientation)
        func file(_ offsets: [Int]) -> [UInt8] {
            var index = MultiPictureBuilder(isBigEndian: isBigEndian)
            for (picture, offset) in zip(pictures, offsets) {
                index.pictures.append((kind, picture.count, offset))
            }
            var file = JPEGBuilder()
            (file.width, file.height) = (6_000, 4_000)
            file.add(marker: 0xE2, index.bytes)
            file.add(exif: exif)
            return file.bytes
        }
        let length = file(pictures.map { _ in 0 }).count
        var offsets: [Int] = []
        var end = length
        for picture in pictures {
            // The index counts from its own header, which follows the name of its segment.
            offsets.append(end - 10 + shift)
            end += picture.count
        }
        return file(offsets) + pictures.joined()
    }

    private func variants(of bytes: [UInt8]) async throws -> [PhotoVariant] {
        try folder.write(bytes, to: "a.jpg")
        return try await folder.source.details(ofPhoto: "a.jpg").variants
    }

    @Test(arguments: [false, true])
    func `the large preview of a file's index is a variant of its own size`(
        isBigEndian: Bool
    ) async throws {
        try folder.write(photo(isBigEndian: isBigEndian), to: "a.jpg")
        let source = folder.source
        let variants = try await source.details(ofPhoto: "a.jpg").variants
        #expect(variants.map(\.name) == ["preview", "original"])
        #expect(variants.map(\.longestEdge) == [1_616, 6_000])
        #expect(variants[0].height == 1_080)
        #expect(try await source.data(for: variants[0]) == Data(Self.preview))
    }

    @Test func `of several previews the largest counts`() async throws {
        var small = JPEGBuilder()
        (small.width, small.height) = (640, 480)
        let variants = try await variants(
            of: photo(with: [small.bytes, Self.preview, small.bytes]))
        #expect(variants.map(\.longestEdge) == [1_616, 6_000])
    }

    @Test func `a preview that a directory of EXIF names is a variant, too`() async throws {
        let length = Self.preview.count
        func file(_ offset: Int) -> [UInt8] {
            var exif = EXIFBuilder()
            exif.main = [0x0201: .long(UInt32(offset)), 0x0202: .long(UInt32(length))]
            var file = JPEGBuilder()
            (file.width, file.height) = (6_000, 4_000)
            file.add(exif: exif)
            return file.bytes
        }
        // EXIF counts from its own header, after the file's first twelve bytes.
        let bytes = file(file(0).count - 12) + Self.preview
        #expect(try await variants(of: bytes).map(\.longestEdge) == [1_616, 6_000])
    }

    @Test func `what is no preview is not offered`() async throws {
        let whole = photo()
        let wrong: [(String, [UInt8])] = [
            ("a part of it is missing", Array(whole.dropLast())),
            ("no JPEG file lies there", photo(shift: -1)),
            ("it does not tell its size", photo(with: [[0xFF, 0xD8, 0xFF, 0xD9, 0, 0, 0, 0]])),
            ("the photo is turned", photo(orientation: 6)),
            ("it is part of a panorama", photo(kind: 0x02_0001)),
            ("it is a map of brightness", photo(kind: 0)),
        ]
        for (reason, bytes) in wrong {
            #expect(try await variants(of: bytes).map(\.name) == ["original"], "\(reason)")
        }
    }

    @Test func `in place of a preview that has gone the whole file is handed out`() async throws {
        try folder.write(photo(), to: "a.jpg")
        let source = folder.source
        let preview = try #require(try await source.details(ofPhoto: "a.jpg").variants.first)
        try folder.writePhoto("a.jpg")
        #expect(try await source.data(for: preview) == Data(JPEGBuilder().bytes))
    }
}
