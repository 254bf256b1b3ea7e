public import Foundation
public import PlacesKit

/// What a person reads of one photo.
public enum PhotoScreen {
    /// Writes what is known of a photo.
    public static func show(_ photo: Photo) {
        print("")
        for line in photo.title.wrapped(to: Terminal.columns) { print(line.styled(.title)) }
        let size = photo.pixelWidth.flatMap { width in
            photo.pixelHeight.map { "\(width) × \($0) pixels" }
        }
        let lines: [(label: String, value: String?)] = [
            ("", photo.subtitle), ("Place", photo.takenAt?.name), ("Region", photo.region?.name),
            ("By", photo.creditLine), ("Tags", photo.tags.joined(separator: ", ")),
            ("Published", photo.dateUploaded?.localText), ("Size", size),
            ("Favorite", photo.isFavorite ? "yes" : nil), ("Identifier", photo.uniqueID),
        ]
        for (label, value) in lines {
            guard let value, !value.isEmpty else { continue }
            let text = label.isEmpty ? value : "\(label): \(value)"
            for line in text.wrapped(to: Terminal.columns, indent: "  ") { print(line) }
        }
        guard let page = photo.pageURL else { return }
        // In one piece, so that it can be copied where it is no link.
        print("  Page: \(page.absoluteString.forTerminal.linked(to: page))")
    }

    /// Asks a person in a terminal what to do with the photo that is shown.
    ///
    /// - Returns: The letter of what they chose; `nil` to go back.
    /// - Throws: ``Quit``.
    @MainActor
    public static func ask(_ commands: Guide.Commands = []) async throws -> Character? {
        switch await Guide.ask(commands) {
        case .command(let key): return key
        case .quit: throw Quit()
        default: return nil
        }
    }

    /// Writes a picture into a file, or to standard output for “-”.
    ///
    /// - Throws: What the user should read.
    public static func write(_ picture: Data, to path: String) throws {
        if path == "-" {
            guard isatty(STDOUT_FILENO) == 0 else {
                throw Problem("A terminal shows no picture. Send it into a file or a program.")
            }
            return try FileHandle.standardOutput.write(contentsOf: picture)
        }
        do {
            try picture.write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Problem(
                "\(path) cannot be written. Choose a file in a folder that you may write to.")
        }
        print("\(picture.count) bytes in \(path)")
    }
}
