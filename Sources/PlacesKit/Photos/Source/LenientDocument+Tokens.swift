import PlacesBase

extension LenientDocument {
    /// Splits a text into its tokens.
    struct Tokenizer {
        private(set) var tokens: [Token] = []
        private(set) var slots: [UInt16] = []
        /// The open objects and arrays around the next value, by the indexes of their tokens.
        private var open: [Int] = []
        /// Whether the innermost of them is an object.
        private var isInObject = false

        init(capacity: Int) { tokens.reserveCapacity(capacity) }

        /// Reads a text, and repairs faults inside strings.
        mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
            var reader = JSONReader(bytes)
            reader.mendsStrings = true
            repeat {
                switch try reader.peekKind() {
                case .object:
                    try reader.beginObject()
                    enter(.object)
                case .array:
                    try reader.beginArray()
                    enter(.array)
                case .string: append(string: try reader.scanString())
                case .number: append(.number, try reader.scanNumber().range)
                case .boolean: append(try reader.readBool() ? .boolTrue : .boolFalse, 0..<0)
                case .null:
                    try reader.readNull()
                    append(.null, 0..<0)
                }
                try moveToNextValue(&reader)
            } while !open.isEmpty
            try reader.expectEnd()
        }

        /// Moves to the innermost container's next value, past its key; closes containers that end.
        private mutating func moveToNextValue(_ reader: inout JSONReader) throws(JSONError) {
            while let container = open.last {
                if isInObject {
                    if try reader.advanceToKey() {
                        append(string: try reader.scanString())
                        try reader.expectColon()
                        return
                    }
                    tokens[container].next = Int32(truncatingIfNeeded: tokens.count)
                    indexMembers(of: container, in: reader.bytes)
                } else {
                    if try reader.nextElement() { return }
                    tokens[container].next = Int32(truncatingIfNeeded: tokens.count)
                }
                open.removeLast()
                isInObject = open.last.map { tokens[$0].kind == .object } ?? false
            }
        }

        private mutating func enter(_ kind: Kind) {
            open.append(tokens.count)
            tokens.append(Token(kind: kind, next: 0))
            isInObject = kind == .object
        }

        @inline(__always)
        private mutating func append(string: JSONReader.StringToken) {
            append(string.hasEscapes ? .escapedString : .plainString, string.range)
        }

        @inline(__always)
        private mutating func append(_ kind: Kind, _ range: Range<Int>) {
            tokens.append(
                Token(
                    kind: kind, start: Int32(truncatingIfNeeded: range.lowerBound),
                    end: Int32(truncatingIfNeeded: range.upperBound),
                    next: Int32(truncatingIfNeeded: tokens.count + 1)))
        }

        /// Gives an object with many members an index.
        ///
        /// The index is a hash table with open addressing. It holds the distances from the object's
        /// token to those of its keys, or 0. A photo in a list has sixty members and is asked for
        /// fifty, some of which it lacks. Huge objects get no index, and neither do those whose names
        /// are in each other's way, since somebody could choose names that make it slow.
        private mutating func indexMembers(of object: Int, in bytes: UnsafeRawBufferPointer) {
            let count = tokens.count - object
            guard (32..<4_096).contains(count) else { return }
            // Every member takes at least two tokens, so that half of the slots stay free.
            let capacity = 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
            let base = slots.count
            slots.append(contentsOf: repeatElement(0, count: capacity))
            let isIndexed = tokens.withUnsafeBufferPointer { tokens in
                slots.withUnsafeMutableBufferPointer { slots in
                    let slots = UnsafeMutableBufferPointer(rebasing: slots[base...])
                    var index = object + 1
                    // Names that differ hardly ever meet; four times as many meetings as tokens are
                    // somebody's choice.
                    var rest = 4 * count
                    while index < tokens.count, rest >= 0 {
                        let token = tokens[index]
                        let name = UnsafeRawBufferPointer(
                            rebasing: bytes[Int(token.start)..<Int(token.end)])
                        var slot = LenientDocument.hash(name) & (capacity - 1)
                        while slots[slot] != 0 {
                            slot = (slot + 1) & (capacity - 1)
                            rest -= 1
                        }
                        slots[slot] = UInt16(truncatingIfNeeded: index - object)
                        index = Int(tokens[index + 1].next)
                    }
                    return rest >= 0
                }
            }
            guard isIndexed else { return slots.removeLast(capacity) }
            tokens[object].start = Int32(truncatingIfNeeded: base)
            tokens[object].end = Int32(truncatingIfNeeded: base + capacity)
        }
    }
}
