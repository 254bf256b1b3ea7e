import Foundation

/// Rows as a terminal shows them: in their sections, numbered through; each in one line, or beside its picture.
@MainActor
struct RowListing {
    /// What a small picture takes: four by three, as characters are twice as high as wide.
    private static let box = CellBox(columns: 8, rows: 3)
    /// How many pictures are loaded at once where nobody turns pages.
    private static let chunkLength = 8

    let rows: [Row]
    private let columns = Terminal.columns
    private let numberWidth: Int

    init(_ rows: [Row]) {
        self.rows = rows
        numberWidth = String(rows.lazy.compactMap(\.number).max() ?? rows.count).count
    }

    /// The lines of as many rows from one on as there is room for, at least one; and how many rows these are.
    func page(from start: Int, fitting height: Int?) async -> (lines: [String], count: Int) {
        let limit = height.map { max(1, $0 / Self.box.rows) } ?? Self.chunkLength
        let pictures = await pictures(ofRowsFrom: start, limit)
        let end = pictures == nil ? rows.count : min(rows.count, start + limit)
        var (lines, index) = ([String](), start)
        while index < end {
            let heading = heading(ofRowAt: index, isFirst: index == start)
            let block = heading + self.lines(ofRowAt: index, pictures)
            if index > start, let height, lines.count + block.count > height { break }
            lines += block
            index += 1
        }
        return (lines, index - start)
    }

    /// The pictures of rows as the terminal shows them; `nil` where it shows none of them.
    private func pictures(ofRowsFrom start: Int, _ count: Int) async -> [Int: DrawnPicture]? {
        guard let drawing = Terminal.drawing else { return nil }
        let shown = start..<min(rows.count, start + count)
        guard rows[shown].contains(where: { $0.picture != nil }) else { return nil }
        let files = try? await Spinner.run("Loading pictures") { await rows.pictures(at: shown) }
        let pictures = files?.compactMapValues { drawing.filling(Self.box, with: $0) }
        return pictures?.isEmpty == false ? pictures : nil
    }

    private func heading(ofRowAt index: Int, isFirst: Bool) -> [String] {
        let section = rows[index].section
        guard section != (index == 0 ? "" : rows[index - 1].section) else { return [] }
        return (isFirst ? [] : [""]) + [section.fitting(columns).styled(.section)]
    }

    private func lines(ofRowAt index: Int, _ pictures: [Int: DrawnPicture]?) -> [String] {
        let row = rows[index]
        let number = String(row.number ?? index + 1)
        let head =
            String(repeating: " ", count: 2 + numberWidth - number.count) + number + "  "
        guard columns ?? .max > head.count else { return [head.fitting(columns)] }
        let room = columns.map { $0 - head.count }
        guard let pictures else { return [head + row.line(fitting: room)] }
        let texts = row.lines(fitting: room.map { $0 - Self.box.columns - 2 })
        let picture = pictures[index] ?? .cells([])
        let indent = String(repeating: " ", count: head.count)
        let lines = picture.lines(indent: indent, texts: texts, in: Self.box)
        return [head + lines[0].dropFirst(head.count)] + lines.dropFirst()
    }
}

extension Row {
    /// The title, and the detail as far as there is room.
    fileprivate func line(fitting columns: Int?) -> String {
        let title = title.fitting(columns)
        let rest = columns.map { $0 - title.displayWidth }
        let detail = detail.isEmpty ? "" : " — \(detail)".fitting(rest)
        return title.linked(to: link) + detail.styled(.faint)
    }

    /// The title, and the detail below.
    fileprivate func lines(fitting columns: Int?) -> [String] {
        [title.fitting(columns).linked(to: link), detail.fitting(columns).styled(.faint)]
    }
}
