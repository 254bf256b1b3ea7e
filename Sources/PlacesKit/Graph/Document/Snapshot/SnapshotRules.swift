import PlacesBase
import Foundation

extension SnapshotOutput {
    /// Writes what the values of an attribute must be like.
    mutating func write(_ rules: [ValidationRule]) {
        beginArray()
        for rule in rules {
            beginObject()
            switch rule {
            case .length(let minimum, let maximum):
                writeKey(SnapshotKeys.Rule.length)
                writeBounds([minimum, maximum]) { $0.write(Int64($1)) }
            case .range(let minimum, let maximum, let excludesMaximum):
                writeKey(excludesMaximum ? SnapshotKeys.Rule.rangeBelowMaximum : .range)
                writeBounds([minimum, maximum]) { $0.write(datum: $1) }
            case .pattern(let pattern):
                writeKey(SnapshotKeys.Rule.pattern)
                write(pattern)
            }
            endObject()
        }
        endArray()
    }

    private mutating func writeBounds<Bound>(
        _ bounds: [Bound?], _ write: (inout Self, Bound) -> Void
    ) {
        beginArray()
        for bound in bounds {
            if let bound { write(&self, bound) } else { writeNull() }
        }
        endArray()
    }

    /// Writes a value that the schema names.
    mutating func write(datum: Datum) {
        switch datum {
        case .boolean(let value): write(value)
        case .integer(let value): write(value)
        case .unsigned(let value): write(value)
        case .decimal(let value): write(value)
        case .double(let value): write(value)
        case .date(let value): write(date: value.timeIntervalSinceReferenceDate)
        case .string(let value): write(value)
        case .uuid(let value): write(plain: value.uuidString)
        case .data(let value): write(value)
        case .null: writeNull()
        }
    }
}

extension SnapshotInput where Self: ~Copyable {
    /// Reads what the values of an attribute must be like; nothing where a later version wrote it.
    mutating func readRule(for type: AttributeType) throws -> ValidationRule? {
        var rule: ValidationRule?
        try beginObject()
        while let key = try nextKey(in: SnapshotKeys.rule) {
            switch key {
            case .length:
                let bounds = try readBounds(.int64)
                rule = .length(minimum: bounds.first?.length, maximum: bounds.last?.length)
            case .range, .rangeBelowMaximum:
                let bounds = try readBounds(type)
                rule = .range(
                    minimum: bounds.first.flatMap { $0 == .null ? nil : $0 },
                    maximum: bounds.last.flatMap { $0 == .null ? nil : $0 },
                    excludesMaximum: key == .rangeBelowMaximum)
            case .pattern: rule = .pattern(try readString())
            }
        }
        return rule
    }

    /// Reads the only values that an attribute may have.
    mutating func readValues(of type: AttributeType) throws -> [Datum] {
        let value = AttributeDescription(name: "", type: type)
        var values: [Datum] = []
        try beginArray()
        while try nextElement() { values.append(try readValue(of: value)) }
        return values
    }

    private mutating func readBounds(_ type: AttributeType) throws -> [Datum] {
        let bound = AttributeDescription(name: "", type: type, isOptional: true)
        var bounds: [Datum] = []
        try beginArray()
        while try nextElement() { bounds.append(try readValue(of: bound)) }
        guard bounds.count == 2 else {
            throw failure(.invalidValue(expected: "two bounds, or null for none"))
        }
        return bounds
    }
}

extension Datum {
    /// The value as a length.
    fileprivate var length: Int? {
        if case .integer(let value) = self { Int(clamping: value) } else { nil }
    }
}
