public import Foundation
public import PlacesKit

/// What a person reads of one photo.
public enum PhotoScreen {
    /// Writes what is known of a photo, and the photo itself where the terminal shows pictures.
    @MainActor
    public static func show(_ photo: Photo, in library: PlacesLibrary) async {
        print("")
        for line in photo.title.wrapped(to: Terminal.columns) { print(line.styled(.title)) }
        await showPicture(of: photo, in: library)
        let size = photo.pixelWidth.flatMap { width in
            photo.pixelHeight.map { "\(width) × \($0) pixels" }
        }
        let lines: [(label: String, value: String?)] = [
            ("", photo.subtitle), ("Place", photo.takenAt?.name), ("Region", photo.region?.name),
            ("By", photo.creditLine), ("Tags", photo.tagNames.joined(separator: ", ")),
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

    /// In place of a file of more bytes a terminal gets the small picture.
    private static let byteLimit = 4_000_000

    /// Shows the photo in as much of the terminal as what is told of it leaves.
    @MainActor
    private static func showPicture(of photo: Photo, in library: PlacesLibrary) async {
        guard let drawing = Terminal.drawing, let columns = Terminal.columns,
            let lines = Terminal.lines
        else { return }
        let box = CellBox(columns: min(columns - 4, 100), rows: max(10, lines - 14))
        do {
            let file = try await Spinner.run("Loading \(photo.title)") {
                // Characters show no more than there is in a small picture.
                if case .blocks = drawing { return try await library.thumbnail(of: photo) }
                let picture = try await library.picture(of: photo)
                guard picture.count > byteLimit else { return picture }
                return try await library.thumbnail(of: photo)
            }
            let size = photo.pixelWidth.flatMap { width in photo.pixelHeight.map { (width, $0) } }
            guard let (picture, own) = drawing.fitting(box, file, size: size) else { return }
            for line in picture.lines(indent: "  ", texts: [], in: own) { print(line) }
        } catch {
            Terminal.note(Failure.message(of: error))
        }
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
        }
        try OutputFile.write(picture, to: path)
    }
}
