import Foundation

extension Graph {
    /// Whether an attribute may hold no value.
    private func isOptional(_ slot: Slot, in table: TableNumber) -> Bool {
        layout.tables[table].properties[slot].attribute?.isOptional ?? true
    }

    /// The candidates whose attribute compares so with a constant.
    func scan(
        _ slot: Slot, _ comparison: ComparisonOperator, _ constant: Datum, in table: TableNumber,
        _ domain: RowDomain, _ candidates: RowSet, _ tally: inout ScanTally
    ) -> RowSet {
        // A value that is nil equals nothing but nil, so it is unequal to every constant.
        let isOptional = isOptional(slot, in: table)
        let nullAnswer: Bool? = isOptional ? comparison.holds(.null, constant) : nil
        if constant == .null {
            let others = comparison.holds(.boolean(false), .null)
            guard let nullAnswer, nullAnswer != others else {
                return others ? candidates : candidates.emptied
            }
            let values = tables[table].columns[slot].scanValid(domain, candidates)
            guard nullAnswer else { return values }
            var result = candidates
            result.subtract(values)
            return result
        }
        let column = tables[table].columns[slot]
        return switch column.kind {
        case .integer:
            column.scanNumbers(
                Int64.self, comparison, constant, domain, candidates, nullAnswer, writer, &tally,
                \.orderedBits)
        case .double:
            column.scanNumbers(
                Double.self, comparison, constant, domain, candidates, nullAnswer, writer, &tally
            ) { $0.isNaN ? nil : $0.orderedBits }
        case .decimal:
            column.scanOrder(Decimal.self, comparison, constant, domain, candidates, nullAnswer)
        case .string:
            column.scanText(comparison, constant, domain, candidates, nullAnswer, writer)
        case .boolean:
            column.scanEquality(
                comparison, constant, domain, candidates, nullAnswer, Datum.boolean)
        case .uuid:
            column.scanEquality(
                comparison, constant, domain, candidates, nullAnswer, Datum.uuid)
        case .data:
            column.scanEquality(
                comparison, constant, domain, candidates, nullAnswer, Datum.data)
        case .blob:
            column.scanEquality(comparison, constant, domain, candidates, nullAnswer) {
                (blob: Blob) in blob.data.map(Datum.data) ?? .null
            }
        case .reference: candidates.emptied
        }
    }

    /// The candidates whose attribute is one of some values.
    func scan(
        _ slot: Slot, among values: Set<Datum>, in table: TableNumber, _ domain: RowDomain,
        _ candidates: RowSet
    ) -> RowSet {
        let nullAnswer: Bool? = isOptional(slot, in: table) ? values.contains(.null) : nil
        let column = tables[table].columns[slot]
        return switch column.kind {
        case .boolean: column.scan(Bool.self, among: values, domain, candidates, nullAnswer)
        case .integer: column.scan(Int64.self, among: values, domain, candidates, nullAnswer)
        case .double: column.scan(Double.self, among: values, domain, candidates, nullAnswer)
        case .decimal: column.scan(Decimal.self, among: values, domain, candidates, nullAnswer)
        case .string: column.scan(String.self, among: values, domain, candidates, nullAnswer)
        case .uuid: column.scan(UUID.self, among: values, domain, candidates, nullAnswer)
        case .data: column.scan(Data.self, among: values, domain, candidates, nullAnswer)
        case .blob: column.scan(Blob.self, among: values, domain, candidates, nullAnswer)
        case .reference: candidates.emptied
        }
    }

    /// The candidates whose text passes a test.
    func scan(
        _ slot: Slot, _ test: TextTest, in table: TableNumber, _ domain: RowDomain,
        _ candidates: RowSet
    ) -> RowSet {
        let column = tables[table].columns[slot]
        guard column.kind == .string else { return candidates.emptied }
        let nullAnswer: Bool? = isOptional(slot, in: table) ? false : nil
        if domain.rows == nil, let result = column.scanFolded(test, candidates, nullAnswer) {
            return result
        }
        return column.scan(domain, candidates, nullAnswer) { (text: String) in test.passes(text) }
    }
}

