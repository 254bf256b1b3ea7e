import Foundation

extension Graph {
    /// Whether an attribute may hold no value.
    private func isOptional(_ slot: Int, in table: Int) -> Bool {
        layout.tables[table].properties[slot].attribute?.isOptional ?? true
    }

    /// The rows whose attribute compares so with a constant, whether they exist or not.
    func scan(
        _ slot: Int, _ comparison: ComparisonOperator, _ constant: Datum, in table: Int,
        chunks: Int
    ) -> RowSet {
        // A value that is nil equals nothing but nil, so it is unequal to every constant.
        let isOptional = isOptional(slot, in: table)
        let nullAnswer: Bool? = isOptional ? comparison.holds(.null, constant) : nil
        if constant == .null {
            let others = comparison.holds(.boolean(false), .null)
            guard let nullAnswer, nullAnswer != others else {
                return RowSet(chunks: chunks, repeating: others)
            }
            let values = validRows(slot, in: table, chunks: chunks)
            return nullAnswer ? values.inverted : values
        }
        let column = tables[table].columns[slot]
        return switch column.kind {
        case .integer: column.scanOrder(Int64.self, comparison, constant, chunks, nullAnswer)
        case .double: column.scanOrder(Double.self, comparison, constant, chunks, nullAnswer)
        case .decimal: column.scanOrder(Decimal.self, comparison, constant, chunks, nullAnswer)
        case .string: column.scanText(comparison, constant, chunks, nullAnswer)
        case .boolean:
            column.scanEquality(comparison, constant, chunks, nullAnswer, Datum.boolean)
        case .uuid: column.scanEquality(comparison, constant, chunks, nullAnswer, Datum.uuid)
        case .data: column.scanEquality(comparison, constant, chunks, nullAnswer, Datum.data)
        case .reference: RowSet(chunks: chunks)
        }
    }

    /// The rows whose attribute is one of some values, whether they exist or not.
    func scan(_ slot: Int, among values: Set<Datum>, in table: Int, chunks: Int) -> RowSet {
        let nullAnswer: Bool? = isOptional(slot, in: table) ? values.contains(.null) : nil
        let column = tables[table].columns[slot]
        return switch column.kind {
        case .boolean: column.scan(Bool.self, among: values, chunks, nullAnswer)
        case .integer: column.scan(Int64.self, among: values, chunks, nullAnswer)
        case .double: column.scan(Double.self, among: values, chunks, nullAnswer)
        case .decimal: column.scan(Decimal.self, among: values, chunks, nullAnswer)
        case .string: column.scan(String.self, among: values, chunks, nullAnswer)
        case .uuid: column.scan(UUID.self, among: values, chunks, nullAnswer)
        case .data: column.scan(Data.self, among: values, chunks, nullAnswer)
        case .reference: RowSet(chunks: chunks)
        }
    }

    /// The rows whose text passes a test, whether they exist or not.
    func scan(_ slot: Int, _ test: TextTest, in table: Int, chunks: Int) -> RowSet {
        let column = tables[table].columns[slot]
        guard column.kind == .string else { return RowSet(chunks: chunks) }
        return column.scan(chunks, isOptional(slot, in: table) ? false : nil) { (text: String) in
            test.passes(text)
        }
    }

    private func validRows(_ slot: Int, in table: Int, chunks: Int) -> RowSet {
        var result = RowSet(chunks: chunks)
        for chunk in 0..<chunks {
            let validity = tables[table].columns[slot].block(chunk).validity
            for word in 0..<ChunkLayout.words {
                result.words[chunk * ChunkLayout.words + word] = validity[word]
            }
        }
        return result
    }
}

extension Column {
    /// The rows whose element compares so with a constant; `nullAnswer` for rows without a value.
    @inline(__always)
    fileprivate func scanOrder<Element: ColumnElement & Comparable>(
        _ type: Element.Type, _ comparison: ComparisonOperator, _ constant: Datum, _ chunks: Int,
        _ nullAnswer: Bool?
    ) -> RowSet {
        guard let constant = constant.element(of: type) else {
            return RowSet(chunks: chunks, repeating: comparison == .notEqual)
        }
        // The operator is chosen once, so that each loop holds one comparison.
        return switch comparison {
        case .equal: scan(chunks, nullAnswer) { $0 == constant }
        case .notEqual: scan(chunks, nullAnswer) { $0 != constant }
        case .less: scan(chunks, nullAnswer) { $0 < constant }
        case .lessOrEqual: scan(chunks, nullAnswer) { $0 <= constant }
        case .greater: scan(chunks, nullAnswer) { $0 > constant }
        case .greaterOrEqual: scan(chunks, nullAnswer) { $0 >= constant }
        }
    }

