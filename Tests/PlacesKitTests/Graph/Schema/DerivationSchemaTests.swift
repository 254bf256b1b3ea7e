import Foundation
import PlacesKit
import Testing

/// Every way in which a derived attribute cannot be kept.
@Suite struct DerivationSchemaTests {
    private func error(
        _ derivation: DerivationDescription, _ type: AttributeType = .int64,
        isOptional: Bool = false
    ) -> SchemaError? {
        do throws(SchemaError) {
            _ = try Schema(entities: [
                EntityDescription(
                    name: "Place",
                    properties: [
                        .relationship(
                            .init(
                                name: "photos", destination: "Photo", inverse: "place",
                                isToMany: true)),
                        .relationship(.init(name: "cover", destination: "Photo")),
                        .attribute(
                            .init(
                                name: "derived", type: type, isOptional: isOptional,
                                derivation: derivation)),
                    ]),
                EntityDescription(
                    name: "Photo",
                    properties: [
                        .relationship(
                            .init(name: "place", destination: "Place", inverse: "photos")),
                        .attribute(.init(name: "title", type: .string)),
                        .attribute(.init(name: "bytes", type: .int32)),
                        .attribute(.init(name: "serial", type: .uint64)),
                        .attribute(.init(name: "taken", type: .date)),
                        .attribute(.init(name: "isLit", type: .boolean)),
                        .attribute(.init(name: "isOld", type: .boolean, isOptional: true)),
                    ]),
            ])
            return nil
        } catch {
            return error
        }
    }

    private func underivable(_ property: String) -> SchemaError {
        .underivable(entity: "Place", attribute: "derived", property: "Photo.\(property)")
    }

    @Test func `a path leads along to-one relationships to an attribute of its type`() {
        let along: (String) -> SchemaError = {
            .derivedAlongNothing(entity: "Place", attribute: "derived", path: $0)
        }
        #expect(
            error(.init(.value, of: "cover", property: "bytes"), .int32, isOptional: true) == nil)
        #expect(
            error(
                .init(.value, of: "cover.place.cover", property: "title"), .string, isOptional: true
            )
                == nil)
        for path in ["photos", "", "cover.title", "cover.plaec", "cover..place"] {
            #expect(error(.init(.value, of: path, property: "title"), .string) == along(path))
        }
        let cover = DerivationDescription(.value, of: "cover", property: "bytes")
        #expect(error(cover, .int32) == underivable("bytes"))
        #expect(error(cover, .string, isOptional: true) == underivable("bytes"))
        for name in ["place", "nothing"] {
            #expect(
                error(.init(.value, of: "cover", property: name), .string, isOptional: true)
                    == underivable(name))
        }
        #expect(
            error(.init(.value, of: "cover.place", property: "derived"), .string, isOptional: true)
                == .derivedFromItself(entity: "Place", attribute: "derived"))
    }

    @Test func `what fits is accepted`() {
        #expect(error(.init(.count, of: "photos", where: "isLit")) == nil)
        #expect(error(.init(.sum, of: "photos", property: "bytes")) == nil)
        #expect(error(.init(.sum, of: "photos", property: "serial")) == nil)
        #expect(error(.init(.countDistinct, of: "photos", property: "place")) == nil)
        #expect(
            error(.init(.maximum, of: "photos", property: "taken"), .date, isOptional: true) == nil)
    }

    @Test func `a derivation is over a to-many relationship`() {
        for name in ["pictures", "derived"] {
            let error = error(.init(.count, of: name))
            #expect(
                error
                    == .derivedOverNothing(
                        entity: "Place", attribute: "derived", relationship: name))
            #expect(error?.description.contains("not a to-many relationship") == true)
        }
    }

    @Test func `what a function reads must be there and serve`() {
        #expect(error(.init(.sum, of: "photos", property: "size")) == underivable("size"))
        #expect(error(.init(.sum, of: "photos", property: "title")) == underivable("title"))
        #expect(error(.init(.sum, of: "photos", property: "taken")) == underivable("taken"))
        #expect(error(.init(.minimum, of: "photos", property: "bytes")) == underivable("bytes"))
        #expect(error(.init(.count, of: "photos", where: "isOld")) == underivable("isOld"))
        #expect(error(.init(.count, of: "photos", where: "bytes")) == underivable("bytes"))
        #expect(error(.init(.countDistinct, of: "photos")) == underivable("nothing"))
        #expect(error(.init(.any, of: "photos"), .int64) == underivable("nothing"))
        #expect(underivable("x").description.contains("cannot be derived from Photo.x"))
    }

    private final class Folder: ManagedObject {
        @Attribute var bytes = 1
        @Relationship var parent: Folder?
        @Relationship(inverse: \Folder.parent) var children: ObjectSet<Folder>
        @Derived(sum: \Folder.children, \Folder.total) var total: Int
    }

    @Test func `a derived attribute does not follow from itself`() {
        #expect(throws: SchemaError.derivedFromItself(entity: "Folder", attribute: "total")) {
            try GraphStore(model: [Folder.self])
        }
    }

    private final class Shoot: ManagedObject {
        @Relationship(inverse: \Shot.shoot) var shots: ObjectSet<Shot>
        @Derived(countDistinct: \Shoot.shots, \Shot.words) var kinds: Int
    }

    private final class Shot: ManagedObject {
        @Attribute var words: [String] = []
        @Relationship var shoot: Shoot?
    }

    @Test func `an attribute of a Codable type is named as what cannot be counted`() {
        #expect(
            throws: SchemaError.underivable(
                entity: "Shoot", attribute: "kinds",
                property: "Shot.words, whose Codable values cannot be compared")
        ) {
            try GraphStore(model: [Shoot.self, Shot.self])
        }
    }

    private final class Trip: ManagedObject {
        @Relationship(inverse: \Stop.trip) var stops: ObjectSet<Stop>
        @Derived(countDistinct: \Trip.stops, \Stop.point) var points: Int
    }

    private final class Stop: ManagedObject {
        @Composite var point = Coordinate(latitude: 0, longitude: 0)
        @Relationship var trip: Trip?
    }

    @Test func `a composite attribute is not counted by its first part`() {
        #expect(
            throws: SchemaError.underivable(
                entity: "Trip", attribute: "points",
                property: "Stop.point, which has several parts")
        ) {
            try GraphStore(model: [Trip.self, Stop.self])
        }
    }
}
