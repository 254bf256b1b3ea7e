import Foundation

/// How a terminal shows pictures.
enum PictureDrawing {
    /// As PNG files, which the terminal scales (kitty's graphics protocol).
    case kitty
    /// As files of any kind, which the terminal scales (iTerm2's inline images).
    case iterm
    /// As pixels of at most 256 colours.
    case sixel
    /// As halves of characters.
    case blocks(TerminalColors)

    /// A picture that fills so many cells, cut where it has other proportions; `nil` for one that cannot be shown.
    func filling(_ box: CellBox, with file: Data) -> DrawnPicture? {
        switch self {
        case .kitty:
            guard let size = PNGReader.size(of: file) else { return nil }
            let part = Self.middle(of: size, shapedLike: box.pixels)
            return .command(KittyPicture.command(file, part, in: box))
        case .iterm: return command(iterm: file, in: box)
        case .sixel, .blocks:
            return PNGReader.picture(file).map { drawn($0, in: box, isSmall: true) }
        }
    }

    /// A whole picture in so many cells at most, of a size in pixels where that is known; `nil` for one that cannot
    /// be shown.
    func fitting(
        _ box: CellBox, _ file: Data, size: (width: Int, height: Int)?
    ) -> (picture: DrawnPicture, box: CellBox)? {
        let own = PNGReader.size(of: file)
        // What a document says of a photo may be no size.
        guard let size = own ?? size, size.width > 0, size.height > 0 else { return nil }
        let fitted = box.fitting(size)
        let picture: DrawnPicture? =
            switch self {
            case .kitty: own.map { _ in .command(KittyPicture.command(file, nil, in: fitted)) }
            case .iterm: command(iterm: file, in: fitted)
            case .sixel, .blocks: PNGReader.picture(file).map { drawn($0, in: fitted) }
            }
        return picture.map { ($0, fitted) }
    }

    private func command(iterm file: Data, in box: CellBox) -> DrawnPicture? {
        guard PictureType.ofPicture(beginning: file) != nil else { return nil }
        let command =
            "\u{1B}]1337;File=inline=1;size=\(file.count);width=\(box.columns);height=\(box.rows);"
            + "preserveAspectRatio=1:\(file.base64EncodedString())\u{7}"
        return .command(command)
    }

    /// A picture whose pixels are known; a small one keeps a distance from those below.
    private func drawn(
        _ picture: PixelPicture, in box: CellBox, isSmall: Bool = false
    ) -> DrawnPicture {
        guard case .blocks(let colors) = self else {
            let (width, height) = box.pixels
            let pixels = picture.filling(width: width, height: height)
            return .command(SixelPicture.command(pixels))
        }
        let pixels = picture.filling(width: box.columns, height: box.rows * 2 - (isSmall ? 1 : 0))
        return .cells(BlockPicture.lines(pixels, colors))
    }

    /// The part in the middle of a picture that has the proportions of something else.
    private static func middle(
        of size: (width: Int, height: Int), shapedLike box: (width: Int, height: Int)
    ) -> PixelPart {
        let width = min(size.width, max(1, size.height * box.width / box.height))
        let height = min(size.height, max(1, size.width * box.height / box.width))
        return PixelPart(
            x: (size.width - width) / 2, y: (size.height - height) / 2, width: width,
            height: height)
    }
}

/// A part of a picture.
struct PixelPart {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
}

/// A picture as what a terminal is told.
enum DrawnPicture {
    /// Characters in colours, a line of cells each.
    case cells([String])
    /// A command that draws it from the cursor on.
    case command(String)

    /// The picture with texts beside it, a line for each row of its cells.
    ///
    /// A command is part of the last line: it goes back to the first one when there is room for all of them, and the
    /// cursor then stands where it was.
    func lines(indent: String, texts: [String], in box: CellBox) -> [String] {
        (0..<box.rows).map { row in
            let text = row < texts.count && !texts[row].isEmpty ? "  " + texts[row] : ""
            guard case .command(let command) = self else {
                return indent + cells(row, in: box) + text
            }
            let line = indent + (text.isEmpty ? "" : cells(row, in: box) + text)
            guard row == box.rows - 1 else { return line }
            let right = indent.isEmpty ? "" : "\u{1B}[\(indent.displayWidth)C"
            // Saved and restored is the beginning of the line below, which there is now.
            return line + "\n\u{1B}7\u{1B}[\(box.rows)A\(right)\(command)\u{1B}8\u{1B}[A"
        }
    }

    private func cells(_ row: Int, in box: CellBox) -> String {
        guard case .cells(let lines) = self, row < lines.count else {
            return String(repeating: " ", count: box.columns)
        }
        return lines[row]
    }
}

/// Some cells of a terminal.
struct CellBox {
    var columns: Int
    var rows: Int

    /// How many pixels they have.
    var pixels: (width: Int, height: Int) {
        let cell = Terminal.cellSize
        return (columns * cell.width, rows * cell.height)
    }

    /// The cells among them that a picture takes which keeps its proportions.
    func fitting(_ size: (width: Int, height: Int)) -> CellBox {
        let cell = Terminal.cellSize
        let scale = min(
            Double(pixels.width) / Double(size.width), Double(pixels.height) / Double(size.height))
        func count(_ pixels: Int, _ cell: Int) -> Int {
            max(1, Int((Double(pixels) * scale / Double(cell)).rounded()))
        }
        return CellBox(
            columns: min(columns, count(size.width, cell.width)),
            rows: min(rows, count(size.height, cell.height)))
    }
}
