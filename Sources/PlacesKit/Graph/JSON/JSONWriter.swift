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
package struct JSONWriter {
    private var buffer = ByteBuffer()
    private var needsComma = false
    private var needsNewLine = false

    package init() {}

    /// What has been written and not been drained.
    package var bytes: [UInt8] { buffer.bytes }

    /// How many bytes have been written and not been drained.
    package var count: Int { buffer.count }

    /// Begins an object.
    package mutating func beginObject() {
        putValue(upTo: 1) { $0.put(UInt8(ascii: "{")) }
        needsComma = false
    }

    /// Ends the object that was begun last.
    package mutating func endObject() {
        endContainer(UInt8(ascii: "}"))
    }

    /// Begins an array.
    package mutating func beginArray() {
        putValue(upTo: 1) { $0.put(UInt8(ascii: "[")) }
        needsComma = false
    }

    /// Ends the array that was begun last.
    package mutating func endArray() {
        endContainer(UInt8(ascii: "]"))
    }

    /// Puts what comes next (an element, a key or the end of a container) on a line of its own.
    package mutating func beginNewLine() {
        needsNewLine = true
    }

    /// Writes a key, whose value has to follow.
    package mutating func writeKey(_ name: String) {
        write(name)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Ends the line, after the last value of a text.
    package mutating func endLine() {
        buffer.append(UInt8(ascii: "\n"))
    }

    /// Writes a key of a table, whose value has to follow.
    package mutating func writeKey(_ index: Int, in table: JSONKeyTable) {
        table.withSpelling(of: index) { spelling in
            putValue(upTo: spelling.count) { $0.put(spelling) }
        }
        needsComma = false
    }

    /// Hands what has been written so far to `sink` and forgets it, if it is long enough.
    ///
    /// Called once an object, it keeps all but the last megabyte of a large text out of memory.
    package mutating func drain(
        atLeast threshold: Int = 1 << 20, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard count >= threshold, count > 0 else { return }
        try buffer.withUnsafeBytes(sink)
        buffer.removeAll()
    }

    /// Adds what another writer wrote as the next values of the container that was begun last.
    package mutating func append(_ other: JSONWriter) {
        guard other.count > 0 else { return }
        other.buffer.withUnsafeBytes { text in putValue(upTo: text.count) { $0.put(text) } }
    }

    /// Adds what another writer wrote as the next values of the container that was begun last, and hands
    /// all to `sink` if it is long enough; a long text is handed on without a copy of it.
    package mutating func drain(
        elements other: JSONWriter, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard other.count >= 1 << 16 else {
            append(other)
            return try drain(into: sink)
        }
        putValue(upTo: 0) { _ in }
        try drain(atLeast: 0, into: sink)
        try other.buffer.withUnsafeBytes(sink)
    }

    /// Puts a value, behind what separates it from the one before it.
    @inline(__always)
    package mutating func putValue(upTo limit: Int, _ write: (inout ByteBuffer.Cursor) -> Void) {
        let (needsComma, needsNewLine) = (needsComma, needsNewLine)
        self.needsComma = true
        self.needsNewLine = false
        buffer.append(upTo: limit + 2) { cursor in
            if needsComma { cursor.put(UInt8(ascii: ",")) }
            if needsNewLine { cursor.put(UInt8(ascii: "\n")) }
            write(&cursor)
        }
    }

    /// Puts more of the value that was put last.
    package mutating func putMore(upTo limit: Int, _ write: (inout ByteBuffer.Cursor) -> Void) {
        buffer.append(upTo: limit, write)
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
