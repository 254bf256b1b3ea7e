public import Foundation
import PlacesGraph
import PlacesPhotos

/// A photo that was listed, viewed or kept.
public final class Photo: ManagedObject {
    /// The identifier that the photo's source gave it.
    @Attribute(.unique) public var uniqueID: String
    /// What a list shows: the title, else the description, else "Unknown".
    @Attribute public var title = ""
    /// The description, without markup.
    @Attribute public var photoDescription = ""
    /// The tags that its source gave it, each in a line, as lists search them: see ``tags``.
    @Attribute package internal(set) var tagLines = ""
    /// Who made the photo and on what terms it may be used.
    @Attribute public var creditLine = ""
    /// The page to link back to.
    @Attribute public var pageURL: URL?
    /// The address of the picture.
    @Attribute package var dataURL: URL?
    /// The address of a small picture for lists.
    @Attribute package var thumbnailURL: URL?
    /// The width of the picture in pixels, if known.
    @Attribute public var pixelWidth: Int?
    /// The height of the picture in pixels, if known.
    @Attribute public var pixelHeight: Int?
    /// Degrees north of the equator, if it is known where the photo was taken.
    @Attribute public var latitude: Double?
    /// Degrees east of Greenwich, if it is known where the photo was taken.
    @Attribute public var longitude: Double?
    /// When the photo was published.
    @Attribute(.indexed) public var dateUploaded: Date?
    /// The day on which it was published, for sections: see ``DaySection``.
    @Attribute package var dateUploadedSection = ""
    /// When the photo was viewed last; `nil` for never.
    @Attribute(.indexed) public internal(set) var lastViewed: Date?
    /// The day on which it was viewed last, for sections: see ``DaySection``.
    @Attribute package internal(set) var lastViewedSection = ""
    /// Whether the photo is a favorite: its picture is kept on disk.
    @Attribute(.indexed) public internal(set) var isFavorite = false
    /// When a fetch of recent photos, or of a place's photos, brought the photo first; `nil` if it came
    /// otherwise.
    @Attribute(.indexed) public internal(set) var fetched: Date?
    /// The small picture, once a list has shown it.
    @Attribute(.externalStorage) public internal(set) var thumbnail: Data?
    /// The picture, while the photo belongs to the album of a pin.
    @Attribute(.externalStorage) public internal(set) var picture: Data?
    /// How far the download of the picture is.
    @Attribute public internal(set) var pictureState = PictureState.unwanted
    /// Where the photo was taken.
    @Relationship(inverse: \Place.photos) public internal(set) var takenAt: Place?
    /// The region of the place where the photo was taken.
    @Relationship(inverse: \Region.photos) public internal(set) var region: Region?
    /// Who took the photo.
    @Relationship(inverse: \Photographer.photos) public internal(set) var takenBy: Photographer?
    /// The pins to whose albums the photo belongs.
    @Relationship(inverse: \Pin.photos) public internal(set) var pins: ObjectSet<Pin>
}

extension Photo {
    /// What a list shows below the title: the description, if there is a title besides.
    public var subtitle: String { title == photoDescription ? "" : photoDescription }

    /// How far the picture in an album is, or who took it once it is there.
    public var pictureSubtitle: String {
        switch pictureState {
        case .unwanted, .waiting: "waiting"
        case .loading: "loading"
        case .retrying: "trying again"
        case .failed: "failed"
        case .ready: takenBy?.name ?? ""
        }
    }

    /// The tags that its source gave it, in the source's order.
    public var tags: [String] { tagLines.split(separator: "\n").map(String.init) }

    /// Where the photo was taken, if that is known.
    public var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// How the photo lies on a screen at first: as much of it as possible without unused space.
    public func framing(on screen: CGSize) -> PhotoFraming {
        PhotoFraming(
            photo: CGSize(width: pixelWidth ?? 0, height: pixelHeight ?? 0), screen: screen)
    }

    /// Asks for the picture.
    var pictureRequest: ImageRequest { request(dataURL, "picture") }

    /// Asks for the small picture, else the large one.
    var thumbnailRequest: ImageRequest { request(thumbnailURL ?? dataURL, "thumbnail") }

    private func request(_ url: URL?, _ name: String) -> ImageRequest {
        ImageRequest(
            photo: uniqueID, ladder: url.map { [PhotoVariant(name: name, url: $0)] } ?? [])
    }

    /// Whether somebody would miss the photo if the album that is losing it were its last.
    var isKeptBesidesAlbums: Bool { isFavorite || lastViewed != nil || fetched != nil }

    /// Puts the photo into a place, and so into the place's region.
    func move(to place: Place?) {
        takenAt = place
        region = place?.region
    }

    /// Takes over what a source says of the photo.
    func update(from record: PhotoRecord, in calendar: Calendar) {
        title = record.displayTitle
        photoDescription = record.plainCaption
        tagLines = record.tags.joined(separator: "\n")
        creditLine = record.creditLine
        pageURL = record.pageURL
        let variant = record.variant(atLeast: 1_024)
        dataURL = variant?.url
        pixelWidth = variant?.width
        pixelHeight = variant?.height
        thumbnailURL = record.variant(atLeast: 150, allowsCropping: true)?.url
        latitude = record.coordinate?.latitude
        longitude = record.coordinate?.longitude
        dateUploaded = record.uploaded
        dateUploadedSection = DaySection.key(of: record.uploaded, in: calendar)
    }
}
