public import Foundation

/// What a JPEG file says about its photo: when and where it was taken, its orientation, its texts.
///
/// PhotoMetadata reads EXIF first, and XMP for what EXIF lacks. The date of the shot counts before
/// all other dates, whichever of the two has it. Words that cameras write into every file are
/// ignored. From a damaged file it takes what it can read; no content makes reading fail or take
/// long.
///
/// ```swift
/// if let metadata = PhotoMetadata(jpeg: try Data(contentsOf: url)) {
///     print(metadata.taken?.description ?? "no date", metadata.coordinate as Any)
/// }
/// ```
public struct PhotoMetadata: Sendable, Hashable {
    /// When the photo was taken, by the photographer's clock.
    public var taken: LocalDate?
    /// The nanoseconds after the second of `taken`, if the camera recorded them.
    public var nanosecond: Int?
    /// How many seconds the photographer's clock was ahead of Greenwich, if the camera recorded it.
    public var secondsFromGMT: Int?
    /// Where the photo was taken.
    public var coordinate: Coordinate?
    /// How the pixels have to be turned to stand upright.
    package var orientation = PhotoOrientation.up
    /// How the pixels have to be turned to stand upright, as EXIF numbers it: 1 for not at all.
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
    /// Who owns the rights to the photo, and which rights; often empty.
    public var copyright = ""
    /// The keywords, in their order.
    public var keywords: [String] = []
    /// The names of the place.
    public var placeNames: PlaceNames?
    /// The bytes of the file that hold a small picture of the photo, itself a JPEG file.
    public var thumbnail: Range<Int>?
    /// The ranges of larger pictures in the file, as the file gives them; it may end before them.
    package var previews: [Range<Int>] = []

    /// Creates empty metadata.
    init() {}

    /// Reads the metadata of a JPEG file, whose first part suffices; nil if the file is not JPEG.
    ///
    /// - Complexity: O(n) in the length of what precedes the pixels.
    public init?(jpeg file: Data) {
        self.init(jpeg: [UInt8](file))
    }

    /// Reads the metadata of a JPEG file, whose first part suffices; nil if the file is not JPEG.
    init?(jpeg file: [UInt8]) {
        guard let segments = JPEGSegments(file) else { return nil }
        self.init()
        var dates = CaptureDates()
        var orientation: PhotoOrientation?
        var packets: [XMPProperties] = []
        var exif: [[ArraySlice<UInt8>]] = []
        var pictureIndexes: [TIFFReader] = []
        for segment in segments {
            switch segment.content {
            case .exif(let start):
                let part = file[start..<segment.end]
                // EXIF that is too long for one segment goes on in the next, without its own header.
                if TIFFReader(part) != nil {
                    exif.append([part])
                } else if let last = exif.indices.last {
                    exif[last].append(part)
                }
            case .xmp(let start): packets.append(XMPProperties(file[start..<segment.end]))
            case .multiPicture(let start):
                guard let reader = TIFFReader(file[start..<segment.end]) else { continue }
                pictureIndexes.append(reader)
            case .frame(let width, let height):
                self.width = width
                self.height = height
            }
        }
        // EXIF counts first, wherever it stands.
        for parts in exif { fill(fromEXIF: parts, dates: &dates, orientation: &orientation) }
        for index in pictureIndexes { fill(fromMultiPicture: index) }
        for packet in packets { fill(fromXMP: packet, dates: &dates, orientation: &orientation) }
        self.orientation = orientation ?? .up
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
