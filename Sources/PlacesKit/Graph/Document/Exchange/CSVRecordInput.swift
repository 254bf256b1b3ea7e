import PlacesBase

/// Reads records from comma-separated values (RFC 4180), the first line of which names the columns.
///
/// Semicolons or tabs stand for the commas where they do in the first line. Lines may end in CR and LF, in LF
/// or in CR; empty lines are passed.
struct CSVRecordInput: RecordInput {
    /// A field of a line.
    private struct Field {
        var text: String
        /// Whether it stood in quotation marks.
        var isQuoted: Bool
        var location: TextLocation
    }

    /// What the first line means for the objects of a class.
    private struct ClassColumns {
        /// The columns: nothing where only others have the property.
        var all: [ImportColumn?] = []
        /// The relationships that have several columns, of which a record fills one.
        var shared: Set<ImportColumn.Subject> = []
    }

    /// More columns than any table has.
    private static let columnLimit = 16_384
    /// What may stand between fields; a name of a column that has one of them is in quotation marks.
    static let separators = Array(",;\t".utf8)

    private var source: ByteSource
    /// What stands between fields; `nil` until the first one was seen.
    private var separator: UInt8?
    /// The first line.
    private var header: [Field]?
    /// Which of its fields names the class of each record, if one does.
    private var entityPosition: Int?
    /// The columns for the objects of each class that was met.
    private var columns: [Int: ClassColumns] = [:]

    init(_ source: ByteSource) throws { self.source = source }

    var count: Int { source.count }

    mutating func readRecord(into importer: inout RecordImporter) throws -> Bool {
        let header = try self.header ?? readHeader(importer)
        guard let fields = try readLine(of: header.count) else { return false }
        guard fields.count == header.count else {
            throw ImportFault(
                location: fields[0].location,
                problem: """
                    expected \(header.count.counted("field")), as the first line has, found \(fields.count)
                    """)
        }
        try importer.begin(at: fields[0].location)
        if let entityPosition, !fields[entityPosition].text.isEmpty {
            let field = fields[entityPosition]
            try importer.choose(.datum(.string(field.text)), at: field.location)
        }
        let own = try columns(of: header, importer)
        var filled = DistinctColumns()
        var empty: [(field: Field, column: ImportColumn)] = []
        for (field, column) in zip(fields, own.all) {
            if let column {
                let value = try read(field, as: column)
                if own.shared.contains(column.subject) {
                    if case .target(.nobody) = value {
                        empty.append((field, column))
                        continue
                    }
                    try located(field) { () throws(ImportColumnError) in try filled.insert(column) }
                }
                importer.add(value, of: column, at: field.location)
            } else if !field.text.isEmpty {
                throw ImportFault(
                    location: field.location,
                    problem: """
                        expected an empty field, for the class of the record does not have this \
                        property, found “\(field.text.prefix(60))”
                        """)
            }
        }
        // Where one column of a relationship is filled, it alone tells where that leads.
        for (field, column) in empty where !filled.contains(column.subject) {
            importer.add(.target(.nobody), of: column, at: field.location)
        }
        try importer.end()
        return true
    }

    private mutating func readHeader(_ importer: RecordImporter) throws -> [Field] {
        guard let fields = try readLine(of: 2) else {
            throw ImportFault(
                location: source.location, problem: "expected a line that names the columns")
        }
        // A single column is followed by none, and its values may have any of them.
        separator = separator ?? UInt8(ascii: ",")
        header = fields
        entityPosition = fields.firstIndex { importer.isEntity($0.text) }
        // What no object can have is told although there may be none.
        _ = try columns(of: fields, importer)
        return fields
    }

    /// What the names of the first line mean for the class of the present record.
    private mutating func columns(
        of header: [Field], _ importer: RecordImporter
    ) throws -> ClassColumns {
        if let known = columns[importer.entityNumber] { return known }
        var (own, distinct) = (ClassColumns(), DistinctColumns())
        for (position, field) in header.enumerated() {
            let column = try located(field) { () throws(ImportColumnError) -> ImportColumn? in
                guard entityPosition != nil else { return try importer.column(named: field.text) }
                return try importer.sharedColumn(named: field.text)
            }
            own.all.append(column)
            guard let column else { continue }
            let isNew = !header[..<position].contains { $0.text == field.text }
            if case .toOne = column.kind, entityPosition != nil, isNew,
                distinct.contains(column.subject)
            {
                own.shared.insert(column.subject)
            } else {
                try located(field) { () throws(ImportColumnError) in try distinct.insert(column) }
            }
        }
        columns[importer.entityNumber] = own
        return own
    }

