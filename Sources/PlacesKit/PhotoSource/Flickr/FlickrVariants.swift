import Foundation

/// The sizes of a Flickr photo and their addresses.
///
/// The rules are those of https://www.flickr.com/services/api/misc.urls.html
enum FlickrVariants {
    /// The letter of a size among the `extras` differs from that in its address: extra `m` has none, and
    /// extra `s` is `m` in the address.
    private struct Size {
        let extra: String
        let suffix: String
        let edge: Int
        var isCropped = false
        /// Whether every photo has it, under the secret that lists carry.
        var isUniversal = false
    }

    private static let sizes = [
        Size(extra: "sq", suffix: "_s", edge: 75, isCropped: true, isUniversal: true),
        Size(extra: "t", suffix: "_t", edge: 100, isUniversal: true),
        Size(extra: "q", suffix: "_q", edge: 150, isCropped: true, isUniversal: true),
        Size(extra: "s", suffix: "_m", edge: 240, isUniversal: true),
        Size(extra: "n", suffix: "_n", edge: 320, isUniversal: true),
        Size(extra: "m", suffix: "", edge: 500, isUniversal: true),
        Size(extra: "z", suffix: "_z", edge: 640),
        Size(extra: "c", suffix: "_c", edge: 800),
        Size(extra: "l", suffix: "_b", edge: 1024),
        Size(extra: "h", suffix: "_h", edge: 1600),
        Size(extra: "k", suffix: "_k", edge: 2048),
    ]

    /// The extras to ask for, so that the reply names all its sizes.
    static let extras = sizes.map { "url_\($0.extra)" } + ["url_o"]

    /// The sizes the reply names, the universal ones built if it does not, and the original if it may be
    /// had.
    ///
    /// The large size is built only if the reply names none from medium 640 up: nearly every photo has it, but
    /// nothing says so. Those above have secrets of their own and cannot be built.
    static func variants(of photo: LenientJSON) -> [PhotoVariant] {
        let hasLargeExtra = ["z", "c", "l"].contains { photo["url_\($0)"].nonEmptyText != nil }
        var variants = sizes.compactMap { size in
            listed(size, in: photo)
                ?? (size.isUniversal || (size.extra == "l" && !hasLargeExtra)
                    ? built(size, of: photo) : nil)
        }
        if let original = original(of: photo) { variants.append(original) }
        return variants
    }

    private static func listed(_ size: Size, in photo: LenientJSON) -> PhotoVariant? {
        guard let url = secureURL(photo["url_\(size.extra)"]) else { return nil }
        let (width, height) = edges(size.extra, in: photo)
        return PhotoVariant(
            name: size.extra, url: url,
            longestEdge: [width, height].compactMap { $0 }.max() ?? size.edge,
            width: width, height: height, isCropped: size.isCropped)
    }

    private static func built(_ size: Size, of photo: LenientJSON) -> PhotoVariant? {
        staticURL(of: photo, secret: photo["secret"], suffix: size.suffix, format: "jpg").map {
            PhotoVariant(
                name: size.extra, url: $0, longestEdge: size.edge, isCropped: size.isCropped)
        }
    }

    private static func original(of photo: LenientJSON) -> PhotoVariant? {
        let url =
            secureURL(photo["url_o"])
            ?? photo["originalformat"].nonEmptyText.flatMap {
                staticURL(of: photo, secret: photo["originalsecret"], suffix: "_o", format: $0)
            }
        return url.map {
            let (width, height) = edges("o", in: photo)
            return PhotoVariant(name: "o", url: $0, width: width, height: height)
        }
    }

    /// The measures a reply gives a size; those of the original may come with `o_dims` as well.
    private static func edges(_ extra: String, in photo: LenientJSON) -> (Int?, Int?) {
        func edge(_ name: String) -> Int? {
            let edge = photo["\(name)_\(extra)"].int ?? photo["\(extra)_\(name)"].int
            return edge.flatMap { $0 > 0 ? $0 : nil }
        }
        return (edge("width"), edge("height"))
    }

    private static func staticURL(
        of photo: LenientJSON, secret: LenientJSON, suffix: String, format: String
    ) -> URL? {
        guard let identifier = photo["id"].nonEmptyText, let secret = secret.nonEmptyText,
            let server = photo["server"].nonEmptyText
        else { return nil }
        let folder = PercentEncoding.pathSegment(server)
        let file = PercentEncoding.pathSegment("\(identifier)_\(secret)\(suffix).\(format)")
        return URL(string: "https://live.staticflickr.com/\(folder)/\(file)")
    }

    /// An address a reply names, with HTTPS in place of the HTTP that replies of old have.
    static func secureURL(_ value: LenientJSON) -> URL? {
        guard var text = value.nonEmptyText else { return nil }
        if text.hasPrefix("http://") { text = "https://" + text.dropFirst("http://".count) }
        guard let url = URL(string: text), url.scheme == "https", url.host() != nil else {
            return nil
        }
        return url
    }
}
