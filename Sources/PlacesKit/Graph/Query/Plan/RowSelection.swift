/// Rows that a step of a query found: listed where they are few, else as a set.
enum RowSelection {
    /// In ascending order, each once.
    case list(ContiguousArray<Row>)
    case set(RowSet)

    /// Rows in any order, some perhaps more than once, of a table with so many chunks.
    init(unordered rows: ContiguousArray<Row>, chunks: Int) {
        guard Self.isSet(rows.count, chunks: chunks) else {
            var sorted = rows
            sorted.sort()
            var result = ContiguousArray<Row>()
            result.reserveCapacity(sorted.count)
            for row in sorted where result.last != row { result.append(row) }
            self = .list(result)
            return
        }
        var set = RowSet(chunks: chunks)
        for row in rows { set.insert(row) }
        self = .set(set)
    }

    /// Whether so many rows in no order make a set: beyond that it takes less time than to sort them.
    static func isSet(_ count: Int, chunks: Int) -> Bool { count > 32 && count > chunks * 2 }

    /// The number of rows.
    var count: Int {
        switch self {
        case .list(let rows): rows.count
        case .set(let set): set.count
        }
    }

    /// The rows in ascending order.
    var rows: ContiguousArray<Row> {
        switch self {
        case .list(let rows): rows
        case .set(let set): set.rows
        }
    }

    /// The rows as a set with room for so many chunks.
    func set(chunks: Int) -> RowSet {
        switch self {
        case .set(let set): return set
        case .list(let rows):
            var set = RowSet(chunks: chunks)
            for row in rows { set.insert(row) }
            return set
        }
    }

    /// The rows that are in another selection too.
    func intersection(with other: RowSelection) -> RowSelection {
        switch (self, other) {
        case (.set(var set), .set(let other)):
            set.formIntersection(other)
            return .set(set)
        case (.list(let rows), .set(let set)), (.set(let set), .list(let rows)):
            return .list(rows.filter { set.contains($0) })
        case (.list(let rows), .list(let others)):
            var (result, index) = (ContiguousArray<Row>(), 0)
            for row in rows {
                while index < others.count, others[index] < row { index += 1 }
                if index < others.count, others[index] == row { result.append(row) }
            }
            return .list(result)
        }
    }
}
