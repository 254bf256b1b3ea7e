import Foundation

/// Writes a binary property list ("bplist00"), with the calls of ``JSONWriter``.
///
/// Values are written as they come, each container after what it holds, so only the offsets of objects
/// and the references of open containers are kept in memory. Keys, booleans and small numbers are written
/// once. The same calls always give the same bytes.
///
/// It is the caller's part to close what it opens and to give every key a value.
struct BinaryPropertyListWriter {
    private struct Container {
        var keys: [UInt32] = []
        var values: [UInt32] = []
        let isDictionary: Bool
    }

    /// A text by its bytes: canonically equivalent names are not the same.
    private struct Spelling: Hashable {
        let text: String

        static func == (first: Spelling, second: Spelling) -> Bool {
            first.text.utf8.elementsEqual(second.text.utf8)
        }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private static let referenceSize = 4

    /// What has been written and not been drained.
    private var buffer = BinaryPropertyListReader.header
    private var drainedCount = 0
    /// Where each object lies.
    private var offsets: [Int] = []
    private var containers: [Container] = []
    private var keys: [Spelling: UInt32] = [:]
    private var smallIntegers = [UInt32?](repeating: nil, count: 256)
    private var singletons: [UInt8: UInt32] = [:]

    // MARK: - Containers

    /// Begins a dictionary.
    mutating func beginObject() { containers.append(Container(isDictionary: true)) }

    /// Begins an array.
    mutating func beginArray() { containers.append(Container(isDictionary: false)) }

    /// Ends the dictionary that was begun last.
    mutating func endObject() { endContainer(0xD0) }

    /// Ends the array that was begun last.
    mutating func endArray() { endContainer(0xA0) }

    private mutating func endContainer(_ marker: UInt8) {
        guard let container = containers.popLast() else { return }
        let object = beginNewObject(marker, count: container.values.count)
        for reference in container.keys { append(reference) }
        for reference in container.values { append(reference) }
        add(object)
    }

    /// Writes a key, whose value has to follow.
    mutating func writeKey(_ name: String) {
        let key = constant(name)
        containers[containers.count - 1].keys.append(key)
    }

    private mutating func constant(_ text: String) -> UInt32 {
        if let object = keys[Spelling(text: text)] { return object }
        let object = newString(text)
        keys[Spelling(text: text)] = object
        return object
    }

    // MARK: - Values

    /// Writes a string.
    mutating func writePlain(_ value: String) { add(newString(value)) }

    /// Writes a string that is written often.
    mutating func writeConstant(_ value: String) { add(constant(value)) }

    private mutating func newString(_ value: String) -> UInt32 {
        var value = value
        if value.utf8.allSatisfy({ $0 < 0x80 }) {
            let object = beginNewObject(0x50, count: value.utf8.count)
            value.withUTF8 { buffer.append(contentsOf: $0) }
            return object
        }
        let object = beginNewObject(0x60, count: value.utf16.count)
        for unit in value.utf16 { append(unit) }
        return object
    }

    /// Writes a boolean.
    mutating func write(_ value: Bool) { writeSingleton(value ? 0x09 : 0x08) }

    private mutating func writeSingleton(_ marker: UInt8) {
        if let object = singletons[marker] { return add(object) }
        let object = beginNewObject(marker)
        singletons[marker] = object
        add(object)
    }

    /// Writes an integer.
    mutating func write(_ value: Int64) {
        guard (0..<256).contains(value) else { return add(newInteger(value)) }
        let object = smallIntegers[Int(value)] ?? newInteger(value)
        smallIntegers[Int(value)] = object
        add(object)
    }

    /// Only integers of eight bytes and more have a sign.
    private mutating func newInteger(_ value: Int64) -> UInt32 {
        if let byte = UInt8(exactly: value) { return newObject(0x10, byte) }
        if let word = UInt16(exactly: value) { return newObject(0x11, word) }
        if let word = UInt32(exactly: value) { return newObject(0x12, word) }
        return newObject(0x13, UInt64(bitPattern: value))
    }

    /// Writes an integer that is not negative.
    mutating func write(_ value: UInt64) {
        if let value = Int64(exactly: value) { return write(value) }
        let object = beginNewObject(0x14)
        append(UInt64(0))
        append(value)
        add(object)
    }

    /// Writes a double.
    mutating func write(_ value: Double) { add(newObject(0x23, value.bitPattern)) }

    /// Writes an instant in seconds since 2001.
    mutating func write(date: Double) { add(newObject(0x33, date.bitPattern)) }

    /// Writes data.
    mutating func write(_ value: Data) {
        let object = beginNewObject(0x40, count: value.count)
        buffer.append(contentsOf: value)
        add(object)
    }

    // MARK: - Output

    /// Hands what has been written so far to `sink` and forgets it, if it is long enough.
    mutating func drain(
        atLeast threshold: Int = 1 << 20, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard buffer.count >= threshold, !buffer.isEmpty else { return }
        try buffer.withUnsafeBytes(sink)
        drainedCount += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    /// Ends the list, after its last value.
    mutating func finish(into sink: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        let table = drainedCount + buffer.count
        let offsetSize = table <= Int(UInt32.max) ? 4 : 8
        for offset in offsets {
            if offsetSize == 4 {
                append(UInt32(truncatingIfNeeded: offset))
            } else {
                append(UInt64(offset))
            }
            try drain(into: sink)
        }
        buffer.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(Self.referenceSize)])
        append(UInt64(offsets.count))
        append(UInt64(max(0, offsets.count - 1)))
        append(UInt64(table))
        try drain(atLeast: 0, into: sink)
    }

    // MARK: - Objects

    private mutating func beginNewObject(_ marker: UInt8) -> UInt32 {
        offsets.append(drainedCount + buffer.count)
        buffer.append(marker)
        return UInt32(truncatingIfNeeded: offsets.count - 1)
    }

    @inline(__always)
    private mutating func newObject(_ marker: UInt8, _ value: some FixedWidthInteger) -> UInt32 {
        let object = beginNewObject(marker)
        append(value)
        return object
    }

    private mutating func beginNewObject(_ marker: UInt8, count: Int) -> UInt32 {
        guard count >= 15 else { return beginNewObject(marker | UInt8(count)) }
        let object = beginNewObject(marker | 0x0F)
        if let byte = UInt8(exactly: count) {
            buffer.append(contentsOf: [0x10, byte])
        } else if let word = UInt32(exactly: count) {
            buffer.append(0x12)
            append(word)
        } else {
            buffer.append(0x13)
            append(UInt64(count))
        }
        return object
    }

    /// Makes an object the next value of the innermost container.
    private mutating func add(_ object: UInt32) {
        guard !containers.isEmpty else { return }
        containers[containers.count - 1].values.append(object)
    }

    @inline(__always)
    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { buffer.append(contentsOf: $0) }
    }
}
