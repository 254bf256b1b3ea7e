public import Foundation
import PlacesGraph
import PlacesPhotos

/// A photo that the user listed, viewed or kept.
public final class Photo: ManagedObject {
    /// The identifier that the photo's source gave it.
    @Attribute(.unique) public var uniqueID: String
    /// What a list shows: the title, else the description, else "Unknown".
    @Attribute public var title = ""
    /// The letter under which the title is found, in upper case, else "#", for sections.
    @Derived(from: \Photo.title, by: Alphabet.letter) package var titleSection: String
    /// The place of the title in the alphabet.
    @Derived(from: \Photo.title, by: Alphabet.key) package var titleKey: String
    /// The description, without markup.
    @Attribute public var photoDescription = ""
    /// The tags that its source gave it, one a line, for searching lists: see ``tagNames``.
    @Attribute package internal(set) var tagLines = ""
    /// How many tags it has when all are linked; -1 until they are.
    @Attribute package internal(set) var tagCount = -1
    /// Who made the photo, and the terms under which it may be used.
    @Attribute public var creditLine = ""
    /// The page to link to.
    @Attribute public var pageURL: URL?
    /// The address of the picture.
    @Attribute package var dataURL: URL?
    /// The address of a small picture for lists.
    @Attribute package var thumbnailURL: URL?
    /// The width of the picture in pixels, if known.
    @Attribute public var pixelWidth: Int?
    /// The height of the picture in pixels, if known.
    @Attribute public var pixelHeight: Int?
    /// Degrees north of the equator, if the position of the photo is known.
    @Attribute public var latitude: Double?
    /// Degrees east of Greenwich, if the position of the photo is known.
    @Attribute public var longitude: Double?
    /// When the photo was published.
    @Attribute(.indexed) public var dateUploaded: Date?
    /// The day on which it was published, for sections: see ``DaySection``.
    @Attribute package var dateUploadedSection = ""
    /// When the user last viewed the photo; `nil` for never.
    @Attribute(.indexed) public internal(set) var lastViewed: Date?
    /// The day on which the user last viewed it, for sections: see ``DaySection``.
    @Attribute package internal(set) var lastViewedSection = ""
    /// Whether the photo is a favorite: its picture is kept on disk.
    @Attribute(.indexed) public internal(set) var isFavorite = false
    /// When the photo first came with recent photos or the photos of a place, or ``PlacesLibrary/prune(olderThan:)`` first
    /// found that nothing keeps it; otherwise `nil`.
    @Attribute(.indexed) public internal(set) var fetched: Date?
    /// The small picture, once a list has shown it.
    @Attribute(.externalStorage) public internal(set) var thumbnail: Data?
    /// The picture, while the photo belongs to the album of a pin.
    @Attribute(.externalStorage) public internal(set) var picture: Data?
    /// The state of the picture's download.
    @Attribute public internal(set) var pictureState = PictureState.unwanted
    /// Whether an album with the photo is to download the picture still.
    @Derived(from: \Photo.pictureState, by: { $0 != .ready && $0 != .failed })
    package var lacksPicture: Bool
    /// Whether the picture could not be fetched.
    @Derived(from: \Photo.pictureState, by: { $0 == .failed }) package var hasFailed: Bool
    /// Where the photo was taken.
    @Relationship(inverse: \Place.photos) public internal(set) var takenAt: Place?
    /// The region of the place where the photo was taken.
    @Relationship(inverse: \Region.photos) public internal(set) var region: Region?
    /// Who took the photo.
    @Relationship(inverse: \Photographer.photos) public internal(set) var takenBy: Photographer?
    /// The pins to whose albums the photo belongs.
    @Relationship(inverse: \Pin.photos) public internal(set) var pins: ObjectSet<Pin>
    /// The tags of the photo, among them the one that all photos have.
    @Relationship(inverse: \PhotoTag.photos) public internal(set) var tags: ObjectSet<PhotoTag>

    /// The index by which the photos of a part of the map are found.
    public override class var constraints: [EntityConstraint] {
        [.spatialIndex(latitude: \Photo.latitude, longitude: \Photo.longitude)]
    }

    /// The text that a list shows below the title: the description, unless it is the title.
    public var subtitle: String { title == photoDescription ? "" : photoDescription }

