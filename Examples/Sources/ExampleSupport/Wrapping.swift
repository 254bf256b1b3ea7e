extension String {
    /// The text in lines of so many columns at most, broken between words where that is possible; `nil` breaks
    /// nothing.
    func wrapped(to columns: Int?, indent: String = "") -> [String] {
        guard let columns else { return [indent + forTerminal] }
        let room = max(1, columns - indent.count)
        var (lines, line): ([String], String) = ([], "")
        for word in forTerminal.split(separator: " ") {
            var word = String(word)
            if !line.isEmpty, line.displayWidth + 1 + word.displayWidth <= room {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while word.displayWidth > room {
                let piece = word.beginning(of: room)
                lines.append(piece)
                word.removeFirst(piece.count)
            }
            line = word
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { indent + $0 }
    }

    /// As many characters as there is room for, at least one.
    private func beginning(of columns: Int) -> String {
        var (text, used) = ("", 0)
        for character in self {
            used += String(character).displayWidth
            guard used <= columns || text.isEmpty else { break }
            text.append(character)
        }
        return text
    }
}
