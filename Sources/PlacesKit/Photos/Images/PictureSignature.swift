import Foundation

/// The first bytes of pictures, which distinguish them from other content sent in their place.
///
/// Servers declare a sign-in page as "image/jpeg", and a picture as "text/plain". SVG is not among
/// the formats: it is text, like such pages, and no source returns it.
package enum PictureSignature {
    /// How many of the first bytes are needed at most.
    static let length = 128

    /// Whether bytes begin like a picture.
    ///
    /// The formats are JPEG, PNG, GIF, WebP, TIFF, HEIF, AVIF, BMP, JPEG XL and JPEG 2000.
    package static func begins(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes.prefix(length))
        return signatures.contains(where: bytes.starts) || isWebP(bytes) || isBMP(bytes)
            || isHEIF(bytes)
    }

    private static let signatures: [[UInt8]] = [
        [0xFF, 0xD8, 0xFF],
        [0x89] + "PNG\r\n\u{1A}\n".utf8,
        Array("GIF87a".utf8), Array("GIF89a".utf8),
        // TIFF in both byte orders, and BigTIFF for files beyond 4 GB.
        Array("II*\0".utf8), Array("MM\0*".utf8), Array("II+\0".utf8), Array("MM\0+".utf8),
        // JPEG XL, bare and in boxes like those of JPEG 2000.
        [0xFF, 0x0A],
        [0, 0, 0, 12] + "JXL \r\n".utf8 + [0x87, 0x0A],
        [0, 0, 0, 12] + "jP  \r\n".utf8 + [0x87, 0x0A],
    ]

    private static func isWebP(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 12 && bytes.starts(with: "RIFF".utf8)
            && bytes[8..<12].elementsEqual("WEBP".utf8)
    }

    /// Four bytes of a BMP header are reserved, and 0 in every file.
    private static func isBMP(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 10 && bytes.starts(with: "BM".utf8) && bytes[6..<10].allSatisfy { $0 == 0 }
    }

    /// Whether the file's main brand or one of its compatible brands is a brand of pictures.
    ///
    /// Films begin with the same box (ISO 14496-12), but have other brands.
    private static func isHEIF(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return false }
        let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        // The main brand, its version, and the compatible brands.
        let starts = [8] + stride(from: 16, through: min(length, bytes.count) - 4, by: 4)
        return starts.contains {
            brands.contains(String(decoding: bytes[$0..<($0 + 4)], as: UTF8.self))
        }
    }

    private static let brands: Set<String> = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis",
    ]
}
