import Foundation

extension Column {
    /// Whether two columns of one kind hold the same at a row, to the last bit.
    ///
    /// Canonically equivalent text in other bytes is a change that a file must keep.
    ///
    /// Inlined, so that who compares columns of graphs passes pointers: as values they would be retained each time.
    @inline(__always)
    func isEqual(to other: Column, at row: Row) -> Bool {
        let (left, right) = (block(row.chunk), other.block(row.chunk))
        return left == right || left.holdsSame(as: right, kind, at: row.offset)
    }

    /// Calls `body` with each row at which this column and `other`, of the same kind, differ.
    func forEachDifference(from other: Column, _ body: (Row) -> Void) {
        forEachChunk(differingFrom: other) { chunk in
            let (left, right) = (block(chunk), other.block(chunk))
            // Bytes are compared as they lie.
            left.makeStrings()
            right.makeStrings()
            for word in 0..<ChunkLayout.words {
                // Most rows of a chunk are the same to the last bit: 64 are passed at once.
                let position = ChunkLayout.elementsOffset + word * 64 * kind.stride
                if left.validity[word] == right.validity[word],
                    memcmp(left + position, right + position, 64 * kind.stride) == 0
                {
                    continue
                }
                let first = Row(chunk: chunk, offset: word * 64)
                for row in first..<first.advanced(by: 64)
                where !left.holdsSame(as: right, kind, at: row.offset) {
                    body(row)
                }
            }
        }
    }
}

extension UnsafeMutableRawPointer {
    /// Whether two blocks of chunks of a kind hold the same at an offset.
    fileprivate func holdsSame(
        as other: UnsafeMutableRawPointer, _ kind: ColumnKind, at offset: Int
    ) -> Bool {
        guard isValid(at: offset), other.isValid(at: offset) else {
            return isValid(at: offset) == other.isValid(at: offset)
        }
        return switch kind {
        case .boolean: holdsSame(Bool.self, as: other, at: offset)
        case .integer: holdsSame(Int64.self, as: other, at: offset)
        case .double: holdsSame(Double.self, as: other, at: offset)
        case .decimal: holdsSame(Decimal.self, as: other, at: offset)
        case .string: holdsSame(String.self, as: other, at: offset)
        case .uuid: holdsSame(UUID.self, as: other, at: offset)
        case .data: holdsSame(Data.self, as: other, at: offset)
        case .blob: holdsSame(Blob.self, as: other, at: offset)
        case .reference: holdsSame(Row.self, as: other, at: offset)
        }
    }

    @inline(__always)
    private func holdsSame<Element: ColumnElement>(
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
