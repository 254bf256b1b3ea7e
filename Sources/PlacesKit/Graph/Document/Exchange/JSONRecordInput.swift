import PlacesBase

/// Reads records from an array of JSON objects.
///
/// The file is cut into its objects here, so that one at a time is in memory; the JSON reader reads
/// each of them.
struct JSONRecordInput: RecordInput {
    private var source: ByteSource
    private var isFirst = true
    /// The columns that were met, of each class.
    private var columns: [Int: [String: ImportColumn]] = [:]
    /// The columns of the present record.
    private var own = DistinctColumns()

    init(_ source: ByteSource) throws {
        self.source = source
        try skipSpace()
        guard try self.source.peek() == UInt8(ascii: "[") else {
            throw fault("expected an array of objects, which begins with [")
        }
        _ = try self.source.next()
    }

    var count: Int { source.count }

    private func fault(_ problem: String) -> ImportFault {
        ImportFault(location: source.location, problem: problem)
    }

    private mutating func skipSpace() throws {
        while let byte = try source.peek(), [0x20, 0x0A, 0x0D, 0x09].contains(byte) {
            _ = try source.next()
        }
    }

    mutating func readRecord(into importer: inout RecordImporter) throws -> Bool {
        try skipSpace()
        if try source.peek() == UInt8(ascii: "]") {
            _ = try source.next()
            try skipSpace()
            guard try source.peek() == nil else { throw fault("expected nothing behind the array") }
            return false
        }
        if !isFirst {
            guard try source.peek() == UInt8(ascii: ",") else {
                throw fault("expected a comma and another object, or ] at the end")
            }
            _ = try source.next()
            try skipSpace()
        }
        isFirst = false
        let location = source.location
        guard try source.peek() == UInt8(ascii: "{") else {
            throw fault("expected an object, which begins with {")
        }
        let bytes = try takeObject()
        do {
            try importer.begin(at: location)
            if importer.hasSubclasses {
                try JSONReader.read(bytes) { try chooseClass(&$0, at: location, of: &importer) }
            }
            try JSONReader.read(bytes) { json in try read(&json, at: location, into: &importer) }
        } catch let error as JSONError {
            let inside = TextLocation(line: error.line, column: error.column)
            throw ImportFault(location: location.offset(by: inside), problem: "\(error.kind)")
        }
        try importer.end()
        return true
    }

    /// Looks for the class of a record, which says what its other keys mean; a second one is refused with the other keys.
    private func chooseClass(
        _ json: inout JSONReader, at start: TextLocation, of importer: inout RecordImporter
    ) throws {
        var isChosen = false
        try json.beginObject()
        while let name = try json.nextKey() {
            guard !isChosen, importer.isEntity(name) else {
                try json.skipValue()
                continue
            }
            isChosen = true
            _ = try json.peekKind()
            var location = start
            for byte in json.bytes[..<json.offset] { location.pass(byte) }
            let value = try importer.column(named: name).read(from: &json)
            try importer.choose(value, at: location)
        }
    }

    private mutating func read(
        _ json: inout JSONReader, at start: TextLocation, into importer: inout RecordImporter
    ) throws {
        let bytes = json.bytes
        var (passed, location) = (0, start)
        /// Moves the location to an offset that is not before the last one.
        func move(to offset: Int) -> TextLocation {
            for byte in bytes[passed..<max(passed, offset)] { location.pass(byte) }
            passed = max(passed, offset)
            return location
        }
        own.removeAll()
        let number = importer.entityNumber
        var known = columns.removeValue(forKey: number) ?? [:]
        defer { columns[number] = known }
        try json.beginObject()
        while true {
            let before = json.offset
            guard let name = try json.nextKey() else { return }
            let column: ImportColumn
            do throws(ImportColumnError) {
                if let met = known[name] {
                    column = met
                } else {
                    column = try importer.column(named: name)
                    known[name] = column
                }
                try own.insert(column)
            } catch {
                // Behind the comma and the white space that come before the key.
                let quote = bytes[before...].firstIndex(of: UInt8(ascii: "\"")) ?? before
                throw ImportFault(location: move(to: quote), problem: error.problem)
            }
            _ = try json.peekKind()
            let offset = json.offset
            let value = try column.read(from: &json)
            // Where there is one class it needs not be known before.
            if column.subject == .entity, !importer.hasSubclasses {
                try importer.choose(value, at: move(to: offset))
            }
            importer.add(value, of: column, at: move(to: offset))
        }
    }

    /// Takes the bytes of an object, whose braces match.
    private mutating func takeObject() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var nesting = JSONNesting()
        let start = source.location
        while let byte = try source.next() {
            bytes.append(byte)
            nesting.pass(byte)
            // The first byte is the brace that opens it.
            if nesting.depth == 0 { return bytes }
            guard bytes.count < ByteSource.recordLimit else {
                throw ImportFault(location: start, problem: "this object is longer than 256 MB")
            }
        }
        throw ImportFault(
            location: start, problem: "this object has no end; the file may have been cut off")
    }
}
