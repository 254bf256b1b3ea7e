import Foundation
import PlacesKit

/// What a document is and what is in it, without its records.
struct Overview: Encodable {
    struct Entity: Encodable {
        var name: String
        var superentity: String?
        var isAbstract: Bool
        var userInfo: [String: String]
        var count: Int
        /// Its own properties, then those of its superentities.
        var columns: [Column]
        /// How many of the properties are its own.
        var ownCount: Int
        /// The attribute by which a person knows the records.
        var title: String?
        var coordinates: Schema.Coordinates?
    }

    var edition: Int
    var name: String
    var format: String
    var commit: Int
    var date: String
    var author: String?
    /// What was found wrong with the files.
    var findings: [String]
    var entities: [Entity]

    init(_ edition: LiveDocument.Edition) {
        let reader = edition.reader
        self.edition = edition.number
        name = reader.url.lastPathComponent
        format =
            switch reader.format {
            case .json: "JSON"
            case .xmlPropertyList: "XML property list"
            case .binaryPropertyList: "binary property list"
            }
        (commit, author) = (reader.commit.number, reader.commit.author)
        date = reader.commit.date.programText
        findings = reader.recovery.findings.map(\.description)
        let schema = reader.schema
        entities = schema.entities.map { entity in
            Entity(
                name: entity.name, superentity: entity.superentity, isAbstract: entity.isAbstract,
                userInfo: entity.userInfo,
                count: reader.count(of: entity.name), columns: schema.columns(of: entity.name),
                ownCount: entity.properties.count, title: schema.title(of: entity.name),
                coordinates: schema.coordinates(of: entity.name))
        }
    }
}
