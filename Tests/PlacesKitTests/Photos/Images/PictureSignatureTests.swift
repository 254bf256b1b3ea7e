import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct PictureSignatureTests {
    /// A file type box of ISO 14496-12 with what follows it.
    private static func box(_ brands: String...) -> [UInt8] {
        let content = brands[0].utf8 + [0, 0, 0, 0] + brands.dropFirst().flatMap(\.utf8)
        return [0, 0, 0, UInt8(8 + content.count)] + "ftyp".utf8 + content + "mif1avif".utf8
    }

    private static let pictures: [(name: String, bytes: [UInt8])] = [
        ("JPEG", [0xFF, 0xD8, 0xFF, 0xE0]), ("PNG", [0x89, 80, 78, 71, 13, 10, 26, 10]),
        ("GIF 87", Array("GIF87a".utf8)), ("GIF 89", Array("GIF89a".utf8)),
        ("WebP", Array("RIFF\u{1}\0\0\0WEBPVP8 ".utf8)),
        ("TIFF, little-endian", [73, 73, 42, 0]), ("TIFF, big-endian", [77, 77, 0, 42]),
        ("BigTIFF, little-endian", [73, 73, 43, 0]), ("BigTIFF, big-endian", [77, 77, 0, 43]),
        ("BMP", Array("BM".utf8) + [9, 9, 9, 9, 0, 0, 0, 0, 54]),
        ("HEIC", box("heic")), ("AVIF", box("avif")),
        ("HEIC by a compatible brand", box("abcd", "miaf", "heix")),
        ("JPEG XL", [0xFF, 0x0A]),
        ("JPEG XL in boxes", [0, 0, 0, 12, 74, 88, 76, 32, 13, 10, 0x87, 10]),
        ("JPEG 2000", [0, 0, 0, 12, 106, 80, 32, 32, 13, 10, 0x87, 10]),
    ]

    @Test(arguments: pictures.map(\.name))
    func `pictures are known by their first bytes`(name: String) throws {
        let bytes = try #require(Self.pictures.first { $0.name == name }).bytes
        #expect(PictureSignature.begins(bytes))
        #expect(PictureSignature.begins(Data(bytes + [UInt8](repeating: 7, count: 10_000))))
        // In the middle of other data, as a slice is.
        #expect(PictureSignature.begins(([1, 2, 3] + bytes)[3...]))
    }

    @Test(arguments: [
        "", "<html>", "<!DOCTYPE html>", "{\"stat\":\"fail\"}", "<?xml version=\"1.0\"?><svg/>",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "%PDF-1.7", "BMW is a car", "GIF", "GIF88a",
        "RIFF\u{1}\0\0\0WAVEfmt ", "RIFF\u{1}\0\0\0WEB", "MM", "II*", "Rate limit exceeded",
        "\u{89}PNG\r\n\u{1A}\n", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "\nGIF89a",
    ])
    func `anything else is no picture`(text: String) {
        #expect(!PictureSignature.begins(Array(text.utf8)))
    }

    @Test func `half a signature is no picture, nor is a film`() {
        for (name, bytes) in Self.pictures where !["BMP", "HEIC", "AVIF"].contains(name) {
            let needed = (1...bytes.count).first { PictureSignature.begins(bytes.prefix($0)) }
            #expect(needed.map { $0 >= 2 } ?? false, "\(name)")
        }
        #expect(!PictureSignature.begins([0xFF, 0xD8]))
        #expect(!PictureSignature.begins([0x89, 80, 78, 71, 13, 10, 26]))
        #expect(!PictureSignature.begins(Self.box("isom", "iso2", "mp41")))
        #expect(!PictureSignature.begins(Self.box("qt  ")))
        // The box ends before the brands that follow.
        #expect(
            !PictureSignature.begins([0, 0, 0, 16] + "ftypisom".utf8 + [0, 0, 0, 0] + "heic".utf8))
        #expect(!PictureSignature.begins([0, 0, 0, 0] + "ftypisom".utf8))
        #expect(!PictureSignature.begins([0xFF, 0xFF, 0xFF, 0xFF] + "ftypisom".utf8 + [0, 0, 0]))
    }

    @Test func `what the sample world draws is a picture`() async throws {
        let source = SamplePhotoSource()
        let photo = try #require(source.photo(at: 0))
        for variant in photo.variants where variant.name != "original" {
            #expect(PictureSignature.begins(try await source.data(for: variant)))
        }
    }
}
