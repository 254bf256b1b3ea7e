// The one format that a target is compiled for.
#if FUZZ_BINARY
    typealias Reader = BinaryPropertyListReader
    typealias Writer = BinaryPropertyListWriter
#elseif FUZZ_XML
    typealias Reader = XMLPropertyListReader
    typealias Writer = XMLPropertyListWriter
#else
    typealias Reader = JSONReader
    typealias Writer = JSONWriter
#endif

/// Reads bytes as a value of any kind.
///
/// What can be read can be skipped, and is the same when it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzValues(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let text = try? rewrite(bytes) else { return 0 }
    guard let again = try? rewrite(text), (try? Reader.read(bytes) { try $0.skipValue() }) != nil
    else { preconditionFailure("what was read cannot be skipped, or not be read again") }
    precondition(again == text, "what was written reads as something else")
    return 0
}

/// The same value as the writer writes it.
private func rewrite(_ bytes: [UInt8]) throws -> [UInt8] {
    var writer = Writer()
    try Reader.read(bytes) { try $0.copyValue(to: &writer) }
    var text: [UInt8] = []
    writer.finish { text.append(contentsOf: $0) }
    return text
}

extension SnapshotInput where Self: ~Copyable {
    /// Reads the next value as whatever it is.
    fileprivate mutating func copyValue(to writer: inout some SnapshotOutput) throws(JSONError) {
        if try readNullIfPresent() {
            writer.writeNull()
        } else if can({ reader throws(JSONError) in try reader.beginArray() }) {
            try beginArray()
            writer.beginArray()
            while try nextElement() { try copyValue(to: &writer) }
            writer.endArray()
        } else if can({ reader throws(JSONError) in try reader.beginObject() }) {
            try beginObject()
            writer.beginObject()
            while let key = try nextKey(in: JSONKeyTable([])) {
                guard case .unknown(let name) = key else { preconditionFailure("\(key)") }
                writer.writeKey(name)
                try copyValue(to: &writer)
            }
            writer.endObject()
        } else if can({ reader throws(JSONError) in _ = try reader.readBool() }) {
            writer.write(try readBool())
        } else if can({ reader throws(JSONError) in _ = try reader.readInt64() }) {
            writer.write(try readInt64())
        } else if can({ reader throws(JSONError) in _ = try reader.readUInt64() }) {
            writer.write(try readUInt64())
        } else if can({ reader throws(JSONError) in _ = try reader.readDouble() }) {
            writer.write(try readDouble())
        } else if can({ reader throws(JSONError) in _ = try reader.readString() }) {
            writer.write(try readString())
        } else if can({ reader throws(JSONError) in _ = try reader.readData() }) {
            writer.write(try readData())
        } else {
            writer.write(date: try readDate())
        }
    }

    /// Whether the next value can be read in some way.
    private borrowing func can(_ body: (inout Self) throws(JSONError) -> Void) -> Bool {
        do throws(JSONError) {
            try lookAhead(body)
            return true
        } catch {
            return false
        }
    }
}
