import Foundation

extension Graph {
    /// Where the least or the greatest value of an attribute is in each group, negative where no row of
    /// the group has one; the first of equal ones.
    ///
    /// `rows` are those that have the attribute, or none.
    func extremes(
        of groups: RowGroups, _ rows: ContiguousArray<Row>, _ slot: Slot, in table: TableNumber,
        greatest: Bool
    ) -> ContiguousArray<Int> {
        let isOptional = layout.tables[table].properties[slot].attribute?.isOptional ?? true
        let column = tables[table].columns[slot]
        @inline(__always)
        func find<Element: ColumnElement>(
            _ order: (UnsafePointer<Element>, UnsafePointer<Element>) -> Bool
        ) -> ContiguousArray<Int> {
            column.extremes(of: groups, rows, isOptional) {
                greatest ? order($1, $0) : order($0, $1)
            }
        }
        return switch column.kind {
        case .boolean: find { (a: UnsafePointer<Bool>, b) in !a.pointee && b.pointee }
        case .integer: find { (a: UnsafePointer<Int64>, b) in a.pointee < b.pointee }
        case .double:
            find { (a: UnsafePointer<Double>, b) in a.pointee.orderedBits < b.pointee.orderedBits }
        case .decimal:
            find { (a: UnsafePointer<Decimal>, b) in a.pointee.order(to: b.pointee) < 0 }
        case .string:
            find { (a: UnsafePointer<String>, b) in a.pointee.canonicalOrder(to: b.pointee) < 0 }
        case .uuid: find { (a: UnsafePointer<UUID>, b) in a.pointee.order(to: b.pointee) < 0 }
        case .data: find { (a: UnsafePointer<Data>, b) in a.pointee.order(to: b.pointee) < 0 }
        case .blob:
            find { (a: UnsafePointer<Blob>, b) in
                (a.pointee.data ?? Data()).order(to: b.pointee.data ?? Data()) < 0
            }
        case .reference: ContiguousArray(repeating: -1, count: groups.count)
        }
    }
}

extension Column {
    @inline(__always)
    fileprivate func extremes<Element: ColumnElement>(
        of groups: RowGroups, _ rows: ContiguousArray<Row>, _ isOptional: Bool,
        _ precedes: (UnsafePointer<Element>, UnsafePointer<Element>) -> Bool
    ) -> ContiguousArray<Int> {
        var positions = ContiguousArray(repeating: -1, count: groups.count)
        var best = ContiguousArray<UnsafePointer<Element>?>(repeating: nil, count: groups.count)
        withExtendedLifetime(self) {
            forEach(Element.self, at: rows) { position, element, isValid in
                guard isValid || !isOptional else { return }
                let group = Int(groups.numbers[position])
                if let current = best[group], !precedes(element, current) { return }
                best[group] = element
                positions[group] = position
            }
        }
        return positions
    }
}
