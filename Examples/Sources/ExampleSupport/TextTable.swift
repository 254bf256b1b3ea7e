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
    /// What a column keeps when others need room too.
    private static let least = 4

    private let columns: [Column]
    private var rows: [[String]] = []

    /// Makes a table without rows.
    public init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with a cell for each column.
    public mutating func add(_ cells: [String]) { rows.append(cells.map(\.forTerminal)) }

    /// The lines of the table, the titles first.
    ///
    /// - Parameter width: How many columns of the terminal there are; `nil` for any number.
    /// - Returns: The lines, and the titles of columns at the end for which there was no room.
    public func lines(fitting width: Int?) -> (lines: [String], omitted: [String]) {
        let titles = columns.map(\.title.forTerminal)
        var widths = columns.indices.map { column in
            max(
                1, titles[column].displayWidth,
                rows.lazy.map { $0[column].displayWidth }.max() ?? 0)
        }
        if let width { Self.shrink(&widths, to: width) }
        let lines = ([titles] + rows).map { cells in
            widths.indices.map { column in
                cells[column].fitted(
                    to: widths[column], isRightAligned: columns[column].isRightAligned)
            }
            .joined(separator: Self.gap).trimmedAtEnd
        }
        return (lines, Array(titles[widths.count...]))
    }

    /// Takes room from the widest columns first; drops the last ones where that is not enough.
    private static func shrink(_ widths: inout [Int], to width: Int) {
        func total() -> Int { widths.reduce(0, +) + gap.count * max(0, widths.count - 1) }
        while total() > width {
            guard let widest = widths.max(), widest > least else {
                guard widths.count > 1 else { return }
                widths.removeLast()
                continue
            }
            let next = max(least, widths.filter { $0 < widest }.max() ?? least)
            let places = widths.indices.filter { widths[$0] == widest }
            // All of them down to the next one, or as far as is needed.
            let excess = total() - width
            let step = min(widest - next, max(1, excess / places.count))
            for place in places where total() > width { widths[place] -= step }
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
