import Foundation

extension Graph {
    /// Some rows, grouped by what a chain of properties gives for them; `nil` where that is in several columns.
    func groups(
        of rows: ContiguousArray<Row>, by meaning: ResolvedKeyPath, in table: TableNumber
    ) -> RowGroups? {
        switch meaning {
        case .composite: nil
        case .identity(let path): groups(of: rows, along: path[...], in: table, by: .identity)
        case .count(let path):
            groups(
                of: rows, along: path.dropLast(), in: table, by: .count(path[path.count - 1]))
        case .property(let path) where isToOne(path, in: table):
            groups(of: rows, along: path[...], in: table, by: .identity)
        case .property(let path):
            groups(
                of: rows, along: path.dropLast(), in: table,
                by: .attribute(path[path.count - 1]))
        }
    }

    /// What rows at the end of a chain are grouped by.
    private enum ChainEnd {
        case identity
        case count(Slot)
        case attribute(Slot)
    }

    /// The rows at the other end of a relationship are grouped, each once, and theirs are the groups of
    /// the rows that lead to them.
    private func groups(
        of rows: ContiguousArray<Row>, along path: ArraySlice<Slot>, in table: TableNumber,
        by key: ChainEnd
    ) -> RowGroups {
        guard let slot = path.first else {
            return switch key {
            case .identity: identityGroups(of: rows, in: table)
            case .count(let slot): countGroups(of: rows, slot, in: table)
            case .attribute(let slot): attributeGroups(of: rows, slot, in: table)
            }
        }
        let targets = references(rows, slot, in: table)
        let destination = destination(of: slot, in: table)
        let groups = identityGroups(of: targets, in: destination)
        if path.count == 1, case .identity = key { return groups }
        let distinct = ContiguousArray(groups.firsts.map { targets[$0] })
        return groups.united(
            by: self.groups(of: distinct, along: path.dropFirst(), in: destination, by: key))
    }

    private func identityGroups(of rows: ContiguousArray<Row>, in table: TableNumber) -> RowGroups {
        var groups = RowGroups(capacity: rows.count)
        // A number for each row there is, unless those that are asked for are few.
        guard tables[table].upperBound <= 8 * rows.count + 1_024 else {
            var numbers = WordNumbers()
            for row in rows {
                if !row.isNone {
                    groups.append(numbers.number(of: UInt64(row.index)))
                } else {
                    groups.appendNull()
                }
            }
            return groups
        }
        var numbers = ContiguousArray<Int32>(repeating: -1, count: tables[table].upperBound)
        numbers.withUnsafeMutableBufferPointer { numbers in
            for row in rows {
                if row.isNone {
                    groups.appendNull()
                } else if numbers[row.index] >= 0 {
                    groups.append(numbers[row.index])
                } else {
                    numbers[row.index] = groups.appendNew()
                }
            }
        }
        return groups
    }

    private func countGroups(
        of rows: ContiguousArray<Row>, _ slot: Slot, in table: TableNumber
    ) -> RowGroups {
        var groups = RowGroups(capacity: rows.count)
        var numbers = WordNumbers()
        for row in rows {
            if !row.isNone {
                groups.append(numbers.number(of: UInt64(memberCount(row, slot, in: table))))
            } else {
                groups.appendNull()
            }
        }
        return groups
    }

    private func attributeGroups(
        of rows: ContiguousArray<Row>, _ slot: Slot, in table: TableNumber
    ) -> RowGroups {
        let isOptional = layout.tables[table].properties[slot].attribute?.isOptional ?? true
        let column = tables[table].columns[slot]
        return switch column.kind {
        case .boolean: column.wordGroups(rows, isOptional) { (value: Bool) in value ? 1 : 0 }
        case .integer: column.integerGroups(rows, isOptional)
        case .double: column.wordGroups(rows, isOptional) { (value: Double) in value.orderedBits }
        case .string: column.textGroups(rows, isOptional)
        case .decimal: column.hashedGroups(Decimal.self, rows, isOptional)
        case .uuid: column.hashedGroups(UUID.self, rows, isOptional)
        case .data: column.hashedGroups(Data.self, rows, isOptional)
        case .blob: column.hashedGroups(Blob.self, rows, isOptional)
        case .reference: RowGroups(whole: rows.count)
        }
    }
}

extension RowGroups {
    /// Gives the next row a number that somebody else keeps for its value.
    ///
    /// There may be a number for no value besides, so theirs are not these.
    @inline(__always)
    mutating func append(_ result: (number: Int32, isNew: Bool)) {
        guard !result.isNew else {
            _ = appendNew()
            return
        }
        // Values that came after the first row without value have one more.
        append(
            null.map { result.number >= $0 ? result.number + 1 : result.number } ?? result.number)
    }

