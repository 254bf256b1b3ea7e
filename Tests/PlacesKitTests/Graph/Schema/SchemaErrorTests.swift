import Foundation
import PlacesKit
import Testing

/// Every way in which descriptions fail to be a schema, with the text that says what to do.
@Suite struct SchemaErrorTests {
    private func error(_ entities: EntityDescription...) -> SchemaError? {
        SchemaError.thrown { () throws(SchemaError) in _ = try Schema(entities: entities) }
    }

    private func entity(_ name: String, _ properties: RelationshipDescription...)
        -> EntityDescription
    {
        EntityDescription(name: name, properties: properties.map { .relationship($0) })
    }

    @Test func `a schema without entities is refused`() {
        #expect(error() == .empty)
        #expect(
            SchemaError.empty.description
                == "The model has no classes. List at least one: [Photo.self].")
    }

    @Test func `two entities of one name are refused`() {
        let error = error(entity("Photo"), entity("Photo"))
        #expect(error == .duplicateEntity("Photo"))
        #expect(error?.description.contains("Two model classes are named Photo") == true)
    }

    @Test func `two properties of one name are refused`() {
        let attribute = PropertyDescription.attribute(.init(name: "title", type: .string))
        let error = error(EntityDescription(name: "Photo", properties: [attribute, attribute]))
        #expect(error == .duplicateProperty(entity: "Photo", property: "title"))
        #expect(error?.description.contains("Photo declares two properties named title") == true)
    }

    @Test func `a relationship to an entity that is not there is refused`() {
        let error = error(entity("Photo", .init(name: "place", destination: "Place")))
        #expect(
            error
                == .unknownDestination(
                    entity: "Photo", relationship: "place", destination: "Place"))
        #expect(error?.description.contains("Add Place.self to the list of model classes") == true)
    }

    @Test func `an inverse that the destination lacks is refused`() {
        let error = error(
            entity("Photo", .init(name: "place", destination: "Place", inverse: "pictures")),
            entity("Place"))
        #expect(
            error
                == .unknownInverse(
                    entity: "Photo", relationship: "place", inverse: "Place.pictures"))
        #expect(error?.description.contains("Photo.place names the inverse Place.pictures") == true)
    }

    @Test func `an attribute named as inverse is refused`() {
        let error = error(
            entity("Photo", .init(name: "place", destination: "Place", inverse: "name")),
            EntityDescription(
                name: "Place", properties: [.attribute(.init(name: "name", type: .string))]))
        #expect(
            error
                == .unknownInverse(entity: "Photo", relationship: "place", inverse: "Place.name"))
    }

    @Test func `a to-many relationship that nothing mirrors is refused`() {
        let error = error(
            entity("Place", .init(name: "photos", destination: "Photo", isToMany: true)),
            entity("Photo"))
        #expect(
            error == .missingInverse(entity: "Place", relationship: "photos", candidates: []))
        #expect(error?.description.contains("Place.photos needs an inverse") == true)
    }

    @Test func `friends without an inverse are told to have a second relationship`() {
        let error = error(
            entity("Person", .init(name: "friends", destination: "Person", isToMany: true)))
        #expect(
            error?.description == """
                Person.friends needs an inverse. Declare a second relationship, in the destination, for \
                the other direction: @Relationship(inverse: \\Person.friends).
                """)
    }

    @Test func `a to-many relationship that two others could mirror is refused`() {
        let error = error(
            entity("Place", .init(name: "photos", destination: "Photo", isToMany: true)),
            entity(
                "Photo", .init(name: "takenAt", destination: "Place"),
                .init(name: "shownAt", destination: "Place")))
        #expect(
            error
                == .missingInverse(
                    entity: "Place", relationship: "photos",
                    candidates: ["Photo.takenAt", "Photo.shownAt"]))
        #expect(error?.description.contains("Photo.takenAt or Photo.shownAt") == true)
    }

    @Test func `an inverse that leads elsewhere is refused`() {
        let error = error(
            entity("Photo", .init(name: "place", destination: "Place", inverse: "owner")),
            entity("Place", .init(name: "owner", destination: "Person")), entity("Person"))
        #expect(
            error
                == .mismatchedInverse(
                    entity: "Photo", relationship: "place", inverse: "Place.owner"))
        #expect(error?.description.contains("do not mirror each other") == true)
    }

    @Test func `an inverse that is another's already is refused`() {
        let error = error(
            entity(
                "Photo", .init(name: "takenAt", destination: "Place", inverse: "photos"),
                .init(name: "shownAt", destination: "Place", inverse: "photos")),
            entity("Place", .init(name: "photos", destination: "Photo", isToMany: true)))
        #expect(
            error
                == .mismatchedInverse(
                    entity: "Photo", relationship: "shownAt", inverse: "Place.photos"))
    }

    @Test func `a relationship that is its own inverse is refused`() {
        let error = error(
            entity("Person", .init(name: "spouse", destination: "Person", inverse: "spouse")))
        #expect(error == .selfInverse(entity: "Person", relationship: "spouse"))
        #expect(error?.description.contains("Person.spouse is its own inverse") == true)
    }

    @Test func `an error's description is its localized description`() {
        for error in [
            SchemaError.empty, .duplicateEntity("A"), .unnamedProperty(entity: "A", slot: 3),
        ] {
            #expect(error.localizedDescription == error.description)
        }
    }
}