extension Column {
    /// The candidates whose number compares so with a constant, with a look at the bounds of each chunk
    /// first.
    @inline(__always)
    fileprivate func scanNumbers<Element: ColumnElement & Comparable>(
        _ type: Element.Type, _ comparison: ComparisonOperator, _ constant: Datum,
        _ domain: RowDomain, _ candidates: RowSet, _ nullAnswer: Bool?, _ writer: UInt64,
        _ tally: inout ScanTally, _ bits: (Element) -> UInt64?
    ) -> RowSet {
        guard let bits = constant.element(of: type).flatMap(bits) else {
            return scanOrder(type, comparison, constant, domain, candidates, nullAnswer)
        }
        var found = ScanTally()
        defer {
            tally = ScanTally(
                skipped: tally.skipped + found.skipped, whole: tally.whole + found.whole)
        }
        return scanOrder(type, comparison, constant, domain, candidates, nullAnswer) { chunk in
            let bounds = settledChunk(chunk, writer: writer)?.statistics?
                .bounds(ofValues: nullAnswer != nil)
            guard let answer = bounds?.verdict(comparison, bits) else { return nil }
            found.note(answer)
            return answer
        }
    }

    /// The candidates whose element compares so with a constant; `nullAnswer` for rows without a value.
    @inline(__always)
    fileprivate func scanOrder<Element: ColumnElement & Comparable>(
        _ type: Element.Type, _ comparison: ComparisonOperator, _ constant: Datum,
        _ domain: RowDomain, _ candidates: RowSet, _ nullAnswer: Bool?,
        verdict: (Int) -> Bool? = { _ in nil }
    ) -> RowSet {
        guard let constant = constant.element(of: type) else {
            return comparison == .notEqual ? candidates : candidates.emptied
        }
        @inline(__always)
        func scan(where isIncluded: (Element) -> Bool) -> RowSet {
            self.scan(domain, candidates, nullAnswer, verdict: verdict, where: isIncluded)
        }
        // The operator is chosen once, so that each loop holds one comparison.
        return switch comparison {
        case .equal: scan { $0 == constant }
        case .notEqual: scan { $0 != constant }
        case .less: scan { $0 < constant }
        case .lessOrEqual: scan { $0 <= constant }
        case .greater: scan { $0 > constant }
        case .greaterOrEqual: scan { $0 >= constant }
        }
    }

    /// The same for text, whose equality takes less time to ask for than its order.
    fileprivate func scanText(
        _ comparison: ComparisonOperator, _ constant: Datum, _ domain: RowDomain,
        _ candidates: RowSet, _ nullAnswer: Bool?, _ writer: UInt64
    ) -> RowSet {
        guard let constant = constant.element(of: String.self) else {
            return comparison == .notEqual ? candidates : candidates.emptied
        }
        if domain.rows == nil, comparison == .equal || comparison == .notEqual, StringBits.isKnown,
            constant.utf8.allSatisfy({ $0 < 128 })
        {
            return scanEqual(
                constant, isEqual: comparison == .equal, candidates, nullAnswer, writer)
        }
        return switch comparison {
        case .equal: scan(domain, candidates, nullAnswer) { $0 == constant }
        case .notEqual: scan(domain, candidates, nullAnswer) { $0 != constant }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            scan(domain, candidates, nullAnswer) { (text: String) in
                comparison.holds(text.canonicalOrder(to: constant), 0)
            }
        }
    }

    /// The same for elements that are seldom asked for their order.
    @inline(__always)
    fileprivate func scanEquality<Element: ColumnElement>(
        _ comparison: ComparisonOperator, _ constant: Datum, _ domain: RowDomain,
        _ candidates: RowSet, _ nullAnswer: Bool?, _ datum: (Element) -> Datum
    ) -> RowSet {
        guard let element = constant.element(of: Element.self) else {
            return comparison == .notEqual ? candidates : candidates.emptied
        }
        return switch comparison {
        case .equal: scan(domain, candidates, nullAnswer) { $0 == element }
        case .notEqual: scan(domain, candidates, nullAnswer) { $0 != element }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            scan(domain, candidates, nullAnswer) { comparison.holds(datum($0), constant) }
        }
    }

    /// The candidates whose element is one of some values; `nullAnswer` for rows without a value.
    @inline(__always)
    fileprivate func scan<Element: ColumnElement>(
        _ type: Element.Type, among values: Set<Datum>, _ domain: RowDomain,
        _ candidates: RowSet, _ nullAnswer: Bool?
    ) -> RowSet {
        let elements = Set(values.compactMap { $0.element(of: type) })
        // A few comparisons take less time than a hash.
        guard elements.count > 8 else {
            let few = Array(elements)
            return scan(domain, candidates, nullAnswer) { few.contains($0) }
        }
        return scan(domain, candidates, nullAnswer) { elements.contains($0) }
    }
}
