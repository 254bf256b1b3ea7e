import Foundation

/// How a text looks on a terminal that can show it.
enum Style: String {
    case title = "1"
    case section = "36"
    case faint = "2"
    case land = "32"
    case mark = "1;31"
}

extension String {
    /// The text in a style, if the output is a terminal that shows styles.
    func styled(_ style: Style) -> String {
        guard Terminal.isStyled, !isEmpty else { return self }
        return "\u{1B}[\(style.rawValue)m\(self)\u{1B}[0m"
    }

    /// The text as a link (OSC 8), if the output is a terminal that shows styles.
    func linked(to url: URL?) -> String {
        guard Terminal.isStyled, !isEmpty, let url, ["http", "https"].contains(url.scheme),
            // Anything else would end the link, or be a command of its own.
            url.absoluteString.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return self }
        return "\u{1B}]8;;\(url.absoluteString)\u{1B}\\\(self)\u{1B}]8;;\u{1B}\\"
    }
}
