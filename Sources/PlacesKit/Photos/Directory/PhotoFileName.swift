/// What the name of a file says about its content.
enum PhotoFileName {
    /// A picture that can be read.
    case photo
    /// A picture in another format, which has this name.
    case otherFormat(String)
    /// A name without a filename extension.
    case plain
    /// Not a picture.
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

    /// Whether a file with this name may be a picture, if it cannot be read.
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
