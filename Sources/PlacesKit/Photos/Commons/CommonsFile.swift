import Foundation

/// Tells which files of Commons are photos, and what they are called.
///
/// Commons also has drawings, documents, sound and video.
enum CommonsFile {
    static func mayBePhoto(title: String) -> Bool {
        guard let dot = title.lastIndex(of: ".") else { return false }
        return ["jpg", "jpeg", "png", "webp", "tif", "tiff", "gif"]
            .contains(title[title.index(after: dot)...].lowercased())
    }

    static func isPhoto(mime: String) -> Bool {
        ["image/jpeg", "image/png", "image/webp", "image/tiff", "image/gif"].contains(mime)
    }

    /// Whether applications can be expected to show a file of this type.
    static func isShown(mime: String) -> Bool {
        isPhoto(mime: mime) && mime != "image/tiff"
    }

    /// The name of a file without its namespace and filename extension.
    static func name(title: String) -> String {
        var name = title[...]
        if let colon = name.firstIndex(of: ":") { name = name[name.index(after: colon)...] }
        if let dot = name.lastIndex(of: "."), dot != name.startIndex { name = name[..<dot] }
        return String(name)
    }
}
