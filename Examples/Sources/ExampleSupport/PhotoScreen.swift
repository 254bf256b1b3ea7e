public import Foundation
public import PlacesKit

/// What a person reads of one photo.
public enum PhotoScreen {
    /// Writes what is known of a photo.
    public static func show(_ photo: Photo) {
        print("")
        Terminal.tell(photo.title)
        let size = photo.pixelWidth.flatMap { width in
            photo.pixelHeight.map { "\(width) × \($0) pixels" }
        }
        let lines: [(String, String?)] = [
            ("", photo.subtitle), ("Place", photo.takenAt?.name), ("Region", photo.region?.name),
            ("By", photo.creditLine),
            ("Published", photo.dateUploaded?.formatted(.iso8601)), ("Size", size),
            ("Favorite", photo.isFavorite ? "yes" : nil),
            ("Page", photo.pageURL?.absoluteString), ("Identifier", photo.uniqueID),
        ]
        for (label, value) in lines {
            guard let value, !value.isEmpty else { continue }
            Terminal.tell("  \(label.isEmpty ? "" : "\(label): ")\(value)")
        }
    }

    /// Writes a picture into a file.
    ///
    /// - Throws: What the user should read.
    public static func write(_ picture: Data, to path: String) throws {
        do {
            try picture.write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Problem(
                "\(path) cannot be written. Choose a file in a folder that you may write to.")
        }
        print("\(picture.count) bytes in \(path)")
    }
}