    /// The same for text, whose equality takes less time to ask for than its order.
    fileprivate func scanText(
        _ comparison: ComparisonOperator, _ constant: Datum, _ chunks: Int, _ nullAnswer: Bool?
    ) -> RowSet {
        guard let constant = constant.element(of: String.self) else {
            return RowSet(chunks: chunks, repeating: comparison == .notEqual)
        }
        return switch comparison {
        case .equal: scan(chunks, nullAnswer) { $0 == constant }
        case .notEqual: scan(chunks, nullAnswer) { $0 != constant }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            scan(chunks, nullAnswer) { (text: String) in
                comparison.holds(text.canonicalOrder(to: constant), 0)
            }
        }
    }

    /// The same for elements that are seldom asked for their order.
    @inline(__always)
    fileprivate func scanEquality<Element: ColumnElement>(
        _ comparison: ComparisonOperator, _ constant: Datum, _ chunks: Int, _ nullAnswer: Bool?,
        _ datum: (Element) -> Datum
    ) -> RowSet {
        guard let element = constant.element(of: Element.self) else {
            return RowSet(chunks: chunks, repeating: comparison == .notEqual)
        }
        return switch comparison {
        case .equal: scan(chunks, nullAnswer) { $0 == element }
        case .notEqual: scan(chunks, nullAnswer) { $0 != element }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            scan(chunks, nullAnswer) { comparison.holds(datum($0), constant) }
        }
    }

    /// The rows whose element is one of some values; `nullAnswer` for rows without a value.
    @inline(__always)
    fileprivate func scan<Element: ColumnElement>(
        _ type: Element.Type, among values: Set<Datum>, _ chunks: Int, _ nullAnswer: Bool?
    ) -> RowSet {
        let elements = Set(values.compactMap { $0.element(of: type) })
        // A few comparisons take less time than a hash.
        guard elements.count > 8 else {
            let few = Array(elements)
            return scan(chunks, nullAnswer) { few.contains($0) }
        }
        return scan(chunks, nullAnswer) { elements.contains($0) }
    }

    /// The rows whose element satisfies `isIncluded`; `nullAnswer`, if any, for rows without a value.
    @inline(__always)
    func scan<Element: ColumnElement>(
        _ chunks: Int, _ nullAnswer: Bool?, where isIncluded: (Element) -> Bool
    ) -> RowSet {
        var result = RowSet(chunks: chunks)
        result.words.withUnsafeMutableBufferPointer { words in
            for chunk in 0..<chunks {
                let block = block(chunk)
                let elements = block.elements(of: Element.self)
                for word in 0..<ChunkLayout.words {
                    var bits: UInt64 = 0
                    for bit in 0..<64 {
                        let answer: UInt64 = isIncluded(elements[word &* 64 &+ bit]) ? 1 : 0
                        bits |= answer &<< UInt64(truncatingIfNeeded: bit)
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
    /// All rows of some chunks, or none.
    init(chunks: Int, repeating isIncluded: Bool) {
        words = ContiguousArray(
            repeating: isIncluded ? .max : 0, count: chunks * ChunkLayout.words)
    }

    /// The number of chunks that the set has room for.
    var chunks: Int { words.count / ChunkLayout.words }

    /// The rows of the same chunks that are not in the set.
    var inverted: RowSet {
        var result = self
        for index in words.indices { result.words[index] = ~words[index] }
        return result
    }

    /// The rows that satisfy `isIncluded`.
    func filter(_ isIncluded: (Int32) -> Bool) -> RowSet {
        var result = RowSet(chunks: chunks)
        forEach { if isIncluded($0) { result.insert($0) } }
        return result
    }
}