    /// The state of the picture in an album; once it has been downloaded, who took the photo.
    var pictureSubtitle: String {
        switch pictureState {
        case .unwanted, .waiting: "waiting"
        case .loading: "loading"
        case .retrying: "trying again"
        case .failed: "failed"
        case .ready: takenBy?.name ?? ""
        }
    }

    /// The tags that its source gave it, as the source spells them and in its order.
    public var tagNames: [String] { tagLines.split(separator: "\n").map(String.init) }

    /// Where the photo was taken, if that is known.
    public var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// The framing when a screen first shows the photo: it covers the screen.
    public func framing(on screen: CGSize) -> PhotoFraming {
        PhotoFraming(
            photo: CGSize(width: pixelWidth ?? 0, height: pixelHeight ?? 0), screen: screen)
    }

    /// The request for the picture.
    var pictureRequest: ImageRequest { Self.request(uniqueID, dataURL, "picture") }

    /// The request for the picture by the address that a record tells.
    static func pictureRequest(of record: PhotoRecord) -> ImageRequest {
        request(record.identifier, record.variant(atLeast: pictureEdge)?.url, "picture")
    }

    /// The request for the small picture, else for the large one.
    var thumbnailRequest: ImageRequest {
        Self.request(uniqueID, thumbnailURL ?? dataURL, "thumbnail")
    }

    /// The request for the small picture, else for the large one, by the address that a record tells.
    static func thumbnailRequest(of record: PhotoRecord) -> ImageRequest {
        let variant =
            record.variant(atLeast: thumbnailEdge, allowsCropping: true)
            ?? record.variant(atLeast: pictureEdge)
        return request(record.identifier, variant?.url, "thumbnail")
    }

    private static func request(_ photo: String, _ url: URL?, _ name: String) -> ImageRequest {
        ImageRequest(photo: photo, ladder: url.map { [PhotoVariant(name: name, url: $0)] } ?? [])
    }

    /// The wanted length of the picture's longest edge, in pixels.
    private static let pictureEdge = 1_024
    private static let thumbnailEdge = 150

    /// Whether the photo is kept even if it belongs to no album.
    var isKeptBesidesAlbums: Bool { isFavorite || lastViewed != nil || fetched != nil }

    /// Moves the photo to a place, and so to the place's region; it stays in its region until that is known.
    func move(to place: Place) {
        if takenAt !== place, coordinate != nil { place.reconsiderRegion() }
        takenAt = place
        takeRegionOfPlace()
    }

    /// Moves the photo to the region of the place that it is in, if that is known.
    func takeRegionOfPlace() {
        guard let place = takenAt, place.isRegionKnown || place.region != nil,
            region !== place.region
        else { return }
        region = place.region
    }

    /// Ends what the photo has because it belonged to an album, if it belongs to none any more: its picture, or the
    /// whole photo unless something else keeps it.
    func endAlbums() {
        guard pins.isEmpty else { return }
        if isKeptBesidesAlbums {
            picture = nil
            pictureState = .unwanted
        } else {
            context?.delete(self)
        }
    }

    /// Takes the values of a source's record of the photo.
    func update(from record: PhotoRecord, in calendar: Calendar) {
        title = record.displayTitle
        photoDescription = record.plainCaption
        let lines = record.tags.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
            .joined(separator: "\n")
        if lines != tagLines { (tagLines, tagCount) = (lines, -1) }
        creditLine = record.creditLine
        pageURL = record.pageURL
        takeAddresses(of: record)
        // Its owner may have taken the position away, and does not want it to be known.
        latitude = record.coordinate?.latitude
        longitude = record.coordinate?.longitude
        // A reply that lacks a date says nothing against the one that is known.
        dateUploaded = record.uploaded ?? dateUploaded
        dateUploadedSection = DaySection.key(of: dateUploaded, in: calendar)
    }

    /// Takes the pictures' addresses from a source's record of the photo.
    func takeAddresses(of record: PhotoRecord) {
        // A reply that lacks one says nothing against the one that is known.
        if let variant = record.variant(atLeast: Self.pictureEdge) {
            dataURL = variant.url
            pixelWidth = variant.width
            pixelHeight = variant.height
        }
        if let variant = record.variant(atLeast: Self.thumbnailEdge, allowsCropping: true) {
            thumbnailURL = variant.url
        }
    }
}
