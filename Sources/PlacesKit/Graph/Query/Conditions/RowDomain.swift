/// The rows that conditions are asked of at once, each at a position.
///
/// A set of positions is a `RowSet`, too: either the positions are the rows of a table's chunks, or
/// they count through a list of rows, which takes less time where the rows are few.
struct RowDomain {
    /// The rows by their positions; `nil` where each row is its own position.
    let rows: ContiguousArray<Row>?

    /// All rows of a table.
    static var table: RowDomain { RowDomain(rows: nil) }

    /// The row at a position.
    @inline(__always)
    func row(at position: Row) -> Row { rows.map { $0[position.index] } ?? position }
}

extension RowSet {
    /// The first `count` positions of a list.
    init(positions count: Int) {
        words = ContiguousArray(repeating: .max, count: (count + 63) >> 6)
        if count & 63 != 0 { words[words.count - 1] = .max >> UInt64(64 - count & 63) }
    }

    /// Whether there are no rows.
    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// An empty set with the same room.
    var emptied: RowSet {
        var result = self
        for index in result.words.indices { result.words[index] = 0 }
        return result
    }

    /// The rows of the same room that are not in the set.
    var inverted: RowSet {
        var result = self
        for index in words.indices { result.words[index] = ~words[index] }
        return result
    }

    /// The rows that satisfy `isIncluded`.
    @inline(__always)
    func filter(_ isIncluded: (Row) -> Bool) -> RowSet {
        var result = emptied
        forEach { if isIncluded($0) { result.insert($0) } }
        return result
    }
}

extension Column {
    /// The candidates whose element satisfies `isIncluded`; `nullAnswer`, if any, for rows without
    /// a value.
    ///
    /// `verdict` tells the answer for all values of a chunk, where it is one.
    @inline(__always)
    func scan<Element: ColumnElement>(
        _ domain: RowDomain, _ candidates: RowSet, _ nullAnswer: Bool?,
        verdict: (Int) -> Bool? = { _ in nil }, where isIncluded: (Element) -> Bool
    ) -> RowSet {
        if let rows = domain.rows {
            return candidates.filter { position in
                let row = rows[position.index]
                let block = block(row.chunk)
                let offset = row.offset
                if let nullAnswer, !block.isValid(at: offset) { return nullAnswer }
                return isIncluded(block.elements(of: Element.self)[offset])
            }
        }
        var result = candidates
        result.words.withUnsafeMutableBufferPointer { words in
            for chunk in 0..<words.count / ChunkLayout.words {
                let block = block(chunk)
                if let answer = verdict(chunk) {
                    for word in 0..<ChunkLayout.words {
                        let index = chunk &* ChunkLayout.words &+ word
                        let validity = block.validity[word]
                        switch nullAnswer {
                        case nil: if !answer { words[index] = 0 }
                        case false?: words[index] &= answer ? validity : 0
                        case true?: words[index] &= answer ? .max : ~validity
                        }
                    }
                    continue
                }
                let start = chunk &* ChunkLayout.words
                // Strings are made of a chunk's texts only if one is asked for.
                if words[start..<start &+ ChunkLayout.words].allSatisfy({ $0 == 0 }) { continue }
                let elements = block.elements(of: Element.self)
                for word in 0..<ChunkLayout.words {
                    let index = start &+ word
                    let asked = words[index]
                    if asked == 0 { continue }
                    let first = elements + word &* 64
                    var bits: UInt64 = 0
                    if asked != .max, asked.nonzeroBitCount < 16 {
                        var rest = asked
                        while rest != 0 {
                            let bit = rest.trailingZeroBitCount
                            if isIncluded(first[bit]) {
                                bits |= 1 &<< UInt64(truncatingIfNeeded: bit)
                            }
                            rest &= rest &- 1
                        }
                    } else {
                        for bit in 0..<64 {
                            let answer: UInt64 = isIncluded(first[bit]) ? 1 : 0
                            bits |= answer &<< UInt64(truncatingIfNeeded: bit)
                        }
                    }
                    switch nullAnswer {
                    case nil: break
                    case false?: bits &= block.validity[word]
                    case true?: bits |= ~block.validity[word]
                    }
                    words[index] = bits & asked
                }
            }
        }
        return result
    }

    /// The candidates that hold a value.
    func scanValid(_ domain: RowDomain, _ candidates: RowSet) -> RowSet {
        if let rows = domain.rows {
            return candidates.filter { isValid(at: rows[$0.index]) }
        }
        var result = candidates
        for chunk in 0..<result.words.count / ChunkLayout.words {
            let validity = block(chunk).validity
            for word in 0..<ChunkLayout.words {
                result.words[chunk * ChunkLayout.words + word] &= validity[word]
            }
        }
        return result
    }
}
