import PlacesKit
import Testing

@Suite struct InverseTests {
    private func inverses(_ entities: EntityDescription...) throws -> [String: String?] {
        var inverses: [String: String?] = [:]
        for entity in try Schema(entities: entities).entities {
            for relationship in entity.relationships {
                inverses["\(entity.name).\(relationship.name)"] = relationship.inverse
            }
        }
        return inverses
    }

    private func entity(_ name: String, _ properties: RelationshipDescription...)
        -> EntityDescription
    {
        EntityDescription(name: name, properties: properties.map { .relationship($0) })
    }

    @Test func `an inverse named on one side is known on both`() throws {
        let inverses = try inverses(
            entity("Photo", .init(name: "place", destination: "Place", inverse: "photos")),
            entity("Place", .init(name: "photos", destination: "Photo", isToMany: true)))
        #expect(inverses == ["Photo.place": "photos", "Place.photos": "place"])
    }

    @Test func `an inverse named on both sides is accepted`() throws {
        let inverses = try inverses(
            entity("Photo", .init(name: "place", destination: "Place", inverse: "photos")),
            entity(
                "Place",
                .init(name: "photos", destination: "Photo", inverse: "place", isToMany: true)))
        #expect(inverses == ["Photo.place": "photos", "Place.photos": "place"])
    }

    @Test func `the only relationship that fits is inferred`() throws {
        let inverses = try inverses(
            entity("Photo", .init(name: "place", destination: "Place")),
            entity("Place", .init(name: "photos", destination: "Photo", isToMany: true)))
        #expect(inverses == ["Photo.place": "photos", "Place.photos": "place"])
    }

    @Test func `what is left after the named pairs is inferred`() throws {
        let inverses = try inverses(
            entity(
                "Photo", .init(name: "takenAt", destination: "Place", inverse: "photos"),
                .init(name: "coverOf", destination: "Place")),
            entity(
                "Place", .init(name: "photos", destination: "Photo", isToMany: true),
                .init(name: "cover", destination: "Photo")))
        #expect(
            inverses == [
                "Photo.takenAt": "photos", "Place.photos": "takenAt", "Photo.coverOf": "cover",
                "Place.cover": "coverOf",
            ])
    }

    @Test func `a parent and its children are inferred`() throws {
        let inverses = try inverses(
            entity(
                "Folder", .init(name: "parent", destination: "Folder"),
                .init(name: "children", destination: "Folder", isToMany: true)))
        #expect(inverses == ["Folder.parent": "children", "Folder.children": "parent"])
    }

    @Test func `two to-one relationships of an entity to itself are no pair`() throws {
        let inverses = try inverses(
            entity(
                "Person", .init(name: "mother", destination: "Person"),
                .init(name: "father", destination: "Person")))
        #expect(inverses == ["Person.mother": nil, "Person.father": nil])
    }

    @Test func `two to-many relationships of an entity to itself are no pair`() {
        #expect(
            throws: SchemaError.missingInverse(
                entity: "Person", relationship: "friends", candidates: ["Person.rivals"])
        ) {
            try inverses(
                entity(
                    "Person", .init(name: "friends", destination: "Person", isToMany: true),
                    .init(name: "rivals", destination: "Person", isToMany: true)))
        }
    }

    @Test func `a to-one relationship may do without an inverse`() throws {
        let inverses = try inverses(
            entity("Photo", .init(name: "place", destination: "Place")), entity("Place"))
        #expect(inverses == ["Photo.place": nil])
    }

    @Test func `an optional attribute without a default starts as nil`() {
        #expect(
            AttributeDescription(name: "a", type: .string, isOptional: true).defaultValue == .null)
        #expect(AttributeDescription(name: "a", type: .string).defaultValue == nil)
        #expect(AttributeDescription(name: "a", type: .string).isRequired)
    }
}
