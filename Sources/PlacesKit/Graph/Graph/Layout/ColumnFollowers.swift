/// What has to follow when a column changes: found once, when a schema is laid out.
final class ColumnFollowers: Sendable {
    /// The numbers of the table's ordered indexes that read the column.
    let orderedIndexes: [Int]
    /// The numbers of the table's indexes of the column's words.
    let wordIndexes: [Int]
    /// The numbers of the table's unique combinations that the column is part of.
    let combinations: [Int]
    /// The numbers of the derivations that read the column in their members.
    let readers: [Int]
    /// The numbers of the derivations that read the column on their path, or at its end.
    let paths: [Int]
    /// The numbers of the derivations over the to-many relationship in whose slot the column is.
    let derivations: [Int]

    init(of column: ColumnAddress, in layout: FollowerLayout) {
        let (table, slot) = (layout.tables[column.table], column.column)
        let all = layout.derivations
        orderedIndexes = table.orderedIndexes.indices.filter { index in
            table.orderedIndexes[index].columns.contains { $0.column == slot }
        }
        wordIndexes = table.wordIndexes.indices.filter {
            table.wordIndexes[$0].column.column == slot
        }
        combinations = table.combinations.indices.filter {
            table.combinations[$0].columns.contains { $0.column == slot }
        }
        readers = all.indices.filter {
            layout.paths[$0].isEmpty && all[$0].members == column.table
                && (all[$0].value?.column == slot || all[$0].condition == slot)
        }
        paths = all.indices.filter {
            layout.paths[$0].contains(column)
                || !layout.paths[$0].isEmpty && all[$0].members == column.table
                    && all[$0].value?.column == slot
                || all[$0].owners == column.table
                    && layout.computations[$0]?.sources.contains(slot) == true
        }
        derivations = all.indices.filter {
            layout.paths[$0].isEmpty && all[$0].owners == column.table
                && all[$0].relationship == slot && all[$0].function != .computed
        }
    }

    /// Whether nothing follows.
    var isEmpty: Bool {
        orderedIndexes.isEmpty && wordIndexes.isEmpty && combinations.isEmpty && readers.isEmpty
            && paths.isEmpty && derivations.isEmpty
    }
}
