/// The colours that a terminal has.
enum TerminalColors {
    /// All of 24 bits.
    case all
    /// The 256 that most have.
    case palette

    /// The parameters that choose a colour, for what is above or below in a cell.
    fileprivate func parameters(_ color: PixelPicture.Color, isBelow: Bool) -> String {
        let ground = isBelow ? 48 : 38
        switch self {
        case .all: return "\(ground);2;\(color.red);\(color.green);\(color.blue)"
        case .palette: return "\(ground);5;\(Self.number(of: color))"
        }
    }

    /// The nearest of 6 steps of each primary colour, or of 24 grays.
    private static func number(of color: PixelPicture.Color) -> Int {
        let parts = [color.red, color.green, color.blue].map(Int.init)
        func distance(_ others: [Int]) -> Int {
            zip(parts, others).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }
        let steps = parts.map { $0 < 48 ? 0 : $0 < 115 ? 1 : ($0 - 35) / 40 }
        let gray = min(23, max(0, (parts.reduce(0, +) / 3 - 3) / 10))
        let isGray =
            distance([8 + 10 * gray, 8 + 10 * gray, 8 + 10 * gray])
            < distance(steps.map { $0 == 0 ? 0 : 55 + 40 * $0 })
        return isGray ? 232 + gray : 16 + steps.reduce(0) { $0 * 6 + $1 }
    }
}

/// Pictures of half blocks: each cell has a pixel above and one below.
enum BlockPicture {
    /// The lines of cells, with colours; of an odd number of rows the last has only the upper halves.
    static func lines(_ picture: PixelPicture, _ colors: TerminalColors) -> [String] {
        stride(from: 0, to: picture.height, by: 2).map { y in
            var (line, last) = ("", "")
            for x in 0..<picture.width {
                var style = colors.parameters(picture[x, y], isBelow: false)
                if y + 1 < picture.height {
                    style += ";" + colors.parameters(picture[x, y + 1], isBelow: true)
                }
                if style != last { line += "\u{1B}[\(style)m" }
                last = style
                line += "▀"
            }
            return line + "\u{1B}[0m"
        }
    }
}
