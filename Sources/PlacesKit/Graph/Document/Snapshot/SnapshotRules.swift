import PlacesBase
import Foundation

/// A value of the schema that the type of an attribute gives its meaning.
protocol TypedFileValue {
    /// Reads a value; `nil` where a later version wrote it.
    static func read(
        of type: AttributeType, from file: inout (some SnapshotInput & ~Copyable)
    ) throws -> Self?
    func write(to file: inout some SnapshotOutput)
}

/// What the values of an attribute must be like.
extension ValidationRule: TypedFileValue {
    static func read(
        of type: AttributeType, from file: inout (some SnapshotInput & ~Copyable)
    ) throws -> ValidationRule? {
        var rule: ValidationRule?
        try file.beginObject()
        while let key = try file.nextKey(in: SnapshotKeys.rule) {
            switch key {
            case .length:
                let bounds = try file.readBounds(.int64)
                rule = .length(minimum: bounds.first?.length, maximum: bounds.last?.length)
            case .range, .rangeBelowMaximum:
                let bounds = try file.readBounds(type)
                rule = .range(
                    minimum: bounds.first.flatMap { $0 == .null ? nil : $0 },
                    maximum: bounds.last.flatMap { $0 == .null ? nil : $0 },
                    excludesMaximum: key == .rangeBelowMaximum)
            case .pattern: rule = .pattern(try file.readString())
            }
        }
        return rule
    }

    func write(to file: inout some SnapshotOutput) {
        file.beginObject()
        switch self {
        case .length(let minimum, let maximum):
            file.writeKey(SnapshotKeys.Rule.length)
            file.writeBounds([minimum, maximum].map { $0.map { .integer(Int64($0)) } })
        case .range(let minimum, let maximum, let excludesMaximum):
            file.writeKey(excludesMaximum ? SnapshotKeys.Rule.rangeBelowMaximum : .range)
            file.writeBounds([minimum, maximum])
        case .pattern(let pattern):
            file.write(pattern, for: SnapshotKeys.Rule.pattern)
        }
        file.endObject()
    }
}

/// One of the only values that an attribute may have.
extension Datum: TypedFileValue {
    static func read(
        of type: AttributeType, from file: inout (some SnapshotInput & ~Copyable)
    ) throws -> Datum? {
        try file.readValue(of: AttributeDescription(name: "", type: type))
    }

    func write(to file: inout some SnapshotOutput) {
        switch self {
        case .boolean(let value): file.write(value)
        case .integer(let value): file.write(value)
        case .unsigned(let value): file.write(value)
        case .decimal(let value): file.write(value)
        case .double(let value): file.write(value)
        case .date(let value): file.write(date: value.timeIntervalSinceReferenceDate)
        case .string(let value): file.write(value)
        case .uuid(let value): file.writePlain(value.uuidString)
        case .data(let value): file.write(value)
        case .null: file.writeNull()
        }
    }
}

extension SnapshotOutput {
    fileprivate mutating func writeBounds(_ bounds: [Datum?]) {
        beginArray()
        for bound in bounds { (bound ?? .null).write(to: &self) }
        endArray()
    }
}

extension SnapshotInput where Self: ~Copyable {
    fileprivate mutating func readBounds(_ type: AttributeType) throws -> [Datum] {
        let bound = AttributeDescription(name: "", type: type, isOptional: true)
        let bounds = try readList { try $0.readValue(of: bound) }
        guard bounds.count == 2 else {
            throw expected("two bounds, or null for none")
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
