extension String {
    /// The text in one line of so many columns at most, with an ellipsis where it was cut.
    public func fitting(_ columns: Int?) -> String {
        let line = split(whereSeparator: \.isNewline).joined(separator: " ")
        guard let columns else { return line }
        guard line.columns > columns else { return line }
        var (result, width) = ("", 0)
        for character in line {
            width += character.columns
            guard width < columns else { break }
            result.append(character)
        }
        return columns > 0 ? result + "…" : ""
    }

    /// How many columns of a terminal the text takes, nearly: East Asian characters and emoji take two.
    var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Character {
    fileprivate var columns: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        if scalar.properties.generalCategory == .nonspacingMark { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
