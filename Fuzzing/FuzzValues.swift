@testable import PlacesGraph

/// Reads bytes as a value of any kind in JSON.
func fuzzJSON(_ bytes: [UInt8]) {
    check(
        bytes,
        rewrite: { bytes in
            var writer = JSONWriter()
            try JSONReader.read(bytes) { try $0.copyValue(to: &writer) }
            return writer.text
        },
        skip: { try JSONReader.read($0) { try $0.skipValue() } })
}

/// Reads bytes as a value of any kind in a property list of XML.
func fuzzXML(_ bytes: [UInt8]) {
    check(
        bytes,
        rewrite: { bytes in
            var writer = XMLPropertyListWriter()
            try XMLPropertyListReader.read(bytes) { try $0.copyValue(to: &writer) }
            return writer.text
        },
        skip: { try XMLPropertyListReader.read($0) { try $0.skipValue() } })
}

/// Reads bytes as a value of any kind in a binary property list.
func fuzzBinary(_ bytes: [UInt8]) {
    check(
        bytes,
        rewrite: { bytes in
            var writer = BinaryPropertyListWriter()
            try BinaryPropertyListReader.read(bytes) { try $0.copyValue(to: &writer) }
            return writer.text
        },
        skip: { try BinaryPropertyListReader.read($0) { try $0.skipValue() } })
}

/// What can be read can be skipped, and is the same when it is written and read again.
private func check(
    _ bytes: [UInt8], rewrite: ([UInt8]) throws -> [UInt8], skip: ([UInt8]) throws -> Void
) {
    guard let text = try? rewrite(bytes) else { return }
    guard let again = try? rewrite(text), (try? skip(bytes)) != nil
    else { preconditionFailure("what was read cannot be skipped, or not be read again") }
    precondition(again == text, "what was written reads as something else")
}

extension SnapshotOutput {
    /// All that was written.
    fileprivate var text: [UInt8] {
        mutating get {
            var text: [UInt8] = []
            finish { text.append(contentsOf: $0) }
            return text
        }
    }
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
