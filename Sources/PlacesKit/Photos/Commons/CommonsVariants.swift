import Foundation

/// The sizes of a file on Commons, and their addresses.
///
/// Hosts, widths and signatures of thumbnail addresses change as Commons likes. So all addresses
/// are copied from a reply, and none is derived from another:
/// https://phabricator.wikimedia.org/T66214
enum CommonsVariants {
    /// The width of the thumbnails to ask for; replies also contain those for denser screens.
    ///
    /// It is one of https://www.mediawiki.org/wiki/Common_thumbnail_sizes
    static let thumbnailWidth = 960
    /// The longest edge of the smaller thumbnails to ask for.
    static let previewEdge = 330

    /// A file's thumbnails, and the file itself if applications can show it, smallest first.
    static func variants(ofPage page: CommonsPage) -> [PhotoVariant] {
        guard let info = page.info, let url = address(info["url"]),
            let mime = info["mime"].nonEmptyText,
            let width = info["width"].int, let height = info["height"].int, width > 0, height > 0
        else { return [] }
        let isShown = CommonsFile.isShown(mime: mime)
        var variants: [PhotoVariant] = []
        // If the file is no larger than the thumbnail, the reply gives the address of the file
        // instead.
        let widest = isShown ? width - 1 : width
        var (names, urls): (Set<String>, Set<URL>) = ([], [])
        for variant in thumbnails(of: page, info, width: width, height: height)
        where variant.width ?? 0 <= widest && !names.contains(variant.name)
            && urls.insert(variant.url).inserted
        {
            names.insert(variant.name)
            variants.append(variant)
        }
        variants.reverse()
        if isShown {
            variants.append(
                PhotoVariant(name: "original", url: url, width: width, height: height))
        }
        return variants
    }

    /// All thumbnails in a reply, the largest first.
    private static func thumbnails(
        of page: CommonsPage, _ info: LenientJSON, width: Int, height: Int
    ) -> [PhotoVariant] {
        func variant(_ address: LenientJSON, _ edge: Double, _ known: Int? = nil) -> PhotoVariant? {
            guard let url = self.address(address), let edge = Int(exactly: edge.rounded()), edge > 0
            else { return nil }
            let scaled = (Double(height) * Double(edge) / Double(width)).rounded()
            return PhotoVariant(
                name: "\(edge)px", url: url, width: edge,
                height: known.flatMap { $0 > 0 ? $0 : nil } ?? Int(exactly: max(1, scaled)))
        }
        let base = info["thumbwidth"].double ?? Double(thumbnailWidth)
        let named = [
            variant(info["thumburl"], base, info["thumbheight"].int),
            page["thumbnail"].flatMap {
                variant(
                    $0["source"], $0["width"].double ?? Double(previewEdge), $0["height"].int)
            },
        ]
        let dense = info["responsiveUrls"].members.map { member in
            Double(member.name).flatMap { $0 > 1 ? variant(member.value, base * $0) : nil }
        }
        return (named + dense).compactMap { $0 }.sorted { ($0.width ?? 0) > ($1.width ?? 0) }
    }

    /// An address in a reply, over HTTPS.
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
