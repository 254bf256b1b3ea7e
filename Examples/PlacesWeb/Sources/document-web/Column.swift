import ExampleSupport
import PlacesKit

/// What a table shows of each record: an attribute, or whom a relationship leads to.
struct Column: Encodable, Hashable {
    /// How a page shows the values.
    enum Kind: String, Encodable {
        case text, number, date, boolean, json, bytes
        /// One record.
        case record
        /// Several records, of which the number is told.
        case records
    }

    var name: String
    /// The type as the document's schema has it.
    var type: String
    var kind: Kind
    /// Whether rows can be sorted by it.
    var isSortable = true
    /// What is to be known of the property besides.
    var notes: [String]
    /// The entity at the other end of a relationship.
    var destination: String?
    var inverse: String?
    /// Which attribute a person knows the records at the other end by.
    var title: String?

    private enum CodingKeys: CodingKey {
        case name, type, kind, isSortable, notes, destination, inverse
    }

    /// The key path whose values are shown; bytes are not read by a key path.
    var path: String? {
        switch kind {
        case .bytes: nil
        case .record: title.map { "\(name).\($0)" } ?? name
        case .records: "\(name).@count"
        default: name
        }
    }

    /// The key path by which a query sorts.
    var sortPath: String? { isSortable ? path?.asKeyPath : nil }
}

extension String {
    /// The key path as a query writes it: names in backticks may be words of its language, or none at all.
    var asKeyPath: String {
        split(separator: ".").map { $0.hasPrefix("@") ? "\($0)" : "`\($0)`" }
            .joined(separator: ".")
    }
}

extension Column {
    fileprivate init(_ property: PropertyDescription, in schema: Schema) {
        switch property {
        case .attribute(let attribute):
            self.init(
                name: attribute.name, type: attribute.type.rawValue, kind: Kind(attribute.type),
                notes: attribute.notes)
            isSortable = kind != .json && kind != .bytes
        case .relationship(let relationship):
            self.init(
                name: relationship.name,
                type: relationship.isToMany
                    ? "[\(relationship.destination)]" : relationship.destination,
                kind: relationship.isToMany ? .records : .record, notes: relationship.notes,
                destination: relationship.destination, inverse: relationship.inverse)
            title = relationship.isToMany ? nil : schema.title(of: relationship.destination)
            isSortable = relationship.isToMany || title != nil
        }
    }
}

extension Column.Kind {
    fileprivate init(_ type: AttributeType) {
        self =
            switch type {
            case .boolean: .boolean
            case .date: .date
            case .data: .bytes
            case .json: .json
            case .string, .url, .uuid: .text
            case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double,
                .decimal:
                .number
            }
    }
}

extension Schema {
    /// The properties of an entity's records, those of superentities behind its own.
    func columns(of name: String) -> [Column] {
        guard let entity = entity(named: name) else { return [] }
        return lineage(of: entity).flatMap(\.properties).map { Column($0, in: self) }
    }

    /// The attribute by which a person knows the records of an entity.
    func title(of name: String) -> String? {
        guard let entity = entity(named: name) else { return nil }
        let texts = lineage(of: entity).flatMap(\.attributes).filter {
            $0.type == .string && !$0.isTransient
        }
        for usual in ["title", "name", "label"] {
            if let text = texts.first(where: { $0.name.lowercased() == usual }) {
                return text.name
            }
        }
        return (texts.first(where: \.isUnique) ?? texts.first)?.name
    }

    /// The attributes of an entity that say where its records are.
    func coordinates(of name: String) -> Coordinates? {
        guard let entity = entity(named: name) else { return nil }
        let numbers = lineage(of: entity).flatMap(\.attributes).filter {
            [.double, .float, .decimal].contains($0.type)
        }.map(\.name)
        for (north, east) in [("latitude", "longitude"), ("lat", "lon"), ("lat", "lng")] {
            for latitude in numbers where latitude.lowercased().hasSuffix(north) {
                let stem = latitude.lowercased().dropLast(north.count)
                if let longitude = numbers.first(where: { $0.lowercased() == stem + east }) {
                    return Coordinates(latitude: latitude, longitude: longitude)
                }
            }
        }
        return nil
    }

    /// Which attributes say where something is.
    struct Coordinates: Encodable, Hashable {
        var latitude: String
        var longitude: String
    }
}
