/// The media types of pictures that browsers are handed, told by their first bytes and by nothing else.
///
/// SVG is not among them: it may hold scripts.
public enum PictureType {
    /// The media type of a picture, or `nil` for what is none that a browser should be handed.
    public static func ofPicture(beginning bytes: some Collection<UInt8>) -> String? {
        let head = Array(bytes.prefix(12))
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            return "image/png"
        }
        if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) {
            return "image/gif"
        }
        guard head.count == 12 else { return nil }
        if head.starts(with: "RIFF".utf8), head[8...].elementsEqual("WEBP".utf8) {
            return "image/webp"
        }
        if head[4...].elementsEqual("ftypavif".utf8) { return "image/avif" }
        return nil
    }
}
