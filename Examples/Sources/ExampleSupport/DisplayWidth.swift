extension String {
    /// How many columns of a terminal the text takes.
    public var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// The text without what moves a terminal's cursor or changes its colours: line breaks and tabs
    /// are spaces, other controls a mark.
    public var forTerminal: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "\n", "\t", "\u{85}", "\u{2028}", "\u{2029}": text.append(" ")
            case "\r": break
            case _ where scalar.isControl: text.append("\u{FFFD}")
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    /// The lines of a text that is meant to have several, each ``forTerminal``.
    public var linesForTerminal: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).forTerminal }
    }

    /// The text in one line of so many columns at most, with a mark where it was cut; `nil` cuts nothing.
    public func fitting(_ columns: Int?) -> String {
        let line = forTerminal
        guard let columns, line.displayWidth > columns else { return line }
        guard columns > 0 else { return "" }
        var (text, used) = ("", 0)
        for character in line {
            guard used + character.displayWidth < columns else { break }
            text.append(character)
            used += character.displayWidth
        }
        return text + "…"
    }

    /// The text in a given number of columns: cut, with a mark for that, or filled with spaces.
    public func fitted(to width: Int) -> String { fitting(width).padded(to: width) }

    /// The text filled with spaces to a number of columns, which it may take more than already.
    func padded(to width: Int, isRightAligned: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - displayWidth))
        return isRightAligned ? space + self : self + space
    }
}

extension Character {
    /// How many columns of a terminal the character takes: none, one or two.
    fileprivate var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.value < 0x300 { return first.isControl ? 0 : 1 }
        if first.properties.isEmojiPresentation { return 2 }
        if first.properties.isEmoji, unicodeScalars.contains("\u{FE0F}") { return 2 }
        if first.takesNoSpace { return 0 }
        return first.isWide ? 2 : 1
    }
}

extension Unicode.Scalar {
    /// Whether a terminal may take it for a command; marks that turn the direction of text among them.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    fileprivate var takesNoSpace: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: true
        default: false
        }
    }

    /// Whether it is East Asian Wide or Fullwidth (UAX #11), in whole blocks.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF,
            0x1B000...0x1B2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