    /// Tells of a column at the place of a field.
    private func located<Value>(
        _ field: Field, _ body: () throws(ImportColumnError) -> Value
    ) throws -> Value {
        do throws(ImportColumnError) {
            return try body()
        } catch {
            throw ImportFault(location: field.location, problem: error.problem)
        }
    }

    /// Reads what a field spells, as the JSON that it stands for.
    private func read(_ field: Field, as column: ImportColumn) throws -> ImportValue {
        guard let text = column.json(ofField: field.text, isQuoted: field.isQuoted) else {
            return column.absentValue
        }
        do {
            return try JSONReader.read(text) { json in
                if !column.isJSON, (try? json.peekKind()) == .null {
                    let expected = "a value, or an empty field for none"
                    throw json.failure(.invalidValue(expected: expected))
                }
                return try column.read(from: &json)
            }
        } catch let error as JSONError {
            let found = field.text.isEmpty ? "nothing" : "“\(field.text.prefix(60))”"
            let problem = Self.problem(error.kind, in: column)
            throw ImportFault(
                location: field.location, problem: "\(column.name): \(problem), found \(found)")
        }
    }

    /// What was expected in a field; what is there instead is told as a whole, and not where it ceases to be JSON.
    private static func problem(_ kind: JSONError.Kind, in column: ImportColumn) -> String {
        switch kind {
        case .unexpectedByte(_, let expected), .unexpectedEnd(let expected):
            guard case .toOne(_, .number) = column.kind else { return "expected \(expected)" }
            return
                "expected the number of an object; where a column has values of a unique attribute, "
                + "its name is \(column.name).ATTRIBUTE"
        case .trailingBytes: return "expected one value, and a point in a number with a fraction"
        default: return "\(kind)"
        }
    }

    // MARK: - Fields

    /// The fields of the next line that is not empty; `nil` at the end of the file.
    private mutating func readLine(of count: Int) throws -> [Field]? {
        while try source.peek() != nil {
            let fields = try readFields()
            // An empty line is a record only where a record is one field.
            if count == 1 || fields.count > 1 || !fields[0].text.isEmpty || fields[0].isQuoted {
                return fields
            }
        }
        return nil
    }

    private mutating func readFields() throws -> [Field] {
        var fields: [Field] = []
        while true {
            fields.append(try readField())
            guard fields.count <= Self.columnLimit else {
                throw ImportFault(
                    location: source.location,
                    problem: "more than \(Self.columnLimit) fields in a line")
            }
            switch try source.next() {
            case nil, UInt8(ascii: "\n"): return fields
            case UInt8(ascii: "\r"):
                if try source.peek() == UInt8(ascii: "\n") {
                    _ = try source.next()
                } else {
                    source.passLine()
                }
                return fields
            case let byte: separator = byte
            }
        }
    }

    /// Reads a field up to the separator or line break that follows.
    private mutating func readField() throws -> Field {
        let location = source.location
        var bytes: [UInt8] = []
        guard try source.peek() == UInt8(ascii: "\"") else {
            while let byte = try source.peek(), !endsField(byte) {
                guard byte != UInt8(ascii: "\"") else {
                    throw ImportFault(
                        location: source.location,
                        problem: """
                            a quotation mark stands in a field that does not begin with one: put \
                            the field in quotation marks, and write this one twice
                            """)
                }
                try take(into: &bytes, from: location)
            }
            return Field(text: try text(bytes, location), isQuoted: false, location: location)
        }
        _ = try source.next()
        while let byte = try source.peek() {
            if byte == UInt8(ascii: "\"") {
                _ = try source.next()
                guard try source.peek() == UInt8(ascii: "\"") else {
                    if let next = try source.peek(), !endsField(next) {
                        throw ImportFault(
                            location: source.location,
                            problem: """
                                expected another field or the end of the line behind the \
                                quotation mark that closes a field
                                """)
                    }
                    return Field(
                        text: try text(bytes, location), isQuoted: true, location: location)
                }
            }
            try take(into: &bytes, from: location)
        }
        throw ImportFault(
            location: location,
            problem: "this field has no closing quotation mark; the file may have been cut off")
    }

    private mutating func take(into bytes: inout [UInt8], from start: TextLocation) throws {
        if let byte = try source.next() { bytes.append(byte) }
        guard bytes.count < ByteSource.recordLimit else {
            throw ImportFault(location: start, problem: "this field is longer than 256 MB")
        }
    }

    private func text(_ bytes: [UInt8], _ location: TextLocation) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ImportFault(
                location: location, problem: "the bytes are not UTF-8: save the file as UTF-8")
        }
        return text
    }

    private func endsField(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || separator.map { byte == $0 } ?? Self.separators.contains(byte)
    }
}
