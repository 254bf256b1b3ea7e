/// Writes JSON as UTF-8 bytes, putting the commas by itself.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginArray()
/// for photo in photos {
///     writer.beginNewLine()
///     writer.beginObject()
///     writer.writeKey("title")
///     writer.write(photo.title)
///     writer.endObject()
///     try writer.drain(into: file.write)
/// }
/// writer.beginNewLine()
/// writer.endArray()
/// try writer.drain(atLeast: 0, into: file.write)
/// ```
///
/// It is the caller's part to close what it opens and to give every key a value.
struct JSONWriter {
    /// What has been written and not been drained.
    var buffer: [UInt8] = []

    private var needsComma = false
    private var needsNewLine = false

    /// Begins an object.
    mutating func beginObject() {
        beginValue()
        buffer.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Ends the object that was begun last.
    mutating func endObject() {
        endContainer(UInt8(ascii: "}"))
    }

    /// Begins an array.
    mutating func beginArray() {
        beginValue()
        buffer.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Ends the array that was begun last.
    mutating func endArray() {
        endContainer(UInt8(ascii: "]"))
    }

    /// Puts what comes next (an element, a key or the end of a container) on a line of its own.
    mutating func beginNewLine() {
        needsNewLine = true
    }

    /// Writes a key, whose value has to follow.
    mutating func writeKey(_ name: String) {
        beginValue()
        appendQuoted(name)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Ends the line, after the last value of a text.
    mutating func endLine() {
        buffer.append(UInt8(ascii: "\n"))
    }

    /// Writes a key of a table, whose value has to follow.
    mutating func writeKey(_ index: Int, in table: JSONKeyTable) {
        beginValue()
        table.withSpelling(of: index) { buffer.append(contentsOf: $0) }
        needsComma = false
    }

    /// Writes `null`.
    mutating func writeNull() {
        beginValue()
        buffer.append(contentsOf: [0x6E, 0x75, 0x6C, 0x6C])
    }

    /// Hands what has been written so far to `sink` and forgets it, if it is long enough.
    ///
    /// Called once an object, it keeps all but the last megabyte of a large text out of memory.
    mutating func drain(
        atLeast threshold: Int = 1 << 20, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard buffer.count >= threshold, !buffer.isEmpty else { return }
        try buffer.withUnsafeBytes(sink)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Adds the elements that another writer wrote, each on a line of its own, to the array that was begun
    /// last.
    mutating func append(elements: JSONWriter) {
        guard !elements.buffer.isEmpty else { return }
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        buffer.append(contentsOf: elements.buffer)
        needsComma = true
    }

    /// Puts what separates the next value from the one before it.
    @inline(__always)
    mutating func beginValue() {
        if needsComma {
            buffer.append(UInt8(ascii: ","))
        }
        if needsNewLine {
            buffer.append(UInt8(ascii: "\n"))
            needsNewLine = false
        }
        needsComma = true
    }

    private mutating func endContainer(_ bracket: UInt8) {
        if needsNewLine {
            buffer.append(UInt8(ascii: "\n"))
            needsNewLine = false
        }
        buffer.append(bracket)
        needsComma = true
    }
}
