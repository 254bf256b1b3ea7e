import Foundation
public import PlacesKit

/// Writes data for other programs.
public enum JSONOutput {
    /// Writes a value as JSON, for people in several lines.
    public static func write(_ value: some Encodable, inOneLine: Bool = false) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !inOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.dateEncodingStrategy = .iso8601
        // As documents have them; JSON has no numbers for these.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// What scripts learn of a photo.
public struct PhotoOutput: Encodable {
    let identifier: String
    let title: String
    let place: String?
    let region: String?
    let photographer: String?
    let credit: String
    let tags: [String]
    let page: URL?
    let uploaded: Date?
    let viewed: Date?
    let isFavorite: Bool
    let pictureState: String
    let pictureBytes: Int?
    let thumbnailBytes: Int?

    /// Says what there is to say of a photo.
    public init(_ photo: Photo) {
        identifier = photo.uniqueID
        title = photo.title
        place = photo.takenAt?.name
        region = photo.region?.name
        photographer = photo.takenBy?.name
        credit = photo.creditLine
        tags = photo.tagNames
        page = photo.pageURL
        uploaded = photo.dateUploaded
        viewed = photo.lastViewed
        isFavorite = photo.isFavorite
        pictureState = photo.pictureState.rawValue
        pictureBytes = photo.picture?.count
        thumbnailBytes = photo.thumbnail?.count
    }
}

extension PhotoOutput {
    /// Says what there is to say of a photo that a source listed.
    public init(_ photo: PhotoRecord) {
        identifier = photo.identifier
        title = photo.displayTitle
        place = photo.placeNames?.fullName
        region = photo.placeNames?.region
        photographer = photo.owner.name
        credit = photo.creditLine
        tags = photo.tags
        page = photo.pageURL
        uploaded = photo.uploaded
        (viewed, isFavorite, pictureState) = (nil, false, PictureState.unwanted.rawValue)
        (pictureBytes, thumbnailBytes) = (nil, nil)
    }
}

/// What scripts learn of a place.
public struct PlaceOutput: Encodable {
    let identifier: String
    let name: String
    let title: String
    let subtitle: String
    let section: String

    /// Says what there is to say of a place.
    public init(_ place: Place) {
        self.init(place.record)
    }

    /// Says what there is to say of a place that a source named.
    public init(_ place: PlaceRecord) {
        identifier = place.identifier
        name = place.name
        title = place.title
        subtitle = place.subtitle
        section = place.section
    }
}

/// What scripts learn of a region.
public struct RegionOutput: Encodable {
    let name: String
    let photographers: Int
    let photos: Int

    /// Says what there is to say of a region.
    public init(_ region: Region) {
        name = region.name
        photographers = region.photographerCount
        photos = region.photoCount
    }
}

/// What scripts learn of a tag.
public struct TagOutput: Encodable {
    let name: String
    let title: String
    let photos: Int

    /// Says what there is to say of a tag.
    public init(_ tag: PhotoTag) {
        name = tag.name
        title = tag.title
        photos = tag.photoCount
    }
}

/// What scripts learn of a pin.
public struct PinOutput: Encodable {
    let name: String
    let latitude: Double
    let longitude: Double
    let page: Int
    let usablePages: Int?
    let photos: Int
    let state: String

    /// Says what there is to say of a pin.
    public init(_ pin: Pin) {
        name = pin.name
        latitude = pin.latitude
        longitude = pin.longitude
        page = pin.page
        usablePages = pin.usablePages
        photos = pin.photos.count
        state =
            switch pin.albumState {
            case .notSearched: "notSearched"
            case .downloading: "downloading"
            case .ready: "ready"
            case .empty: "empty"
            case .incomplete: "incomplete"
            }
    }
}
