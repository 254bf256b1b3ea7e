import Foundation

extension Graph {
    /// The rows of a table that satisfy a condition.
    ///
    /// Conditions on attributes run over whole column chunks. A condition across a relationship is
    /// evaluated on the other table first, and joined as a set of rows. `opaque` answers for what was
    /// not compiled, and is asked only about rows that no other condition excludes.
    func rows(
        matching condition: Condition, in table: Int, opaque: (Int32) -> Bool
    ) -> RowSet {
        rows(matching: condition, in: table, among: rows(in: table), opaque: opaque)
    }

    private func rows(
        matching condition: Condition, in table: Int, among candidates: RowSet,
        opaque: (Int32) -> Bool
    ) -> RowSet {
        switch condition {
        case .constant(let answer): return answer ? candidates : RowSet(like: candidates)
        case .not(let condition):
            var result = candidates
            result.subtract(rows(matching: condition, in: table, among: candidates, opaque: opaque))
            return result
        case .all(let conditions):
            var result = candidates
            for condition in conditions.filter({ !$0.isOpaque })
                + conditions.filter({ $0.isOpaque })
            {
                result = rows(matching: condition, in: table, among: result, opaque: opaque)
            }
            return result
        case .any(let conditions):
            var result = RowSet(like: candidates)
            for condition in conditions {
                result.formUnion(
                    rows(matching: condition, in: table, among: candidates, opaque: opaque))
            }
            return result
        case .comparison(.attribute(let path), let comparison, .constant(let constant))
        where path.count == 1 && constant != .null:
            var result = scan(path[0], comparison, constant, in: table, chunks: candidates.chunks)
            result.formIntersection(candidates)
            return result
        case .related(let slot, let condition, let otherwise):
            let destination = destination(of: slot, in: table)
            let targets = rows(matching: condition, in: destination) { _ in false }
            var result = scan(slot, in: table, chunks: candidates.chunks) { target in
                target >= 0 ? targets.contains(target) : otherwise
            }
            result.formIntersection(candidates)
            return result
        case .anyMember(let slot, let condition):
            var result = owners(of: condition, slot, in: table, like: candidates)
            result.formIntersection(candidates)
            return result
        case .text(.attribute(let path), let comparison, let other) where path.count == 1:
            let column = tables[table].columns[path[0]]
            guard column.kind == .string else { return RowSet(like: candidates) }
            let isOptional =
                schema.entities[table].properties[path[0]].attribute?.isOptional ?? true
            return candidates.filter { row in
                (!isOptional || column.isValid(at: row))
                    && comparison.holds(column.element(String.self, at: row), other)
            }
        case .comparison, .membership, .text, .opaque:
            return candidates.filter { row in
                matches(condition, row, in: table, opaque: opaque)
            }
        }
    }

    /// The owners of the members that satisfy a condition.
    private func owners(
        of condition: Condition, _ slot: Int, in table: Int, like candidates: RowSet
    ) -> RowSet {
        var result = RowSet(like: candidates)
        let destination = destination(of: slot, in: table)
        let members = rows(matching: condition, in: destination) { _ in false }
        switch layout.tables[table].relationships[slot] {
        case .toMany(let list):
            members.forEach { member in
                let owner = reference(member, list.owner, in: list.members)
                if owner >= 0 { result.insert(owner) }
            }
        case .manyToMany(let own, let other):
            members.forEach { member in
                var edge = reference(member, other.head, in: other.owners)
                while edge >= 0 {
                    result.insert(reference(edge, own.owner, in: own.members))
                    edge = reference(edge, other.next, in: other.members)
                }
            }
        case .toOne, .oneToOne, nil: break
        }
        return result
    }

    // MARK: - Scans

