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
        case .constant(let answer): return answer ? candidates : RowSet(chunks: candidates.chunks)
        case .not(let condition):
            var result = candidates
            result.subtract(rows(matching: condition, in: table, among: candidates, opaque: opaque))
            return result
        case .all(let conditions):
            var result = candidates
            for condition in conditions.filter({ !$0.isOpaque })
                + conditions.filter(\.isOpaque)
            {
                result = rows(matching: condition, in: table, among: result, opaque: opaque)
            }
            return result
        case .any(let conditions):
            var result = RowSet(chunks: candidates.chunks)
            for condition in conditions {
                result.formUnion(
                    rows(matching: condition, in: table, among: candidates, opaque: opaque))
            }
            return result
        case .opaque: return candidates.filter(opaque)
        case .comparison, .membership, .text, .texts, .related, .anyMember:
            guard var result = scan(condition, in: table, chunks: candidates.chunks) else {
                return candidates.filter { matches(condition, $0, in: table, opaque: opaque) }
            }
            result.formIntersection(candidates)
            return result
        }
    }

    /// The rows that satisfy a condition, whether they exist or not; `nil` where it must be asked of
    /// each row.
    private func scan(_ condition: Condition, in table: Int, chunks: Int) -> RowSet? {
        switch condition {
        case .comparison(.attribute(let path), let comparison, .constant(let constant))
        where path.count == 1 && !mixesNumbers(path[0], constant, in: table):
            scan(path[0], comparison, constant, in: table, chunks: chunks)
        case .comparison(.count(let path), let comparison, .constant(.integer(let constant)))
        where path.count == 1:
            scanCounts(path[0], in: table, chunks: chunks) { comparison.holds($0, constant) }
        case .comparison(.identity(let path), .equal, .constant(let constant)):
            scanIdentities(path, among: [constant], in: table, chunks: chunks)
        case .comparison(.identity(let path), .notEqual, .constant(let constant)):
            scanIdentities(path, among: [constant], in: table, chunks: chunks)?.inverted
        case .membership(.identity(let path), let values):
            scanIdentities(path, among: values, in: table, chunks: chunks)
        case .membership(.attribute(let path), let values) where path.count == 1:
            scan(path[0], among: values, in: table, chunks: chunks)
        case .text(.attribute(let path), let test) where path.count == 1:
            scan(path[0], test, in: table, chunks: chunks)
        case .related(let slot, let condition, let otherwise) where !condition.looksOut():
            scanTargets(of: condition, slot, otherwise, in: table, chunks: chunks)
        case .anyMember(let slot, let condition) where !condition.looksOut():
            owners(of: condition, slot, in: table, chunks: chunks)
        default: nil
        }
    }

    /// Whether an attribute and a constant are numbers of different kinds: those are compared row by
    /// row.
    private func mixesNumbers(_ slot: Int, _ constant: Datum, in table: Int) -> Bool {
        guard constant.number != nil,
            let attribute = layout.tables[table].properties[slot].attribute
        else { return false }
        let own = FormatType(attribute)
        return own.isNumber && own != FormatType(constant)
    }

    // MARK: - Relationships

    /// The rows of a relationship's destination that satisfy a condition, deleted ones among them:
    /// while a delete is denied, links still lead to its object.
    private func destinations(_ condition: Condition, _ slot: Int, in table: Int) -> RowSet {
        let destination = destination(of: slot, in: table)
        let everything = RowSet(chunks: tables[destination].chunkCount).inverted
        return rows(matching: condition, in: destination, among: everything) { _ in false }
    }

    private func scanTargets(
        of condition: Condition, _ slot: Int, _ otherwise: Bool, in table: Int, chunks: Int
    ) -> RowSet {
        let targets = destinations(condition, slot, in: table)
        return scanReferences(slot, in: table, chunks: chunks) { target in
            target >= 0 ? targets.contains(target) : otherwise
        }
    }

    /// The owners of the members that satisfy a condition.
    private func owners(
        of condition: Condition, _ slot: Int, in table: Int, chunks: Int
    ) -> RowSet {
        var result = RowSet(chunks: chunks)
        let members = destinations(condition, slot, in: table)
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

    private func scanCounts(
        _ slot: Int, in table: Int, chunks: Int, where isIncluded: (Int64) -> Bool
    ) -> RowSet? {
        switch layout.tables[table].relationships[slot] {
        case .toMany(let list), .manyToMany(let list, _):
            // The count's column holds -1, its unset value, until the first member comes.
            scanReferences(list.count, in: list.owners, chunks: chunks) {
                isIncluded(Int64(max(0, $0)))
            }
        case .toOne, .oneToOne, nil: nil
        }
    }

    /// The rows that are, or whose to-one relationship leads to, one of some rows or nowhere.
    private func scanIdentities(
        _ path: [Int], among values: Set<Datum>, in table: Int, chunks: Int
    ) -> RowSet? {
        var numbers: Set<Int32> = values.contains(.null) ? [noRow] : []
        for case .integer(let number) in values {
            if let row = Int32(exactly: number), row >= 0 { numbers.insert(row) }
        }
        switch path.count {
        case 0:
            var result = RowSet(chunks: chunks)
            for row in numbers where row >= 0 && Int(row) < chunks << ChunkLayout.shift {
                result.insert(row)
            }
            return result
        case 1:
            if numbers.count == 1, let number = numbers.first {
                return scanReferences(path[0], in: table, chunks: chunks) { $0 == number }
            }
            return scanReferences(path[0], in: table, chunks: chunks) { numbers.contains($0) }
        default: return nil
        }
    }

    private func scanReferences(
        _ column: Int, in table: Int, chunks: Int, where isIncluded: (Int32) -> Bool
    ) -> RowSet {
        tables[table].columns[column].scan(chunks, nil, where: isIncluded)
    }
}
