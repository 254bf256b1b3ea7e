import Foundation
import PlacesBase

/// What a column of a file, or a key of its objects, means for an entity.
struct ImportColumn {
    /// How a link names the object that it leads to.
    enum Key {
        /// By its number.
        case number
        /// By its unique attribute in a slot.
        case attribute(slot: Slot, AttributeDescription, ValueCheck?)
    }

    /// What a column holds.
    enum Kind {
        /// The number of the object.
        case identifier
        /// The name of the object's class.
        case entity
        case attribute(slot: Slot, AttributeDescription, ValueCheck?)
        case toOne(slot: Slot, Key)
        case toMany(slot: Slot, Key)
    }

    let name: String
    let kind: Kind
}

/// What a record says of a column.
enum ImportValue {
    case datum(Datum)
    case target(ImportTarget)
    case targets([ImportTarget])
}

/// Whom a link leads to, by number or by the value of a unique attribute.
enum ImportTarget: Hashable {
    case nobody
    case number(Int64)
    case key(Datum)
}

/// Why a name is not that of a column.
struct ImportColumnError: Error {
    var problem: String
}

extension ImportColumn {
    /// The column of a name, for the objects of an entity.
    init(
        _ name: String, of number: Int, in model: ObjectModel
    ) throws(ImportColumnError) {
        self.name = name
        // The name of a part of a composite attribute has a dot in it.
        let whole = try Self.property(name, of: number, in: model)
        let steps =
            whole != nil
            ? [name]
            : name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let property =
            if let whole { Optional(whole) } else {
                try Self.property(steps[0], of: number, in: model)
            }
        guard let (slot, property, check) = property else {
            let table = model.layout.tables[model.layout.entities[number].table]
            if RecordColumn.isIdentifier(name) {
                kind = .identifier
            } else if RecordColumn.isEntity(name, in: table) {
                kind = .entity
            } else {
                throw Self.unknown(steps[0], of: number, in: model)
            }
            return
        }
        switch property {
        case .attribute(let attribute):
            guard steps.count == 1 else {
                throw ImportColumnError(
                    problem: "\(steps[0]) is not a relationship, so nothing can follow it")
            }
            kind = .attribute(slot: slot, attribute, check)
        case .relationship(let relationship):
            let key = try Self.key(steps, of: relationship, in: model)
            kind = relationship.isToMany ? .toMany(slot: slot, key) : .toOne(slot: slot, key)
        }
    }

    /// How a column names the objects that a relationship leads to.
    private static func key(
        _ steps: [String], of relationship: RelationshipDescription, in model: ObjectModel
    ) throws(ImportColumnError) -> Key {
        guard steps.count > 1, let entity = model.schema.number(named: relationship.destination)
        else { return .number }
        let name = relationship.destination
        guard !steps.contains(where: { $0.hasPrefix("@") }) else {
            throw ImportColumnError(
                problem: "\(steps.joined(separator: ".")) is computed: leave it out, it follows by "
                    + "itself")
        }
        guard steps.count == 2 else {
            throw ImportColumnError(
                problem: "\(steps.joined(separator: ".")) leads too far: name a unique attribute "
                    + "of \(name) behind \(steps[0])")
        }
        guard let (slot, property, check) = try property(steps[1], of: entity, in: model) else {
            throw unknown(steps[1], of: entity, in: model)
        }
        guard case .attribute(let attribute) = property else {
            throw ImportColumnError(
                problem: "\(name).\(steps[1]) is a relationship, and names no object: name a "
                    + "unique attribute of \(name) behind \(steps[0])")
        }
        guard attribute.isUnique else {
            throw ImportColumnError(
                problem: "\(name).\(attribute.name) is not unique, so it names no object")
        }
        return .attribute(slot: slot, attribute, check)
    }

    private static func property(
        _ name: String, of number: Int, in model: ObjectModel
    ) throws(ImportColumnError) -> (Slot, PropertyDescription, ValueCheck?)? {
        let entity = model.layout.entities[number]
        let properties = model.layout.tables[entity.table].properties
        guard
            let position = entity.slots.firstIndex(where: { properties[$0].name == name })
        else { return nil }
        let slot = entity.slots[position]
        if properties[slot].derivation != nil {
            throw ImportColumnError(
                problem: "\(entity.name).\(name) is derived: leave it out, it follows by itself")
        }
        let check = model.checks[number][position]
        let isURL = properties[slot].attribute?.type == .url
        return (slot, properties[slot], isURL ? .url(before: check) : check)
    }

    private static func unknown(
        _ name: String, of number: Int, in model: ObjectModel
    ) -> ImportColumnError {
        let entity = model.layout.entities[number]
        guard !name.isEmpty else {
            return ImportColumnError(
                problem: "expected the name of a property of \(entity.name), found nothing")
        }
        let names = entity.slots.map { model.layout.tables[entity.table].properties[$0].name }
        let nearest = name.nearest(among: names).map { "; did you mean \($0)?" } ?? ""
        return ImportColumnError(problem: "\(entity.name) has no property \(name)\(nearest)")
    }

