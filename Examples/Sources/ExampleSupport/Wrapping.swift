extension String {
    /// The text in lines of so many columns at most, broken between words where that is possible; `nil` breaks
    /// nothing.
    func wrapped(to columns: Int?, indent: String = "") -> [String] {
        guard let columns else { return [indent + forTerminal] }
        let room = max(1, columns - indent.count)
        var (lines, line): ([String], String) = ([], "")
        for word in forTerminal.split(separator: " ") {
            if !line.isEmpty, line.displayWidth + 1 + String(word).displayWidth <= room {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            var rest = word
            while case let piece = rest.beginning(of: room), piece.endIndex < rest.endIndex {
                lines.append(String(piece))
                rest = rest[piece.endIndex...]
            }
            line = String(rest)
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { indent + $0 }
    }
}

extension Substring {
    /// As many characters as there is room for, at least one.
    fileprivate func beginning(of columns: Int) -> Substring {
        var (end, used) = (startIndex, 0)
        for index in indices {
            used += String(self[index]).displayWidth
            guard used <= columns || end == startIndex else { break }
            end = self.index(after: index)
        }
        return self[..<end]
    }
}
