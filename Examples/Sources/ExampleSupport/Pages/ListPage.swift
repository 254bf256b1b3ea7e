import Foundation

/// A list as a page to keep: a map where rows are somewhere, and the rows in their sections, with small pictures.
@MainActor
struct ListPage {
    /// How many pictures are loaded at a time.
    private static let chunkLength = 8

    let title: String
    /// The name of the source.
    let source: String
    let rows: [Row]
    /// What is said where there are no rows.
    let empty: String

    /// The text of the page; pictures are loaded for it.
    func html() async -> String {
        var pictures = PagePictures()
        var items: [String] = []
        let isGrid = rows.contains { $0.picture != nil }
        for start in stride(from: 0, to: rows.count, by: Self.chunkLength) {
            let part = start..<min(rows.count, start + Self.chunkLength)
            let files = await rows.pictures(at: part)
            for index in part {
                let hasPicture = rows[index].picture != nil
                let address = hasPicture ? pictures.address(of: files[index]) : nil
                items.append(item(index, picture: isGrid ? address ?? "" : nil))
            }
        }
        let map = MapDrawing.svg(of: rows.indices.map { (number(ofRowAt: $0), rows[$0]) })
        let list =
            rows.isEmpty
            ? "<p>\(empty.forTerminal.escapedForHTML)</p>"
            : sections(of: items, class: isGrid ? "pictures" : "rows")
        return HTMLPage.text(
            title: title,
            note: "\(rows.count.counted("item")) · \(source) · \(Date().localText)\(pictures.note)",
            body: [map, list].compactMap(\.self).joined(separator: "\n"))
    }

    private func number(ofRowAt index: Int) -> Int { rows[index].number ?? index + 1 }

    /// A row of the list; the address of its picture is empty where only its place is kept, and `nil` in a list
    /// without pictures.
    private func item(_ index: Int, picture: String?) -> String {
        let row = rows[index]
        let number = number(ofRowAt: index)
        let title = row.title.forTerminal.escapedForHTML
        let image = picture.map {
            $0.isEmpty
                ? "<div class=\"none\"></div>"
                : "<img src=\"\($0)\" alt=\"\">"
        }
        let link = row.link.flatMap { ["http", "https"].contains($0.scheme) ? $0 : nil }
        let name = link.map {
            "<a href=\"\($0.absoluteString.escapedForHTML)\" rel=\"noreferrer\">\(title)</a>"
        }
        let detail = row.detail.forTerminal.escapedForHTML
        return """
            <li id="row-\(number)">\(image ?? "")<div class="text"><span class="number">\(number)</span> \
            \(name ?? title)\(detail.isEmpty ? "" : "<p class=\"detail\">\(detail)</p>")</div></li>
            """
    }

    /// The rows in lists, with what stands above the sections.
    private func sections(of items: [String], class name: String) -> String {
        var parts: [String] = []
        var rest = rows.indices[...]
        while let first = rest.first {
            let section = rows[first].section
            let part = rest.prefix { rows[$0].section == section }
            rest = rest.dropFirst(part.count)
            if !section.isEmpty { parts.append("<h2>\(section.forTerminal.escapedForHTML)</h2>") }
            parts.append("<ol class=\"\(name)\">")
            parts += items[part]
            parts.append("</ol>")
        }
        return parts.joined(separator: "\n")
    }
}
