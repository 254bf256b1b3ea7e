import PlacesKit

/// A small map in a terminal: land in dots of Braille characters, and rows by their numbers.
enum MapPicture {
    private static let (columns, rows) = (60, 12)
    /// The bits of the dots of a Braille character, row by row.
    private static let dots: [[UInt32]] = [
        [0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80],
    ]

    /// The lines of a map of rows that are somewhere; none where there are no such rows or is no room.
    static func lines(of rows: [Row]) -> [String] {
        guard Terminal.showsMaps else { return [] }
        let marks = rows.enumerated().compactMap { index, row in
            row.coordinate.flatMap {
                $0.isValid ? (coordinate: $0, text: String(row.number ?? index + 1)) : nil
            }
        }
        guard !marks.isEmpty else { return [] }
        // A dot of a character is as wide as high.
        let frame = MapFrame(
            around: marks.map(\.coordinate), ratio: Double(columns * 2) / Double(Self.rows * 4))
        var cells = land(in: frame)
        for (coordinate, text) in marks { cells.put(text, at: coordinate, of: frame) }
        return cells.lines.map { "  " + $0 } + [""]
    }

    private static func land(in frame: MapFrame) -> MapCells {
        var cells = MapCells(columns: columns, rows: rows)
        let degrees = frame.width / Double(columns * 2)
        for y in 0..<(rows * 4) {
            for part in LandShape.world.land(at: frame.north - (Double(y) + 0.5) * degrees) {
                // The dots whose middles lie between both ends.
                let first = ((part.west - frame.west) / degrees - 0.5).rounded(.up)
                let last = ((part.east - frame.west) / degrees - 0.5).rounded(.down)
                guard first < Double(columns * 2), last >= 0, first <= last else { continue }
                for x in Int(max(0, first))...Int(min(last, Double(columns * 2 - 1))) {
                    cells.dots[y / 4][x / 2] |= dots[y % 4][x % 2]
                }
            }
        }
        return cells
    }
}

/// The cells of a map: dots, and texts that lie on them.
private struct MapCells {
    var dots: [[UInt32]]
    private var texts: [[Character?]]

    init(columns: Int, rows: Int) {
        dots = Array(repeating: Array(repeating: 0, count: columns), count: rows)
        texts = Array(repeating: Array(repeating: nil, count: columns), count: rows)
    }

    /// Puts a text where a point is; where another one is already, that stays.
    mutating func put(_ text: String, at point: Coordinate, of frame: MapFrame) {
        let (columns, rows) = (Double(dots[0].count), Double(dots.count))
        let x = ((point.longitude - frame.west) / frame.width * columns).rounded(.down)
        let y = ((frame.north - point.latitude) / frame.height * rows).rounded(.down)
        guard (0..<columns).contains(x), (0..<rows).contains(y) else { return }
        let (row, start) = (Int(y), min(Int(x), Int(columns) - text.count))
        // Two numbers beside each other would read as one.
        let around = max(0, start - 1)..<min(Int(columns), start + text.count + 1)
        guard texts[row][around].allSatisfy({ $0 == nil }) else { return }
        for (offset, character) in text.enumerated() { texts[row][start + offset] = character }
    }

    var lines: [String] {
        zip(dots, texts).map { dots, texts in
            var (line, piece) = ("", "")
            var style: Style?
            for (dot, text) in zip(dots, texts) {
                let own: Style = text == nil ? .land : .mark
                if own != style {
                    line += style.map(piece.styled) ?? ""
                    (piece, style) = ("", own)
                }
                // A space takes the place of the empty character, whose dots some fonts show as circles.
                let cell = dot == 0 ? " " : Unicode.Scalar(0x2800 + dot).map(Character.init) ?? " "
                piece.append(text ?? cell)
            }
            return line + (style.map(piece.styled) ?? "")
        }
    }
}
