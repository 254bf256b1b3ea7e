public import Foundation

/// A photo that was shown or kept.
public final class Photo: ManagedObject {
    /// The identifier that the photo's source gave it.
    @Attribute(.unique) public var uniqueID: String
    /// What a list shows: the title, else the description, else "Unknown".
    @Attribute public var title = ""
    /// The description, without markup.
    @Attribute public var photoDescription = ""
    /// Who made the photo and on what terms it may be used.
    @Attribute public var creditLine = ""
    /// The page to link back to.
    @Attribute public var pageURL: URL?
    /// The address of the picture.
    @Attribute public var dataURL: URL?
    /// When the photo was published.
    @Attribute public var dateUploaded: Date?
    /// When the photo was viewed last; `nil` for never.
    @Attribute public var lastViewed: Date?
    /// Where the photo was taken.
    @Relationship(inverse: \Place.photos) public var takenAt: Place?
    /// Who took the photo.
    @Relationship(inverse: \Photographer.photos) public var takenBy: Photographer?
}

extension Photo {
    /// Takes over what a source says of the photo.
    func update(from record: PhotoRecord) {
        title = record.displayTitle
        photoDescription = record.plainCaption
        creditLine = record.creditLine
        pageURL = record.pageURL
        dataURL = record.variant(atLeast: 1_024)?.url
        dateUploaded = record.uploaded
    }
}
