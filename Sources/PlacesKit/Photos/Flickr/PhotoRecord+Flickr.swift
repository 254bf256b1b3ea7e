import Foundation

extension PhotoRecord {
    /// Reads a photo of a list or of `flickr.photos.getInfo`; nil if it has no id.
    init?(flickr photo: LenientJSON) {
        guard let identifier = photo["id"].nonEmptyText else { return nil }
        let dates = photo["dates"]
        let owner = PhotoOwner(flickr: photo)
        let hasLocation = photo["location"].isObject
        let location = hasLocation ? photo["location"] : photo
        self.init(
            identifier: identifier,
            title: photo["title"].text ?? "",
            caption: photo["description"].text ?? "",
            owner: owner,
            uploaded: FlickrDates.upload(photo["dateupload"])
                ?? FlickrDates.upload(dates["posted"]),
            taken: dates.isObject
                ? FlickrDates.taken(
                    dates["taken"], granularity: dates["takengranularity"],
                    isUnknown: dates["takenunknown"])
                : FlickrDates.taken(
                    photo["datetaken"], granularity: photo["datetakengranularity"],
                    isUnknown: photo["datetakenunknown"]),
            coordinate: Coordinate(flickr: location),
            placeIdentifier: FlickrPlaceKey(location)?.identifier,
            placeNames: hasLocation ? PlaceNames(flickr: location) : nil,
            license: photo["license"].nonEmptyText.map(PhotoLicense.flickr),
            variants: FlickrVariants.variants(of: photo),
            tags: Self.tags(photo["tags"]))
        page = Self.page(of: photo, owner: owner).map(LazyURL.init)
    }

    private static func page(of photo: LenientJSON, owner: PhotoOwner) -> HTTPAddress? {
        let urls = photo["urls"]
        if urls.isObject,
            let page = urls["url"].elements.first(where: { $0["type"].text == "photopage" }),
            let address = page.nonEmptyText.flatMap(HTTPAddress.init)
        {
            return address
        }
        guard let identifier = photo["id"].nonEmptyText, !owner.identifier.isEmpty else {
            return nil
        }
        let person = PercentEncoding.pathSegment(
            photo["pathalias"].nonEmptyText ?? owner.identifier)
        let name = PercentEncoding.pathSegment(identifier)
        return HTTPAddress("https://www.flickr.com/photos/\(person)/\(name)/")
    }

    private static func tags(_ value: LenientJSON) -> [String] {
        if value.isObject { return value["tag"].elements.compactMap(\.nonEmptyText) }
        var text = value.text ?? ""
        return text.withUTF8 { bytes in
            var tags: [String] = []
            var rest = bytes[...]
            while let start = rest.firstIndex(where: { $0 != space }) {
                let end = rest[start...].firstIndex(of: space) ?? rest.endIndex
                tags.append(String(decoding: rest[start..<end], as: UTF8.self))
                rest = rest[end...]
            }
            return tags
        }
    }

    private static let space = UInt8(ascii: " ")
}

extension PhotoOwner {
    /// Reads the owner of a photo, whose values lists put among the photo's own.
    fileprivate init(flickr photo: LenientJSON) {
        let owner = photo["owner"]
        let names =
            owner.isObject
            ? [owner["username"], owner["realname"]]
            : [photo["ownername"], photo["username"], photo["realname"]]
        self.init(
            identifier: (owner.isObject ? owner["nsid"] : owner).nonEmptyText ?? "",
            name: names.compactMap(\.nonEmptyText).first ?? "")
    }
}

extension Coordinate {
    /// Reads a location; nil if there is none, which Flickr also writes as accuracy 0 or as 0, 0.
    init?(flickr location: LenientJSON) {
        guard location["accuracy"].int != 0 else { return nil }
        self.init(measured: location["latitude"].double, location["longitude"].double)
    }
}

extension PlaceNames {
    /// Reads the names in a location; nil if there are none.
    ///
    /// A photo outside of any town has the name of the neighbourhood or county instead.
    init?(flickr location: LenientJSON) {
        self.init(
            locality: location["locality"].nonEmptyText ?? location["neighbourhood"].nonEmptyText
                ?? location["county"].nonEmptyText,
            region: location["region"].nonEmptyText,
            country: location["country"].nonEmptyText)
        guard !fullName.isEmpty else { return nil }
    }
}
