extension Graph {
    /// The rows at the end of a chain of to-one relationships, none where it is broken, and their table.
    func targets(
        of path: ArraySlice<Slot>, _ rows: ContiguousArray<Row>, in table: TableNumber
    ) -> (rows: ContiguousArray<Row>, table: TableNumber) {
        var (rows, table) = (rows, table)
        for slot in path {
            rows = references(rows, slot, in: table)
            table = destination(of: slot, in: table)
        }
        return (rows, table)
    }

    /// What a reference column holds at some rows; none where there is none.
    func references(
        _ rows: ContiguousArray<Row>, _ slot: Slot, in table: TableNumber
    ) -> ContiguousArray<Row> {
        var result = ContiguousArray<Row>()
        result.reserveCapacity(rows.count)
        tables[table].columns[slot].forEach(Row.self, at: rows) { _, reference, _ in
            result.append(reference.pointee)
        } otherwise: { _ in
            result.append(Row.none)
        }
        return result
    }

    /// Whether a chain ends in a to-one relationship, and not in an attribute.
    func isToOne(_ path: [Slot], in table: TableNumber) -> Bool {
        let end = path.dropLast().reduce(table) { destination(of: $1, in: $0) }
        return switch path.last.flatMap({ layout.tables[end].relationships[$0] }) {
        case .toOne, .oneToOne: true
        case .toMany, .manyToMany, nil: false
        }
    }
}

extension Column {
    /// Calls `body` with the position, the element's address and the validity of each of some rows, and
    /// `otherwise` with the positions of those that are none.
    @inline(__always)
    func forEach<Element: ColumnElement>(
        _ type: Element.Type, at rows: ContiguousArray<Row>, in positions: Range<Int>? = nil,
        _ body: (Int, UnsafePointer<Element>, Bool) -> Void, otherwise: (Int) -> Void = { _ in }
    ) {
        let reader = reader
        withExtendedLifetime(self) {
            rows.withUnsafeBufferPointer { rows in
                var chunk = -1
                var block = reader.block(0)
                for position in positions ?? rows.indices {
                    let row = rows[position]
                    guard !row.isNone else {
                        otherwise(position)
                        continue
                    }
                    if row.chunk != chunk {
                        chunk = row.chunk
                        block = reader.block(chunk)
                    }
                    let offset = row.offset
                    body(
                        position, UnsafePointer(block.elements(of: type) + offset),
                        block.isValid(at: offset))
                }
            }
        }
    }
}
