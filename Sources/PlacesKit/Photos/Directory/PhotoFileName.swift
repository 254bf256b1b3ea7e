/// What the name of a file says of it.
enum PhotoFileName {
    /// A picture that is read.
    case photo
    /// A picture in another format, of this name.
    case otherFormat(String)
    /// A name without an ending.
    case plain
    /// No picture.
    case other

    private static let formats: [String: String] = {
        let raw = "The raw data of a camera"
        var formats = [
            "heic": "HEIC", "heif": "HEIC", "hif": "HEIC", "avif": "AVIF", "png": "PNG",
            "apng": "PNG", "gif": "GIF", "tif": "TIFF", "tiff": "TIFF", "webp": "WebP",
            "bmp": "BMP", "jxl": "JPEG XL", "jp2": "JPEG 2000", "j2k": "JPEG 2000",
            "psd": "Photoshop's format",
        ]
        for ending in [
            "3fr", "arw", "cr2", "cr3", "crw", "dng", "erf", "iiq", "mrw", "nef", "nrw", "orf",
            "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
        ] {
            formats[ending] = raw
        }
        return formats
    }()

    /// Whether a name that cannot be read may be that of a picture.
    var mayBePicture: Bool {
        switch self {
        case .photo, .otherFormat, .plain: true
        case .other: false
        }
    }

    init(_ name: String) {
        guard let point = name.lastIndex(of: ".") else {
            self = .plain
            return
        }
        switch name[name.index(after: point)...].lowercased() {
        case "jpg", "jpeg", "jpe": self = .photo
        case let ending: self = Self.formats[ending].map(Self.otherFormat) ?? .other
        }
    }
}
