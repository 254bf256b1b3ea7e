import Foundation

/// Rows of cells in columns that line up, no wider than the terminal.
public struct TextTable {
    /// A column's title, and to which side its cells are aligned.
    public struct Column {
        var title: String
        var isRightAligned: Bool

        /// Describes a column.
        public init(_ title: String, isRightAligned: Bool = false) {
            self.title = title
            self.isRightAligned = isRightAligned
        }
    }

    private static let gap = "  "
    /// How wide a column is at most where the table may have any width: a longer cell sticks out of it, so that
    /// not each row takes as many bytes as the longest.
    private static let most = 200

    private let columns: [Column]
    private var rows: [[String]] = []

    /// Makes a table without rows.
    public init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with a cell for each column.
    public mutating func add(_ cells: [String]) { rows.append(cells.map(\.forTerminal)) }

    /// The lines of the table, the titles first.
    ///
    /// - Parameters:
    ///   - width: How many columns of the terminal there are; `nil` for any number, where nothing is cut.
    ///   - least: How much of its width a column keeps before the last one is left out.
    /// - Returns: The lines, and the titles of columns at the end for which there was no room.
    public func lines(
        fitting width: Int?, least: Int = 8
    ) -> (lines: [String], omitted: [String]) {
        let titles = columns.map(\.title.forTerminal)
        var widths = columns.indices.map { column in
            max(
                1, titles[column].displayWidth,
                rows.lazy.map { $0[column].displayWidth }.max() ?? 0)
        }
        if let width {
            Self.shrink(&widths, to: width, least: least)
        } else {
            widths = widths.map { min($0, Self.most) }
        }
        let lines = ([titles] + rows).map { cells in
            widths.indices.map { column in
                (width == nil ? cells[column] : cells[column].fitting(widths[column]))
                    .padded(to: widths[column], isRightAligned: columns[column].isRightAligned)
            }
            .joined(separator: Self.gap).trimmedAtEnd
        }
        return (lines, Array(titles[widths.count...]))
    }

    /// Leaves out the last columns where all could not keep the least, then takes room from the widest.
    private static func shrink(_ widths: inout [Int], to width: Int, least: Int) {
        func total(_ widths: [Int]) -> Int {
            widths.reduce(0, +) + gap.count * max(0, widths.count - 1)
        }
        while widths.count > 1, total(widths.map { min($0, least) }) > width { widths.removeLast() }
        while total(widths) > width, let widest = widths.max(), widest > 1 {
            let next = max(1, widths.filter { $0 < widest }.max() ?? 1)
            let places = widths.indices.filter { widths[$0] == widest }
            // All of them down to the next one, or as far as is needed.
            let excess = total(widths) - width
            let step = min(widest - next, max(1, excess / places.count))
            for place in places where total(widths) > width { widths[place] -= step }
        }
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
