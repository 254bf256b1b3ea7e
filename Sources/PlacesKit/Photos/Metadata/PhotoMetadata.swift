public import Foundation

/// What a JPEG file says of itself: when and where it was taken, which way is up, what it shows.
///
/// EXIF is read first, and XMP where EXIF has nothing; the date of the shot counts before all others,
/// whichever has it. Words that cameras write in every file count as none. A damaged file gives what can be
/// read of it; nothing that it holds makes reading fail or take long.
///
/// ```swift
/// if let metadata = PhotoMetadata(jpeg: try Data(contentsOf: url)) {
///     print(metadata.taken?.description ?? "no date", metadata.coordinate as Any)
/// }
/// ```
public struct PhotoMetadata: Sendable, Hashable {
    /// When the photo was taken, by the photographer's clock.
    public var taken: LocalDate?
    /// The nanoseconds that passed since the second of `taken`, if the camera noted them.
    public var nanosecond: Int?
    /// How many seconds the photographer's clock was ahead of Greenwich, if the camera noted it.
    public var secondsFromGMT: Int?
    /// Where the photo was taken.
    public var coordinate: Coordinate?
    /// How the pixels have to be turned to stand upright.
    package var orientation = PhotoOrientation.up
    /// How the pixels have to be turned to stand upright, as EXIF numbers it: 1 where they do.
    public var exifOrientation: Int { orientation.rawValue }
    /// The width of the picture as stored, in pixels.
    public var width: Int?
    /// The height of the picture as stored, in pixels.
    public var height: Int?
    /// The title; often empty.
    public var title = ""
    /// The description; often empty.
    public var caption = ""
    /// Who took the photo; often empty.
    public var artist = ""
    /// Who owns the rights to it, and which; often empty.
    public var copyright = ""
    /// The keywords, in their order.
    public var keywords: [String] = []
    /// What the place is called.
    public var placeNames: PlaceNames?
    /// The bytes of the file that hold a small picture of the photo, itself a JPEG file.
    public var thumbnail: Range<Int>?
    /// Where larger pictures of the photo lie in the file, as that says; they may not be there.
    package var previews: [Range<Int>] = []

    /// Metadata that says nothing.
    init() {}

    /// Reads the metadata of a JPEG file, of which the first part is enough; nil if it is not JPEG at all.
    ///
    /// - Complexity: O(n) in the length of what precedes the pixels.
    public init?(jpeg file: Data) {
        self.init(jpeg: [UInt8](file))
    }

    /// Reads the metadata of a JPEG file, of which the first part is enough; nil if it is not JPEG at all.
    init?(jpeg file: [UInt8]) {
        guard let segments = JPEGSegments(file) else { return nil }
        self.init()
        var dates = CaptureDates()
        for segment in segments {
            switch segment.content {
            case .exif(let start):
                guard let reader = TIFFReader(file[start..<segment.end]) else { continue }
                fill(fromEXIF: reader, dates: &dates)
            case .xmp(let start):
                fill(fromXMP: XMPProperties(file[start..<segment.end]), dates: &dates)
            case .multiPicture(let start):
                guard let reader = TIFFReader(file[start..<segment.end]) else { continue }
                fill(fromMultiPicture: reader)
            case .frame(let width, let height):
                self.width = width
                self.height = height
            }
        }
        if let time = dates.best {
            (taken, nanosecond, secondsFromGMT) = (time.date, time.nanosecond, time.secondsFromGMT)
        }
    }

    /// The instant the photo was taken, if the zone of the photographer's clock is known.
    public var takenInstant: Date? {
        guard let secondsFromGMT else { return nil }
        return taken?.instant(secondsFromGMT: secondsFromGMT)?
            .addingTimeInterval(Double(nanosecond ?? 0) / 1e9)
    }

    /// The size of the upright picture, in pixels.
    public var uprightSize: CGSize? {
        guard let width, let height else { return nil }
        return orientation.uprightSize(of: CGSize(width: width, height: height))
    }
}
