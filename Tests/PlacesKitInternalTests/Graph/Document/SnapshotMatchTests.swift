import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What of a model and of a snapshot's schema has to be the same.
@Suite struct SnapshotMatchTests {
    private static let attribute = AttributeDescription(name: "value", type: .int64)
    private static let link = RelationshipDescription(
        name: "link", destination: "B", inverse: "links", isToMany: false)

    /// Changes of a property, and whether a document tells the difference.
    private static let changes: [(old: PropertyDescription, new: PropertyDescription, Bool)] = {
        func attribute(_ change: (inout AttributeDescription) -> Void) -> PropertyDescription {
            var changed = Self.attribute
            change(&changed)
            return .attribute(changed)
        }
        func link(_ change: (inout RelationshipDescription) -> Void) -> PropertyDescription {
            var changed = Self.link
            change(&changed)
            return .relationship(changed)
        }
        let (oldAttribute, oldLink) = (
            PropertyDescription.attribute(Self.attribute),
            PropertyDescription.relationship(Self.link)
        )
        return [
            (oldAttribute, attribute { $0.type = .int32 }, true),
            (oldAttribute, attribute { $0.type = .string }, true),
            (oldAttribute, attribute { $0.isOptional = true }, true),
            (oldAttribute, attribute { $0.isUnique = true }, false),
            (oldAttribute, attribute { $0.defaultValue = .integer(1) }, false),
            (oldAttribute, link { $0.name = "value" }, true),
            (oldLink, link { $0.destination = "A" }, true),
            (oldLink, link { $0.isToMany = true }, true),
            (oldLink, link { $0.inverse = "others" }, true),
            (oldLink, link { $0.inverse = nil }, true),
            (oldLink, link { $0.deleteRule = .cascade }, false),
        ]
    }()

    @Test(arguments: changes.indices)
    func `a property is another one if its values are written otherwise`(index: Int) throws {
        let change = Self.changes[index]
        // Inverses are checked by the schema, which is of no concern here.
        let others = EntityDescription(name: "B", properties: [])
        let found = [EntityDescription(name: "A", properties: [change.old]), others]
        let expected = EntityDescription(name: "A", properties: [change.new])
        let differences = SnapshotMatch(found, [expected, others]).differences
        #expect(differences.isEmpty == !change.2, "\(differences)")
    }

    @Test func `entities and properties that only one side has are named`() {
        let (one, two) = (PropertyDescription.attribute(Self.attribute), Self.changes[6].old)
        let match = SnapshotMatch(
            [
                EntityDescription(name: "A", properties: [one]),
                EntityDescription(name: "B", properties: []),
            ],
            [
                EntityDescription(name: "A", properties: [two]),
                EntityDescription(name: "C", properties: []),
            ])
        #expect(
            match.differences == [
                "the model has no B", "the model has no A.value", "the document has no A.link",
                "the document has no C",
            ])
    }

    @Test func `a model with another superclass is refused`() throws {
        let entities = try AnimalModel.store().model.schema.entities
        var changed = entities
        changed[1].superentity = "Animal"
        #expect(
            SnapshotMatch(entities, changed).differences
                == ["Puppy has another superentity in the document"])
        changed = entities
        changed[3].isAbstract = false
        #expect(SnapshotMatch(entities, changed).differences == [])
    }
}
