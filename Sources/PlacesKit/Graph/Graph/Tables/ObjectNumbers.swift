/// The numbers by which the objects of a table are known outside, for many look-ups.
struct ObjectNumbers {
    private let numbers: RowNumbers
    /// The generations of the rows; `nil` where none was used again.
    private let generations: Column?

    /// Those of a table of a graph.
    init(_ table: TableNumber, in graph: Graph) {
        numbers = graph.tables[table].numbers
        generations =
            graph.tables[table].highestGeneration > 0
            ? graph.tables[table].columns[graph.layout.tables[table].presence] : nil
    }

    /// The number of the object whose row this is.
    func number(of row: Row) -> Int64 {
        guard let generations else { return numbers.number(of: row) }
        let generation = generations.element(Int32.self, at: row).generation
        return numbers.number(of: row, generation: generation)
    }
}

extension Graph {
    /// The lowest number for new objects of a table, unless it follows from those of the objects there.
    ///
    /// - Complexity: O(n) for n objects.
    func unknownNextNumber(in table: TableNumber) -> Int64? {
        guard let next = tables[table].nextNumber else { return nil }
        let numbers = ObjectNumbers(table, in: self)
        var highest: Int64 = -1
        rows(in: table).forEach { highest = max(highest, numbers.number(of: $0)) }
        return next - 1 > highest ? next : nil
    }
}
