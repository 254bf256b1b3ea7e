import Foundation

/// The sizes of a Flickr photo and their addresses.
///
/// The rules are those of https://www.flickr.com/services/api/misc.urls.html
enum FlickrVariants {
    /// A size; its letter in the `extras` differs from the one in its address.
    ///
    /// Extra `m` has no letter in the address, and extra `s` is `m` there.
    private struct Size {
        let extra: StaticString
        let url: StaticString
        let width: StaticString
        let height: StaticString
        let suffix: StaticString
        let edge: Int
        let kind: Kind

        init(
            _ extra: StaticString, _ url: StaticString, _ width: StaticString,
            _ height: StaticString, _ suffix: StaticString, _ edge: Int, _ kind: Kind
        ) {
            (self.extra, self.url, self.width, self.height) = (extra, url, width, height)
            (self.suffix, self.edge, self.kind) = (suffix, edge, kind)
        }

        var isCropped: Bool { kind == .square }
    }

    private enum Kind {
        /// Cropped, and otherwise as usual.
        case square
        /// Nearly every photo has this size, under the secret that lists contain.
        case usual
        /// Many photos lack this size, or have it under another secret.
        case large
    }

    private static let sizes = [
        Size("sq", "url_sq", "width_sq", "height_sq", "_s", 75, .square),
        Size("t", "url_t", "width_t", "height_t", "_t", 100, .usual),
        Size("q", "url_q", "width_q", "height_q", "_q", 150, .square),
        Size("s", "url_s", "width_s", "height_s", "_m", 240, .usual),
        Size("n", "url_n", "width_n", "height_n", "_n", 320, .usual),
        Size("m", "url_m", "width_m", "height_m", "", 500, .usual),
        Size("z", "url_z", "width_z", "height_z", "_z", 640, .large),
        Size("c", "url_c", "width_c", "height_c", "_c", 800, .large),
        Size("l", "url_l", "width_l", "height_l", "_b", 1024, .usual),
        Size("h", "url_h", "width_h", "height_h", "_h", 1600, .large),
        Size("k", "url_k", "width_k", "height_k", "_k", 2048, .large),
    ]

    /// The extras that make a reply contain all its sizes.
    static let extras = sizes.map { "url_\($0.extra)" } + ["url_o"]

    /// The sizes in a reply, and the original if available.
    ///
    /// Asked for its sizes, Flickr lists all that a photo has: a size that is not listed does not
    /// exist, and at its address there is a placeholder. Only where it lists none, as it was not
    /// asked, do the usual ones count as there.
    static func variants(of photo: LenientJSON) -> [PhotoVariant] {
        var addresses = SharedAddresses()
        var variants: [PhotoVariant] = []
        variants.reserveCapacity(sizes.count + 1)
        for size in sizes {
            if let listed = listed(size, in: photo, &addresses) { variants.append(listed) }
        }
        if variants.isEmpty, let base = StaticBase(photo, secret: photo["secret"]) {
            variants = sizes.compactMap { built($0, on: base) }
        }
        if let original = original(of: photo) { variants.append(original) }
        return variants
    }

    /// The sizes in a reply of `flickr.photos.getSizes`, which lists all; videos are left out.
    static func variants(inSizes sizes: LenientJSON) -> [PhotoVariant] {
        let variants = sizes["size"].elements.compactMap { element -> PhotoVariant? in
            guard let label = element["label"].nonEmptyText, element["media"].text != "video",
                let address = element["source"].nonEmptyText.flatMap(HTTPAddress.init)
            else { return nil }
            return PhotoVariant(
                name: names[label] ?? label, address: LazyURL(address),
                width: positive(element["width"]), height: positive(element["height"]),
                isCropped: label.contains("Square"))
        }
        return variants.filter { $0.name != "o" }
            .sorted { ($0.longestEdge ?? .max) < ($1.longestEdge ?? .max) }
            + variants.filter { $0.name == "o" }
    }

    /// The names among the extras for the labels of `getSizes`.
    private static let names = [
        "Square": "sq", "Large Square": "q", "Thumbnail": "t", "Small": "s", "Small 320": "n",
        "Small 400": "w", "Medium": "m", "Medium 640": "z", "Medium 800": "c", "Large": "l",
        "Large 1600": "h", "Large 2048": "k", "X-Large 3K": "3k", "X-Large 4K": "4k",
        "X-Large 5K": "5k", "X-Large 6K": "6k", "Original": "o",
    ]

    private static func listed(
        _ size: Size, in photo: LenientJSON, _ addresses: inout SharedAddresses
    ) -> PhotoVariant? {
        guard let address = addresses.address(photo[size.url]) else { return nil }
        let width = positive(photo[size.width])
        let height = positive(photo[size.height])
        let isMeasured = width != nil || height != nil
        return PhotoVariant(
            name: size.extra.description, address: LazyURL(address),
            longestEdge: isMeasured ? nil : size.edge, width: width, height: height,
            isCropped: size.isCropped)
    }

    private static func built(_ size: Size, on base: StaticBase) -> PhotoVariant? {
        guard size.kind != .large,
            let address = base.address(suffix: "\(size.suffix)", format: "jpg")
        else { return nil }
        return PhotoVariant(
            name: size.extra.description, address: LazyURL(address), longestEdge: size.edge,
            isCropped: size.isCropped)
    }

    private static func original(of photo: LenientJSON) -> PhotoVariant? {
        let address =
            photo["url_o"].nonEmptyText.flatMap(HTTPAddress.init)
            ?? photo["originalformat"].nonEmptyText.flatMap { format in
                StaticBase(photo, secret: photo["originalsecret"])?
                    .address(suffix: "_o", format: format)
            }
        return address.map {
            PhotoVariant(
                name: "o", address: LazyURL($0),
                width: positive(photo["width_o"]) ?? positive(photo["o_width"]),
                height: positive(photo["height_o"]) ?? positive(photo["o_height"]))
        }
    }

    private static func positive(_ value: LenientJSON) -> Int? {
        value.int.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Reads addresses that differ only after the last underscore, as those with one secret do.
    private struct SharedAddresses {
        private var beginning: LenientJSON.Beginning?
        private var shared: HTTPAddress?

        mutating func address(_ value: LenientJSON) -> HTTPAddress? {
            if beginning == nil, let (beginning, text) = value.beginning(before: UInt8(ascii: "_"))
            {
                self.beginning = beginning
                shared = HTTPAddress(text)
            }
            if let beginning, let rest = value.rest(after: beginning),
                let address = shared?.appending(rest)
            {
                return address
            }
            return value.nonEmptyText.flatMap(HTTPAddress.init)
        }
    }

    /// The common part of the addresses of a photo's sizes that have the same secret.
    private struct StaticBase {
        private let prefix: String

        init?(_ photo: LenientJSON, secret: LenientJSON) {
            guard let identifier = photo["id"].nonEmptyText, let secret = secret.nonEmptyText,
                let server = photo["server"].nonEmptyText
            else { return nil }
            let folder = PercentEncoding.pathSegment(server)
            let file = PercentEncoding.pathSegment("\(identifier)_\(secret)")
            prefix = "https://live.staticflickr.com/\(folder)/\(file)"
        }

        func address(suffix: String, format: String) -> HTTPAddress? {
            HTTPAddress("\(prefix)\(suffix).\(PercentEncoding.pathSegment(format))")
        }
    }
}
