public import Foundation
public import PlacesKit

/// A row of a list, as a person reads it.
public struct Row {
    /// What it is.
    public var title: String
    /// What stands behind the title.
    public var detail: String
    /// The page that the title leads to, where the terminal has links.
    public var link: URL?
    /// The section that it belongs into.
    public var section: String
    /// Its number in the whole list, where only a part is shown; without it rows are counted.
    public var number: Int?

    /// Makes a row.
    public init(_ title: String, _ detail: String = "", section: String = "") {
        self.title = title
        self.detail = detail
        self.section = section
    }

    /// The row of a place that a source named.
    public init(_ place: PlaceRecord) {
        self.init(place.title, place.subtitle, section: place.section)
    }

    /// A row of a live list.
    fileprivate init(_ row: ListRow, _ object: ManagedObject, section: String) {
        self.init(row.title, row.subtitle ?? "", section: section)
        link = (object as? Photo)?.pageURL
    }

    /// The row of a photo.
    public init(_ photo: Photo, section: String = "") {
        self.init(photo.title, photo.takenBy?.name ?? "", section: section)
        link = photo.pageURL
    }

    /// The row of a photo that a source listed.
    public init(_ photo: PhotoRecord) {
        self.init(photo.displayTitle, photo.owner.name)
        link = photo.pageURL
    }

}

extension Int {
    /// So many of something, in words.
    public func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension ListController {
    /// The rows as a terminal shows them.
    public var terminalRows: [Row] {
        let rows = sections.lazy.flatMap { section in section.rows.map { ($0, section.title) } }
        return zip(rows, objects).map { Row($0.0, $1, section: $0.1) }
    }
}

/// Writes those of a live list that have a text: as JSON for other programs, or as rows.
public func show<Object: ManagedObject>(
    _ list: ListController<Object>, search: String, json: Bool,
    as output: (Object) -> some Encodable
) throws {
    let rows = zip(list.objects, list.terminalRows)
    let all = rows.enumerated().map { (offset: $0.offset, element: $0.element) }
    let empty = list.message ?? ""
    try list.search(search)
    let found = Set(list.objects.map(\.objectID))
    try show(
        all.filter { found.contains($0.element.0.objectID) }, search: search, json: json,
        empty: empty,
        as: { output($0.0) }, row: { $0.1 })
}

/// Writes those of a list that were found: as JSON for other programs, or as rows with their numbers in the
/// whole list, as other commands take them.
public func show<Element>(
    _ found: [(offset: Int, element: Element)], search: String, json: Bool,
    empty: String = "Nothing here.", as output: (Element) -> some Encodable, row: (Element) -> Row
) throws {
    guard !json else { return try JSONOutput.write(found.map { output($0.element) }) }
    let rows = found.map { offset, element in
        var row = row(element)
        row.number = offset + 1
        return row
    }
    show(rows, empty: search.isEmpty ? empty : "Nothing found.")
}

/// Writes rows in their sections, numbered through; each in one line of the terminal.
public func show(_ rows: [Row], empty: String = "Nothing here.") {
    for line in rows.lines(empty: empty) { print(line) }
}

extension [Row] {
    /// The lines of rows in their sections, numbered through; each fits the terminal.
    func lines(empty: String) -> [String] {
        let columns = Terminal.columns
        guard !isEmpty else { return [empty.fitting(columns)] }
        let width = String(lazy.compactMap(\.number).max() ?? count).count
        var lines: [String] = []
        var section = ""
        for (index, row) in enumerated() {
            if row.section != section {
                section = row.section
                if index > 0 { lines.append("") }
                lines.append(section.fitting(columns).styled(.section))
            }
            let number = String(row.number ?? index + 1)
            let head = String(repeating: " ", count: 2 + width - number.count) + number + "  "
            guard columns ?? .max > head.count else {
                lines.append(head.fitting(columns))
                continue
            }
            lines.append(head + row.text(fitting: columns.map { $0 - head.count }))
        }
        return lines
    }
}

extension Row {
    /// The title, and the detail as far as there is room.
    fileprivate func text(fitting columns: Int?) -> String {
        let title = title.fitting(columns)
        let rest = columns.map { $0 - title.displayWidth }
        let detail = detail.isEmpty ? "" : " — \(detail)".fitting(rest)
        return title.linked(to: link) + detail.styled(.faint)
    }
}
