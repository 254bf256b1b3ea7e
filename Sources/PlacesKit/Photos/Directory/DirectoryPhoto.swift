import Foundation
import PlacesBase

/// A photo of a folder.
struct DirectoryPhoto: Sendable {
    /// The pictures in a file, as the fragments of variants' addresses name them.
    enum Picture: String {
        case thumbnail
        case preview
        case original
    }

    let record: PhotoRecord
    /// The file's path within the folder.
    let path: String
    /// The time that photos are sorted by.
    let moment: Date?

    init(
        _ path: String, url: URL, version: FileVersion?, _ metadata: PhotoMetadata,
        preview: PhotoFile.Preview?
    ) {
        self.path = path
        let hasWords = !(metadata.title.isEmpty && metadata.caption.isEmpty)
        record = PhotoRecord(
            identifier: Self.identifier(of: path),
            title: hasWords ? metadata.title : Self.title(of: path),
            caption: metadata.caption,
            owner: PhotoOwner(identifier: metadata.artist, name: metadata.artist),
            taken: metadata.taken,
            takenInstant: metadata.takenInstant,
            coordinate: metadata.coordinate,
            placeIdentifier: Self.placeIdentifier(metadata),
            placeNames: metadata.placeNames,
            pageURL: url,
            creditLine: metadata.copyright.isEmpty ? metadata.artist : metadata.copyright,
            variants: Self.variants(url, version, metadata, preview),
            tags: metadata.keywords)
        // Among photos of unknown time zones, the times on their clocks give the best order there
        // is.
        moment = metadata.takenInstant ?? metadata.taken?.startInGreenwich
    }

    /// The identifier of a path, unique even where texts are compared regardless of normalization.
    ///
    /// A path that is not NFC is percent-encoded after "./"; no other identifier begins like this.
    static func identifier(of path: String) -> String {
        let bytes = path.utf8
        if bytes.allSatisfy({ $0 < 0x80 })
            || bytes.elementsEqual(path.precomposedStringWithCanonicalMapping.utf8)
        {
            return path
        }
        return bytes.reduce(into: "./") { text, byte in
            if byte < 0x80, byte != UInt8(ascii: "%") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// The name of a file without its filename extension.
    ///
    /// An underscore stands for a space, but not beside a digit, as in "IMG_0042".
    private static func title(of path: String) -> String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map(Substring.init) ?? ""
        let title = Array(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
        let words = title.indices.map { index in
            guard title[index] == "_" else { return title[index] }
            let besides = title[max(0, index - 1)...min(index + 1, title.count - 1)]
            return besides.contains(where: \.isNumber) ? "_" : " "
        }
        let text = String(words).trimmingWhitespace
        return text.isEmpty ? String(title) : text
    }

    /// The address of a picture in a file, without the version of the file.
    static func unversioned(_ address: URL) -> URL {
        var parts = URLComponents(url: address, resolvingAgainstBaseURL: true)
        parts?.query = nil
        return parts?.url ?? address
    }

    private static func variants(
        _ url: URL, _ version: FileVersion?, _ metadata: PhotoMetadata,
        _ preview: PhotoFile.Preview?
    ) -> [PhotoVariant] {
        // A changed file has another address, so that nobody shows its former picture.
        func address(_ picture: Picture? = nil) -> URL {
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            parts?.query = version.map { "\($0.seconds).\($0.nanoseconds).\($0.size)" }
            parts?.fragment = picture?.rawValue
            return parts?.url ?? url
        }
        var variants: [PhotoVariant] = []
        if metadata.thumbnail != nil {
            // The small pictures of EXIF have this size.
            variants.append(
                PhotoVariant(
                    name: Picture.thumbnail.rawValue, url: address(.thumbnail), longestEdge: 160))
        }
        if let preview {
            variants.append(
                PhotoVariant(
                    name: Picture.preview.rawValue, url: address(.preview), width: preview.width,
                    height: preview.height))
        }
        let size = metadata.uprightSize
        variants.append(
            PhotoVariant(
                name: Picture.original.rawValue, url: address(), width: size.map { Int($0.width) },
                height: size.map { Int($0.height) }))
        return variants
    }

    /// The identifier of a photo's place: the city it names, else its grid cell.
    private static func placeIdentifier(_ metadata: PhotoMetadata) -> String? {
        if let names = metadata.placeNames { return "named \(names.fullName)" }
        guard let coordinate = metadata.coordinate else { return nil }
        let row = Int((coordinate.latitude * 10).rounded(.down))
        let column = Int((coordinate.longitude * 10).rounded(.down))
        return "cell \(row) \(column)"
    }
}
