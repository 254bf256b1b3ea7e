public import Foundation

/// A photo as a photo source describes it.
public struct PhotoRecord: Sendable, Codable, Hashable {
    /// The identifier, unique within its source.
    public var identifier: String
    /// The title as published; often empty.
    public var title: String
    /// The description as published, possibly HTML; often empty.
    public var caption: String
    /// Who published the photo.
    public var owner: PhotoOwner
    /// When the photo was published.
    public var uploaded: Date?
    /// When the photo was taken, by the photographer's clock.
    public var taken: LocalDate?
    /// The instant at which the photo was taken, if the time zone of the camera's clock is known.
    public var takenInstant: Date?
    /// Where the photo was taken; nil says that the source has no position of it.
    public var coordinate: Coordinate?
    /// The identifier of the place within its source, to use in a `PlaceRecord`.
    public var placeIdentifier: String?
    /// The names of the place, if the source returned them with the photo.
    public var placeNames: PlaceNames?
    /// The terms of use, if the source gives them.
    public var license: PhotoLicense?
    /// The page to link to, which becomes a `URL` on request.
    var page: LazyURL?
    /// The words that credit the photographer and name the license.
    public var creditLine: String
    /// The sizes that the photo can be fetched in, smallest first; the last may be the original.
    public var variants: [PhotoVariant]
    /// The tags, in the source's order.
    public var tags: [String]

    /// Creates a photo.
    ///
    /// Without `creditLine`, the credit line is made from the owner and the license.
    public init(
        identifier: String, title: String = "", caption: String = "",
        owner: PhotoOwner = PhotoOwner(identifier: ""), uploaded: Date? = nil,
        taken: LocalDate? = nil, takenInstant: Date? = nil, coordinate: Coordinate? = nil,
        placeIdentifier: String? = nil,
        placeNames: PlaceNames? = nil, license: PhotoLicense? = nil, pageURL: URL? = nil,
        creditLine: String? = nil, variants: [PhotoVariant] = [], tags: [String] = []
    ) {
        self.identifier = identifier
        self.title = title
        self.caption = caption
        self.owner = owner
        self.uploaded = uploaded
        self.taken = taken
        self.takenInstant = takenInstant
        self.coordinate = coordinate
        self.placeIdentifier = placeIdentifier
        self.placeNames = placeNames
        self.license = license
        page = pageURL.map(LazyURL.init)
        self.creditLine = creditLine ?? Self.credit(owner: owner, license: license)
        self.variants = variants
        self.tags = tags
    }

    /// The page to link to.
    public var pageURL: URL? {
        get { page?.url }
        set { page = newValue.map(LazyURL.init) }
    }

    private enum CodingKeys: String, CodingKey {
        case identifier, title, caption, owner, uploaded, taken, takenInstant, coordinate
        case placeIdentifier, placeNames, license, page = "pageURL", creditLine, variants, tags
    }

    private static func credit(owner: PhotoOwner, license: PhotoLicense?) -> String {
        let name = owner.name.isEmpty ? owner.identifier : owner.name
        guard let license, !license.name.isEmpty else { return name }
        guard !name.isEmpty else { return license.name }
        var line = name
        line.reserveCapacity(name.utf8.count + 2 + license.name.utf8.count)
        line += ", "
        line += license.name
        return line
    }
}
