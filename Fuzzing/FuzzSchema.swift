@testable import PlacesGraph

/// The schema of a small document: ordered lists, a hierarchy, unique values, links of every kind.
let layout: GraphLayout = {
    func list(
        _ name: String, _ destination: String, _ inverse: String, isOrdered: Bool = false
    ) -> PropertyDescription {
        var relationship = RelationshipDescription(
            name: name, destination: destination, inverse: inverse, isToMany: true)
        relationship.isOrdered = isOrdered
        return .relationship(relationship)
    }
    func link(_ name: String, _ destination: String, _ inverse: String?) -> PropertyDescription {
        .relationship(
            RelationshipDescription(name: name, destination: destination, inverse: inverse))
    }
    func value(_ name: String, _ type: AttributeType, isUnique: Bool = false)
        -> PropertyDescription
    {
        .attribute(
            AttributeDescription(name: name, type: type, isOptional: true, isUnique: isUnique))
    }
    let entities = [
        EntityDescription(
            name: "A",
            properties: [
                value("s", .string, isUnique: true), list("w", "W", "a", isOrdered: true),
                list("r", "R", "a", isOrdered: true), link("o", "R", "p"),
            ]),
        EntityDescription(
            name: "W",
            properties: [value("n", .int16), link("a", "A", "w"), link("x", "W", nil)]),
        EntityDescription(
            name: "V", properties: [value("d", .date), value("b", .data)], superentity: "W"),
        EntityDescription(
            name: "R",
            properties: [value("j", .json), list("a", "A", "r"), link("p", "A", "o")]),
    ]
    guard let schema = try? Schema(entities: entities) else { preconditionFailure("the schema") }
    return GraphLayout(schema: schema)
}()
