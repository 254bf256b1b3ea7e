import Foundation
import PlacesKit

/// A record as a page shows it: all its properties, with whole values.
struct RecordPage: Encodable {
    struct Property: Encodable {
        var column: Column
        var cell: Cell
        /// The first members of a to-many relationship.
        var members: [Member]?
        /// Why the value cannot be shown.
        var failure: String?
    }

    struct Member: Encodable {
        var id: String
        var title: String?
    }

    struct Place: Encodable {
        var latitude: Double
        var longitude: Double
    }

    /// How much of a text is sent; the whole can be had as a file.
    private static let textLimit = 100_000
    private static let memberLimit = 20

    var edition: Int
    var id: String
    var title: String?
    var properties: [Property]
    var place: Place?

    /// The page of a record, or `nil` where there is no such record.
    init?(_ id: ObjectID, in edition: LiveDocument.Edition) throws {
        let reader = edition.reader
        // Its own entity may be a subentity of the one that it was asked for by.
        guard let record = try reader.record(id) else { return nil }
        let id = record.id
        self.edition = edition.number
        self.id = "\(id)"
        title = try reader.titles(of: [id])[id]
        properties = try reader.schema.columns(of: id.entity).map {
            try Self.property($0, record, reader)
        }
        guard let names = reader.schema.coordinates(of: id.entity),
            let latitude = record[names.latitude]?.number,
            let longitude = record[names.longitude]?.number
        else { return }
        place = Place(latitude: latitude, longitude: longitude)
    }

    private static func property(
        _ column: Column, _ record: ObjectRecord, _ reader: DocumentReader
    ) throws -> Property {
        var property = Property(column: column, cell: Cell())
        switch record[column.name] {
        case .attribute(.data(let data))?:
            property.cell = Cell(data, of: column.name, of: record.id)
        case .attribute(.null)? where column.kind == .bytes:
            if try reader.hasValue(column.name, record.id) {
                property.failure = "The file of this value is missing or damaged."
            }
        case .attribute(let datum)?:
            property.cell = Cell(datum, limit: textLimit)
            property.cell.bytes = property.cell.isCut.map { _ in
                Cell.address(of: column.name, of: record.id)
            }
        case .object(let target?)?:
            property.cell.text = try reader.titles(of: [target])[target]
            property.cell.record = "\(target)"
        case .objects(let targets)?:
            property.cell.count = targets.count
            let first = Array(targets.prefix(memberLimit))
            let titles = try reader.titles(of: first)
            property.members = first.map { Member(id: "\($0)", title: titles[$0]) }
        case .object(nil)?, nil: break
        }
        return property
    }
}

extension PropertyValue {
    /// The value of an attribute as a number, if it is one.
    var number: Double? {
        switch self {
        case .attribute(.double(let value)): value.isFinite ? value : nil
        case .attribute(.decimal(let value)):
            value.isNaN ? nil : NSDecimalNumber(decimal: value).doubleValue
        default: nil
        }
    }
}

extension DocumentReader {
    /// Whether a record has a value that may not be readable.
    fileprivate func hasValue(_ attribute: String, _ id: ObjectID) throws -> Bool {
        try !records(
            RecordQuery("%K WHERE SELF == %@ AND \(attribute.asKeyPath) != nil", id.entity, id)
        ).isEmpty
    }
}
