/// Bytes that grow at their end.
///
/// Room for a whole value is taken at once: an array would look at its owner and its capacity for each
/// piece of it.
package struct ByteBuffer {
    /// The bytes, and behind them room for more.
    private var storage: [UInt8] = []
    package private(set) var count = 0

    package init() {}

    /// The bytes.
    package var bytes: [UInt8] { Array(storage[..<count]) }

    /// Adds what `write` puts behind the last byte, at most `limit` bytes.
    @inline(__always)
    package mutating func append(upTo limit: Int, _ write: (inout Cursor) -> Void) {
        if storage.count - count <= limit { grow(by: limit) }
        count = storage.withUnsafeMutableBytes { storage in
            // There is an address, for there is room.
            let start = storage.baseAddress.unsafelyUnwrapped
            var cursor = Cursor(end: start + count)
            write(&cursor)
            assert(cursor.end - (start + count) <= limit)
            return cursor.end - start
        }
    }

    /// Adds one byte.
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        append(upTo: 1) { $0.put(byte) }
    }

    package func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// Forgets the bytes, and keeps their room.
    package mutating func removeAll() { count = 0 }

    @inline(never)
    private mutating func grow(by limit: Int) {
        let capacity = max(count + limit + 1, 2 * storage.count, 128)
        storage = [UInt8](unsafeUninitializedCapacity: capacity) { room, initialized in
            withUnsafeBytes { UnsafeMutableRawBufferPointer(room).copyMemory(from: $0) }
            // Nobody reads behind `count`, and zeros would take as long to write as the bytes do.
            initialized = capacity
        }
    }

    /// Where the next byte is put; there has to be room for it.
    package struct Cursor {
        package fileprivate(set) var end: UnsafeMutableRawPointer

        @inline(__always)
        package mutating func put(_ byte: UInt8) {
            end.storeBytes(of: byte, as: UInt8.self)
            end += 1
        }

        /// Puts some bytes.
        ///
        /// Most are few: words, of which the last overlaps the one before it, take less time than a call.
        @inline(__always)
        package mutating func put(_ text: UnsafeRawBufferPointer) {
            let count = text.count
            func copy<Word: FixedWidthInteger>(_ position: Int, _: Word.Type) {
                (end + position).storeBytes(
                    of: text.loadUnaligned(fromByteOffset: position, as: Word.self), as: Word.self)
            }
            switch count {
            case 65...:
                end.copyMemory(from: text.baseAddress.unsafelyUnwrapped, byteCount: count)
            case 8...:
                var position = 0
                while count - position > 8 {
                    copy(position, UInt64.self)
                    position += 8
                }
                copy(count - 8, UInt64.self)
            case 4...:
                copy(0, UInt32.self)
                copy(count - 4, UInt32.self)
            default:
                for position in 0..<count { copy(position, UInt8.self) }
            }
            end += count
        }

        /// Puts the text of a literal.
        @inline(__always)
        package mutating func put(_ text: StaticString) {
            put(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }

        /// Puts the decimal digits of a number.
        @inline(__always)
        package mutating func put(digits number: UInt64) {
            put(digits: number, count: Self.digitCount(of: number))
        }

        /// Puts the last decimal digits of a number, with zeros before them where it has fewer.
        @inline(__always)
        package mutating func put(digits number: UInt64, count: Int) {
            var rest = number
            for position in (0..<count).reversed() {
                (end + position).storeBytes(
                    of: 0x30 + UInt8(truncatingIfNeeded: rest % 10), as: UInt8.self)
                rest /= 10
            }
            end += count
        }

        @inline(__always)
        private static func digitCount(of number: UInt64) -> Int {
            var (count, limit): (Int, UInt64) = (1, 10)
            while number >= limit {
                count += 1
                let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
                if overflow { break }
                limit = next
            }
            return count
        }
    }
}