    /// The rows whose attribute compares so with a constant, whether they exist or not.
    private func scan(
        _ slot: Int, _ comparison: ComparisonOperator, _ constant: Datum, in table: Int,
        chunks: Int
    ) -> RowSet {
        // A value that is nil equals nothing but nil, so it is unequal to every constant.
        let isOptional = schema.entities[table].properties[slot].attribute?.isOptional ?? true
        let nullAnswer: Bool? = isOptional ? comparison == .notEqual : nil
        let column = tables[table].columns[slot]
        switch (column.kind, constant) {
        case (.integer, .integer(let value)):
            return column.scan(comparison, value, chunks, nullAnswer)
        case (.double, .double(let value)):
            return column.scan(comparison, value, chunks, nullAnswer)
        case (.double, .date(let value)):
            return column.scan(
                comparison, value.timeIntervalSinceReferenceDate, chunks, nullAnswer)
        case (.string, .string(let value)):
            return column.scan(comparison, value, chunks, nullAnswer)
        case (.boolean, .boolean(let value)):
            return column.scan(chunks, nullAnswer) { (element: Bool) in
                comparison.holds(element ? 1 : 0, value ? 1 : 0)
            }
        case (.uuid, .uuid(let value)):
            return column.scan(chunks, nullAnswer) { (element: UUID) in
                comparison.holds(Datum.uuid(element), .uuid(value))
            }
        case (.data, .data(let value)):
            return column.scan(chunks, nullAnswer) { (element: Data) in
                comparison.holds(Datum.data(element), .data(value))
            }
        default:
            let answer = comparison == .notEqual
            return RowSet(chunks: chunks, repeating: answer)
        }
    }

    private func scan(
        _ slot: Int, in table: Int, chunks: Int, where isIncluded: (Int32) -> Bool
    ) -> RowSet {
        tables[table].columns[slot].scan(chunks, nil, where: isIncluded)
    }
}

extension Column {
    /// The rows whose element compares so with a constant; `nullAnswer` for rows without a value.
    @inline(__always)
    fileprivate func scan<Element: ColumnElement & Comparable>(
        _ comparison: ComparisonOperator, _ constant: Element, _ chunks: Int, _ nullAnswer: Bool?
    ) -> RowSet {
        // The operator is chosen once, so that each loop holds one comparison.
        switch comparison {
        case .equal: scan(chunks, nullAnswer) { $0 == constant }
        case .notEqual: scan(chunks, nullAnswer) { $0 != constant }
        case .less: scan(chunks, nullAnswer) { $0 < constant }
        case .lessOrEqual: scan(chunks, nullAnswer) { $0 <= constant }
        case .greater: scan(chunks, nullAnswer) { $0 > constant }
        case .greaterOrEqual: scan(chunks, nullAnswer) { $0 >= constant }
        }
    }
}

extension Column {
    /// The rows whose element satisfies `isIncluded`; `nullAnswer`, if any, for rows without a value.
    @inline(__always)
    fileprivate func scan<Element: ColumnElement>(
        _ chunks: Int, _ nullAnswer: Bool?, where isIncluded: (Element) -> Bool
    ) -> RowSet {
        var result = RowSet(chunks: chunks)
        result.words.withUnsafeMutableBufferPointer { words in
            for chunk in 0..<chunks {
                let block = block(chunk)
                let elements = block.elements(of: Element.self)
                for word in 0..<ChunkLayout.words {
                    var bits: UInt64 = 0
                    for bit in 0..<64 where isIncluded(elements[word &* 64 &+ bit]) {
                        bits |= 1 &<< UInt64(truncatingIfNeeded: bit)
                    }
                    switch nullAnswer {
                    case nil: break
                    case false?: bits &= block.validity[word]
                    case true?: bits |= ~block.validity[word]
                    }
                    words[chunk &* ChunkLayout.words &+ word] = bits
                }
            }
        }
        return result
    }
}

extension RowSet {
    /// An empty set with the room of another.
    init(like other: RowSet) {
        words = ContiguousArray(repeating: 0, count: other.words.count)
    }

    /// All rows of some chunks, or none.
    init(chunks: Int, repeating isIncluded: Bool) {
        words = ContiguousArray(
            repeating: isIncluded ? .max : 0, count: chunks * ChunkLayout.words)
    }

    /// The number of chunks that the set has room for.
    var chunks: Int { words.count / ChunkLayout.words }

    /// The rows that satisfy `isIncluded`.
    func filter(_ isIncluded: (Int32) -> Bool) -> RowSet {
        var result = RowSet(like: self)
        forEach { if isIncluded($0) { result.insert($0) } }
        return result
    }
}