    /// The groups that these make up when those of their firsts are united.
    func united(by others: RowGroups) -> RowGroups {
        var result = RowGroups(capacity: numbers.count)
        for number in numbers { result.append(others.numbers[Int(number)]) }
        result.firsts = ContiguousArray(others.firsts.map { firsts[$0] })
        result.null = others.null
        return result
    }
}

extension Column {
    /// Gives the next rows numbers that somebody else keeps for their elements, or that of no value.
    @inline(__always)
    private func append<Element: ColumnElement>(
        _ rows: ContiguousArray<Row>, in part: Range<Int>? = nil, _ isOptional: Bool,
        to groups: inout RowGroups,
        _ number: (UnsafePointer<Element>) -> (number: Int32, isNew: Bool)
    ) {
        forEach(Element.self, at: rows, in: part) { _, element, isValid in
            if isOptional, !isValid {
                groups.appendNull()
            } else {
                groups.append(number(element))
            }
        } otherwise: { _ in
            groups.appendNull()
        }
    }

    /// Rows grouped by words that are equal where their elements are.
    @inline(__always)
    fileprivate func wordGroups<Element: ColumnElement>(
        _ rows: ContiguousArray<Row>, _ isOptional: Bool, _ word: (Element) -> UInt64
    ) -> RowGroups {
        var groups = RowGroups(capacity: rows.count)
        var numbers = WordNumbers()
        append(rows, isOptional, to: &groups) { numbers.number(of: word($0.pointee)) }
        return groups
    }

    /// Rows grouped by integers: with a number for each integer there may be where these lie close.
    fileprivate func integerGroups(
        _ rows: ContiguousArray<Row>, _ isOptional: Bool
    ) -> RowGroups {
        var (least, greatest) = (Int64.max, Int64.min)
        forEach(Int64.self, at: rows) { _, element, _ in
            least = min(least, element.pointee)
            greatest = max(greatest, element.pointee)
        }
        let (width, isOverflow) = greatest.subtractingReportingOverflow(least)
        guard !isOverflow, width >= 0, width < 4 * rows.count + 1_024 else {
            return wordGroups(rows, isOptional) { (value: Int64) in UInt64(bitPattern: value) }
        }
        var groups = RowGroups(capacity: rows.count)
        var numbers = ContiguousArray<Int32>(repeating: -1, count: Int(width) + 1)
        numbers.withUnsafeMutableBufferPointer { numbers in
            forEach(Int64.self, at: rows) { _, element, isValid in
                let index = Int(element.pointee &- least)
                if isOptional, !isValid {
                    groups.appendNull()
                } else if numbers[index] >= 0 {
                    groups.append(numbers[index])
                } else {
                    numbers[index] = groups.appendNew()
                }
            } otherwise: { _ in
                groups.appendNull()
            }
        }
        return groups
    }

    /// Rows grouped by how their texts lie in memory first, and these groups then by the texts.
    fileprivate func textGroups(
        _ rows: ContiguousArray<Row>, _ isOptional: Bool
    ) -> RowGroups {
        guard let groups = representationGroups(rows, isOptional) else {
            return hashedTextGroups(rows, isOptional)
        }
        let firsts = ContiguousArray(groups.firsts.map { rows[$0] })
        let texts = hashedTextGroups(firsts, isOptional)
        return texts.count == groups.count ? groups : groups.united(by: texts)
    }

    private func hashedTextGroups(
        _ rows: ContiguousArray<Row>, _ isOptional: Bool
    ) -> RowGroups {
        var groups = RowGroups(capacity: rows.count)
        var numbers = TextNumbers()
        append(rows, isOptional, to: &groups) { numbers.number(of: $0) }
        return groups
    }

    /// Rows grouped by how their texts lie in memory; `nil` where most lie on their own, so that it does
    /// not help.
    private func representationGroups(
        _ rows: ContiguousArray<Row>, _ isOptional: Bool
    ) -> RowGroups? {
        guard RepresentationNumbers.isPossible else { return nil }
        var groups = RowGroups(capacity: rows.count)
        var numbers = RepresentationNumbers()
        // Tried on some of the rows first.
        let trial = rows.count / 8
        for part in [0..<trial, trial..<rows.count] {
            append(rows, in: part, isOptional, to: &groups) { numbers.number(of: $0) }
            if part.upperBound == trial, groups.count > 1 << 10, groups.count > trial / 4 * 3 {
                return nil
            }
        }
        return groups
    }

    @inline(__always)
    fileprivate func hashedGroups<Element: ColumnElement>(
        _ type: Element.Type, _ rows: ContiguousArray<Row>, _ isOptional: Bool
    ) -> RowGroups {
        var groups = RowGroups(capacity: rows.count)
        var numbers: [Element: Int32] = [:]
        append(rows, isOptional, to: &groups) { (element: UnsafePointer<Element>) in
            if let number = numbers[element.pointee] { return (number, false) }
            let number = Int32(truncatingIfNeeded: numbers.count)
            numbers[element.pointee] = number
            return (number, true)
        }
        return groups
    }
}
