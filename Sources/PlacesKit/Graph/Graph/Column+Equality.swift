import Foundation

extension Column {
    /// Whether two columns of one kind hold the same at a row, to the last bit.
    ///
    /// Canonically equivalent text in other bytes is a change that a file must keep.
    func isEqual(to other: Column, at row: Row) -> Bool {
        let chunk = row.chunk
        let (left, right) = (block(chunk), other.block(chunk))
        let offset = row.offset
        if left == right { return true }
        guard left.isValid(at: offset), right.isValid(at: offset) else {
            return left.isValid(at: offset) == right.isValid(at: offset)
        }
        return switch kind {
        case .boolean: left.holdsSame(Bool.self, as: right, at: offset)
        case .integer: left.holdsSame(Int64.self, as: right, at: offset)
        case .double: left.holdsSame(Double.self, as: right, at: offset)
        case .decimal: left.holdsSame(Decimal.self, as: right, at: offset)
        case .string: left.holdsSame(String.self, as: right, at: offset)
        case .uuid: left.holdsSame(UUID.self, as: right, at: offset)
        case .data: left.holdsSame(Data.self, as: right, at: offset)
        case .blob: left.holdsSame(Blob.self, as: right, at: offset)
        case .reference: left.holdsSame(Row.self, as: right, at: offset)
        }
    }

    /// Calls `body` with each row at which this column and `other`, of the same kind, differ.
    func forEachDifference(from other: Column, _ body: (Row) -> Void) {
        forEachChunk(differingFrom: other) { chunk in
            let (left, right) = (block(chunk), other.block(chunk))
            for word in 0..<ChunkLayout.words {
                // Most rows of a chunk are the same to the last bit: 64 are passed at once.
                let position = ChunkLayout.elementsOffset + word * 64 * kind.stride
                if left.validity[word] == right.validity[word],
                    memcmp(left + position, right + position, 64 * kind.stride) == 0
                {
                    continue
                }
                let first = Row(chunk: chunk, offset: word * 64)
                for row in first..<first.advanced(by: 64) where !isEqual(to: other, at: row) {
                    body(row)
                }
            }
        }
    }
}

extension UnsafeMutableRawPointer {
    @inline(__always)
    fileprivate func holdsSame<Element: ColumnElement>(
        _ type: Element.Type, as other: UnsafeMutableRawPointer, at offset: Int
    ) -> Bool {
        elements(of: type)[offset].isIdentical(to: other.elements(of: type)[offset])
    }
}

extension ColumnElement {
    /// Whether writing `other` instead of this element would change nothing.
    ///
    /// Text that is only canonically equivalent, and zeros of either sign, are a change; no number
    /// is not.
    @inline(__always)
    func isIdentical(to other: Self) -> Bool {
        switch (self, other) {
        case (let a as Double, let b as Double): a.bitPattern == b.bitPattern
        case (let a as String, let b as String): a == b && a.utf8.elementsEqual(b.utf8)
        default: self == other
        }
    }
}
