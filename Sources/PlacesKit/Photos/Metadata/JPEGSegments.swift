/// The segments of a JPEG file that precede its pixels and describe them.
///
/// The sequence ends at a wrong length, as in a file that was cut off. A few bytes between segments
/// that belong to none are skipped.
struct JPEGSegments: Sequence, IteratorProtocol {
    struct Segment {
        enum Content {
            /// A TIFF structure that begins here.
            case exif(Int)
            /// An XMP packet that begins here.
            case xmp(Int)
            /// A TIFF structure that begins here and says where the file's other pictures lie.
            case multiPicture(Int)
            /// The size of the picture.
            case frame(width: Int, height: Int)
        }

        let content: Content
        let end: Int
    }

    /// How many bytes between two segments may belong to none; more could be a part of anything.
    private static let longestJunk = 64

    private static let exifHeader = Array("Exif\0".utf8)
    private static let xmpHeader = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    private static let multiPictureHeader = Array("MPF\0".utf8)

    private let file: [UInt8]
    private var position = 2
    /// Whether the file ends before its pixels, and no damage before that ended the sequence.
    private(set) var isCutOff = false

    /// The segments of a file; nil if it does not begin like JPEG.
    init?(_ file: [UInt8]) {
        guard file.starts(with: [0xFF, 0xD8]) else { return nil }
        self.file = file
    }

    mutating func next() -> Segment? {
        while let (marker, start, end) = nextMarker() {
            position = end
            if let content = content(marker, start, end) {
                return Segment(content: content, end: end)
            }
        }
        return nil
    }

    /// The next marker and the range of its content, as far as the file has it.
    private mutating func nextMarker() -> (marker: UInt8, start: Int, end: Int)? {
        var junk = 0
        while position + 1 < file.count {
            let marker = file[position + 1]
            guard file[position] == 0xFF, marker != 0 else {
                junk += 1
                position += 1
                guard junk <= Self.longestJunk else { return nil }
                continue
            }
            switch marker {
            case 0xFF: position += 1
            case 0x01, 0xD0...0xD8: position += 2
            case 0xD9, 0xDA: return nil
            default:
                guard position + 3 < file.count else {
                    isCutOff = true
                    return nil
                }
                let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
                guard length >= 2 else { return nil }
                return (marker, position + 4, Swift.min(position + 2 + length, file.count))
            }
        }
        isCutOff = true
        return nil
    }

    private func content(_ marker: UInt8, _ start: Int, _ end: Int) -> Segment.Content? {
        switch marker {
        case 0xE1:
            let bytes = file[start..<end]
            if bytes.starts(with: Self.exifHeader) {
                return .exif(Swift.min(start + Self.exifHeader.count + 1, end))
            }
            return bytes.starts(with: Self.xmpHeader) ? .xmp(start + Self.xmpHeader.count) : nil
        case 0xE2:
            guard file[start..<end].starts(with: Self.multiPictureHeader) else { return nil }
            return .multiPicture(start + Self.multiPictureHeader.count)
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            guard end - start >= 5 else { return nil }
            let height = Int(file[start + 1]) << 8 | Int(file[start + 2])
            let width = Int(file[start + 3]) << 8 | Int(file[start + 4])
            return width > 0 && height > 0 ? .frame(width: width, height: height) : nil
        default: return nil
        }
    }
}