    /// What the column tells of an object.
    enum Subject: Hashable {
        case identifier
        case entity
        case property(Slot)
    }

    var subject: Subject {
        switch kind {
        case .identifier: .identifier
        case .entity: .entity
        case .attribute(let slot, _, _), .toOne(let slot, _), .toMany(let slot, _):
            .property(slot)
        }
    }

    // MARK: - Values

    /// Whether a field of a line is JSON, in which `null` is a value like others.
    var isJSON: Bool {
        switch kind {
        case .attribute(_, let attribute, _): attribute.type == .json
        case .toMany: true
        case .identifier, .entity, .toOne: false
        }
    }

    /// Reads what a record says of the column.
    func read(from json: inout JSONReader) throws(JSONError) -> ImportValue {
        switch kind {
        case .identifier: return .target(try Self.readTarget(.number, from: &json))
        case .entity:
            return .datum(try json.readNullIfPresent() ? .null : .string(json.readString()))
        case .attribute(_, let attribute, let check):
            return .datum(try json.readValue(of: attribute, check))
        case .toOne(_, let key): return .target(try Self.readTarget(key, from: &json))
        case .toMany(_, let key):
            var targets: [ImportTarget] = []
            try json.beginArray()
            while try json.nextElement() {
                targets.append(try Self.readTarget(key, from: &json))
            }
            return .targets(targets)
        }
    }

    private static func readTarget(
        _ key: Key, from json: inout JSONReader
    ) throws(JSONError) -> ImportTarget {
        if try json.readNullIfPresent() { return .nobody }
        switch key {
        case .number: return .number(try json.readInt64())
        case .attribute(_, let attribute, let check):
            return .key(try json.readValue(of: attribute, check))
        }
    }

    /// What a record without the column's value says.
    var absentValue: ImportValue {
        switch kind {
        case .entity, .attribute: .datum(.null)
        case .identifier, .toOne: .target(.nobody)
        case .toMany: .targets([])
        }
    }

    /// The JSON that a field of a line stands for; `nil` for no value.
    ///
    /// A field without quotation marks that is empty is no value; in them it is an empty text.
    func json(ofField text: String, isQuoted: Bool) -> [UInt8]? {
        switch kind {
        case .identifier, .toOne(_, .number), .toMany:
            return text.isEmpty ? nil : Array(text.utf8)
        case .entity: return text.isEmpty ? nil : quoted(text)
        case .attribute(_, let attribute, _):
            return json(of: attribute, ofField: text, isQuoted)
        case .toOne(_, .attribute(_, let attribute, _)):
            return text.isEmpty && !isQuoted
                ? nil : json(of: attribute, ofField: text, isQuoted)
        }
    }

    private func json(
        of attribute: AttributeDescription, ofField text: String, _ isQuoted: Bool
    ) -> [UInt8]? {
        let isText = [.string, .url, .data].contains(attribute.type)
        if text.isEmpty, attribute.isOptional, !isQuoted || !isText { return nil }
        switch attribute.type {
        case .boolean:
            // Spreadsheets write them in capitals.
            return Array(text.lowercased().utf8)
        case .float, .double:
            return JSONNonFinite(rawValue: text) == nil ? Array(text.utf8) : quoted(text)
        case .date:
            if Double(text)?.isFinite ?? false { return Array(text.utf8) }
            // Spreadsheets write a day alone: it is the one that begins at midnight UTC.
            return quoted(text.isDay ? text + "T00:00:00Z" : text)
        case .string, .url, .data, .uuid, .decimal: return quoted(text)
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .json:
            return Array(text.utf8)
        }
    }

    private func quoted(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(text)
        return writer.bytes
    }
}

/// The columns of a record, each of which tells of something else.
///
/// Of two values of one property, or two numbers of the object, nobody knows which is meant.
struct DistinctColumns {
    private var names: [ImportColumn.Subject: String] = [:]

    /// Adds a column; another one may tell of the same by another name.
    mutating func insert(_ column: ImportColumn) throws(ImportColumnError) {
        guard let other = names.updateValue(column.name, forKey: column.subject) else { return }
        throw ImportColumnError(
            problem: other == column.name
                ? "the column \(other) is there twice"
                : "the columns \(other) and \(column.name) tell of the same: leave one out")
    }

    /// Whether a column tells of something.
    func contains(_ subject: ImportColumn.Subject) -> Bool { names[subject] != nil }

    /// Forgets the columns, for the next record.
    mutating func removeAll() { names.removeAll(keepingCapacity: true) }
}

extension String {
    /// Whether it has the form of a day, such as 2026-12-01.
    fileprivate var isDay: Bool {
        utf8.count == 10
            && utf8.enumerated().allSatisfy { position, byte in
                position == 4 || position == 7
                    ? byte == UInt8(ascii: "-")
                    : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
    }
}
