import Foundation

/// The sizes of a file on Commons and their addresses.
///
/// Only certain widths exist; others are refused:
/// https://www.mediawiki.org/wiki/Common_thumbnail_sizes
enum CommonsVariants {
    private static let widths = [120, 250, 330, 500, 960, 1_280, 1_920, 3_840]
    /// The width of the thumbnail that replies name.
    static let referenceWidth = 960

    /// The thumbnails narrower than the file, and the file itself if applications can show it.
    static func variants(of info: LenientJSON) -> [PhotoVariant] {
        guard let url = address(info["url"]), let mime = info["mime"].nonEmptyText else {
            return []
        }
        let width = info["width"].int ?? 0
        let height = info["height"].int ?? 0
        guard width > 0, height > 0 else { return [] }
        let template = thumbnailTemplate(info, url)
        var variants = widths.filter { $0 < width }.compactMap { step -> PhotoVariant? in
            template.flatMap { URL(string: $0.before + String(step) + $0.after) }.map {
                let scaled = (Double(height) * Double(step) / Double(width)).rounded()
                return PhotoVariant(
                    name: "\(step)px", url: $0, width: step, height: max(1, Int(scaled)))
            }
        }
        if CommonsFile.isShown(mime: mime) {
            variants.append(
                PhotoVariant(name: "original", url: url, width: width, height: height))
        }
        return variants
    }

    /// What stands before and after the width in the address of a thumbnail.
    ///
    /// It is taken from the address the reply names, or follows from the file's own, as those of JPEG, PNG and
    /// GIF files do: `…/commons/a/ab/Name` has its thumbnails in `…/commons/thumb/a/ab/Name/`.
    private static func thumbnailTemplate(
        _ info: LenientJSON, _ url: URL
    ) -> (before: String, after: String)? {
        if let text = address(info["thumburl"])?.absoluteString,
            let slash = text.firstIndex(of: "?").map({ text[..<$0].lastIndex(of: "/") })
                ?? text.lastIndex(of: "/"),
            let match = text[slash...].firstMatch(of: /\d+(?=px-)/)
        {
            return (String(text[..<match.startIndex]), String(text[match.endIndex...]))
        }
        guard ["image/jpeg", "image/png", "image/gif"].contains(info["mime"].text ?? ""),
            let address = url.absoluteString.split(separator: "?").first,
            let folder = address.range(of: "/commons/"), let slash = address.lastIndex(of: "/"),
            slash >= folder.upperBound
        else { return nil }
        let path = address[folder.upperBound...]
        return (
            "\(address[..<folder.upperBound])thumb/\(path)/", "px-\(address[slash...].dropFirst())"
        )
    }

    /// An address that a reply names, over HTTPS.
    static func address(_ value: LenientJSON) -> URL? {
        guard var text = value.nonEmptyText else { return nil }
        if text.hasPrefix("//") { text = "https:" + text }
        if text.hasPrefix("http://") { text = "https://" + text.dropFirst("http://".count) }
        guard text.hasPrefix("https://"), let url = URL(string: text), url.host() != nil else {
            return nil
        }
        return url
    }
}
